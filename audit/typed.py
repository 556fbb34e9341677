"""The short way through checks 1, 2, 3 and 6, for entries with which nothing is wrong.

A body decoded by the types of its words and encoded again gives the very bytes that it was read from: then it is
canonical, has the shape of an entry, and each of its words has its own. A sealed field is held against its digest in
the same manner. What follows the entry before, discloses all that it seals and draws where its labels stand is taken;
every other entry goes the long way, which finds out what is wrong with it. The short way writes down nothing, and
leaves nothing behind of an entry that it does not take.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_origin

import msgspec
from msgspec import NODEFAULT, Meta, Struct, inspect
from msgspec.structs import asdict, fields

from audit.chance import Draws
from audit.disclosing import Disclosing, Opened, Shown
from audit.entries import Kept
from audit.form import is_uuid
from audit.links import Link, Links
from audit.report import Tally
from audit.vocabulary import Word, words_of
from events import chain
from events.codec import MAX_BYTES, MAX_INTEGER, encode
from events.entry import Actor, Entry
from events.export import Disclosures
from events.lifts import LIFTS
from events.words import Count
from projections.projection import Projection

# 16 bytes in unpadded base64url; the last character has four spare bits, which are 0.
_SALT: Final = re.compile(rb"[A-Za-z0-9_-]{21}[AQgw]\Z")
_SEALS: Final = "sd"
_OF_THE_SEED: Final = {"seed_commit", "server_seed"}
"""Fields that entry 1 and the end of a game have: check 6 looks at them the long way."""


class Field(Struct, frozen=True):
    """A sealed field: its name in Python, and the decoder of its value."""

    name: str
    values: msgspec.json.Decoder[Any]


class Plan(Struct, frozen=True):
    """How the short way reads a word: as what shape. `sealed` are its sealed fields by their JSON names, in bytes."""

    word: Word
    read: Any
    sealed: dict[bytes, Field]


class Shapes(Struct, frozen=True):
    """A decoder of the bodies of one ruleset, and how each class that it makes of a word is read on."""

    bodies: msgspec.json.Decoder[Any]
    plans: dict[type, Plan]


class Taken(Struct, frozen=True):
    """The words of an entry, whole; those that had sealed fields; what was used for the first time."""

    words: list[Any]
    opened: list[Opened]
    digests: list[str]
    salts: list[str]


class ShortWay:
    """Reads the entries of one log, as long as nothing is wrong with them."""

    def __init__(self, shapes: Shapes, game: str, links: Links, disclosing: Disclosing, draws: Draws) -> None:
        self._bodies, self._plans, self._game = shapes.bodies, shapes.plans, game
        self._links, self._disclosing, self._draws = links, disclosing, draws

    def take(self, line: int, text: bytes, said: Disclosures | None, counts: Tally) -> Kept | None:
        """The whole entry, counted in all that is kept of a log; None where it has to go the long way."""
        last = self._links.firm
        if last is None or self._draws.opened is not None or len(text) > MAX_BYTES:
            return None
        if said is not None and (said.seq != last.seq + 1 or not said.disclosures):
            return None
        try:
            body = self._bodies.decode(text)
            if body.seq != last.seq + 1 or body.prev != last.hash or body.at < last.at or body.game != self._game:
                return None
            if not is_uuid(body.command.id) or encode(body) != text:
                return None
            taken = self._open((body.command, *body.events), said)
        except (msgspec.DecodeError, ValueError, RecursionError):  # of what is no word, no base64, no text, or too deep
            return None
        if taken is None or not self._draws.take(taken.words, counts):
            return None
        if taken.opened:
            shown = Shown(line, body.seq, body.actor, taken.opened)
            self._disclosing.take(shown, taken.digests, taken.salts)
        self._links.extend(Link(line, body.seq, body.prev, chain.entry_hash(text), body.at))
        counts.entries, counts.events = counts.entries + 1, counts.events + len(body.events)
        counts.opened += len(taken.digests)
        command, *events = taken.words
        return Kept(line, Entry(self._game, body.seq, body.at, body.actor, command, tuple(events)))

    def _open(self, words: tuple[Any, ...], said: Disclosures | None) -> Taken | None:
        """The words with every sealed field in its place; None unless each is disclosed, once, and rightly."""
        texts = {} if said is None else {chain.digest_of(text): text for text in said.disclosures}
        taken = Taken([], [], [], [])
        for number, word in enumerate(words):
            plan = self._plans[type(word)]
            if plan.word.schema is not None and word.schema != plan.word.schema:
                return None
            whole = word
            if plan.sealed:
                whole = _whole(word, plan, texts, taken)
                if whole is None:
                    return None
                taken.opened.append(Opened(number - 1 if number else None, plan.word, whole))
            taken.words.append(whole)
        disclosed = 0 if said is None else len(said.disclosures)
        if len(taken.digests) != disclosed or (disclosed and not self._disclosing.new(taken.digests, taken.salts)):
            return None
        return taken


def _whole(word: Any, plan: Plan, texts: Mapping[str, str], taken: Taken) -> Any:
    digests = word.sd
    if len(digests) != len(plan.sealed) or (len(digests) > 1 and digests != sorted(digests)):
        return None
    values = asdict(word)
    del values[_SEALS]
    for digest in digests:
        text = texts.get(digest)
        if text is None or not _put_back(text, plan, values, taken.salts):
            return None
    taken.digests.extend(digests)
    return plan.word.kind(**values)


def _put_back(text: str, plan: Plan, values: dict[str, Any], salts: list[str]) -> bool:
    """Whether the text is the disclosure of a sealed field of the word that is not there yet; then it is there."""
    said = chain.from_base64url(text)
    if len(said) > MAX_BYTES:
        return False
    # An array of the salt, 22 letters, of the name and the value.
    salt, (name, _, value) = said[2:24], said[27:-1].partition(b'",')
    field = plan.sealed.get(name)
    if field is None or field.name in values or not _SALT.match(salt):
        return False
    if said[:2] != b'["' or said[24:27] != b'","' or said[-1:] != b"]":
        return False
    found = values[field.name] = field.values.decode(value)
    salts.append(salt.decode())
    return encode(found) == value


# ---- shapes


def shapes_of(projection: Projection) -> Shapes:
    """How the words of a ruleset are read: those whose shape alone keeps them inside the format's profile."""
    return _shapes(projection.commands, projection.events)


@cache
def _shapes(commands: Any, events: Any) -> Shapes:
    asked, happened = _plans(words_of(commands)), _plans(words_of(events))
    body = msgspec.defstruct(
        "TypedBody",
        [
            ("actor", Actor),
            ("at", Count),
            ("command", _one_of(asked)),
            ("events", Annotated[list[_one_of(happened)], Meta(min_length=1)]),  # type: ignore[misc]
            ("game", str),
            ("prev", str),
            ("seq", Annotated[int, Meta(ge=1, le=MAX_INTEGER)]),
            ("v", Literal[1]),
        ],
        frozen=True,
        forbid_unknown_fields=True,
    )
    plans = {plan.read: plan for plan in (*asked, *happened)}
    return Shapes(msgspec.json.Decoder(body), {get_origin(read) or read: plan for read, plan in plans.items()})


def _one_of(plans: list[Plan]) -> Any:
    return Union[tuple(plan.read for plan in plans)]  # noqa: UP007 - made of what is there


def _plans(words: Mapping[str, Word]) -> list[Plan]:
    lifted = {name for name, _ in LIFTS}
    return [_plan(word) for word in words.values() if word.name not in lifted and _is_tame(word)]


def _plan(word: Word) -> Plan:
    found = {field.encode_name: field for field in fields(word.shape)}
    sealed = {name.encode(): Field(found[name].name, msgspec.json.Decoder(found[name].type)) for name in word.sealed}
    return Plan(word, _closed(word) if sealed else word.shape, sealed)


def _closed(word: Word) -> type[Struct]:
    """The shape of a word of which every sealed field is closed."""
    return msgspec.defstruct(
        f"Closed_{word.name}",
        [(_SEALS, list[str])],
        bases=(word.public,),
        kw_only=True,
        frozen=True,
        tag_field="type",
        tag=word.name,
        forbid_unknown_fields=True,
        rename={_SEALS: "_sd"},
    )


def _is_tame(word: Word) -> bool:
    """Whether nothing that this shape lets through is outside the profile, and the short way can make it."""
    shape = inspect.type_info(word.shape)
    assert isinstance(shape, inspect.StructType), "a word is a struct"
    named = {field.encode_name for field in shape.fields}
    if named & _OF_THE_SEED or any(field.default_factory is not NODEFAULT for field in shape.fields):
        return False
    # The schema number is compared with today's.
    return all(field.name == "schema" or _fits(field.type, ()) for field in shape.fields)


def _fits(info: inspect.Type, around: tuple[type, ...]) -> bool:
    """Whether every value of a type is inside the profile; `around` are the structs that we are in."""
    if isinstance(info, inspect.Metadata):
        return _fits(info.type, around)
    if isinstance(info, inspect.IntType):
        return info.ge is not None and info.ge >= -MAX_INTEGER and info.le is not None and info.le <= MAX_INTEGER
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        return _fits(info.item_type, around)
    if isinstance(info, inspect.TupleType):
        return all(_fits(item, around) for item in info.item_types)
    if isinstance(info, inspect.UnionType):
        return all(_fits(one, around) for one in info.types)
    if isinstance(info, inspect.StructType):
        # A struct inside itself may be nested deeper than the profile has it.
        inside = (*around, info.cls)
        return info.cls not in around and all(_fits(field.type, inside) for field in info.fields)
    return isinstance(info, inspect.StrType | inspect.BoolType | inspect.NoneType | inspect.LiteralType)
