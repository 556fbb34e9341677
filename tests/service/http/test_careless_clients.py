"""Clients that send anything at any time: every answer is a clear problem, and nothing has happened."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from events.table import TableCommand
from events.words import Command
from rules.catalogue import rulesets
from rules.choices import Option
from tests.members import has_member
from tests.service.http.conftest import Meet, Person, move, problem, started

WRONG: tuple[Any, ...] = (
    None,
    True,
    "",
    "x",
    "x" * 65,
    -1,
    0,
    2**31,
    2**53 - 1,
    2**53,
    1.5,
    [],
    [None],
    ["x", "x"],
    ["x"] * 300,
    [[]],
    {},
    {"cards": []},
    {"cards": [], "tokens": {"oil": -1}},
)
"""Of the wrong type, out of range, too long, unknown, twice."""

MOVES, EVERY, SENT = 60, 12, 50
"""Moves of a game, how often it is stopped, and how many commands are sent then by each of two people."""


def kinds_of(ruleset: str) -> dict[str, type[Command]]:
    """The commands of players, by their names."""
    words = set(get_args(rulesets()[ruleset].projection.commands)) - set(get_args(TableCommand))
    return {str(kind.__struct_config__.tag): kind for kind in words}


def spoilt(kind: type[Command], base: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The command with each member as it should not be; in turn, one member at a time."""
    yield base
    yield {**base, "seat": 1}
    for member in msgspec.structs.fields(kind):
        name = member.encode_name
        yield {key: value for key, value in base.items() if key != name}
        yield from ({**base, name: value} for value in WRONG)
        found = base.get(name)
        if isinstance(found, list) and found:
            yield {**base, name: [*found, found[0]]}
            yield {**base, name: found[1:]}
        if isinstance(found, dict):
            yield from ({**base, name: {**found, inner: value}} for inner in found for value in WRONG)


def was_sent(body: Any, pointer: str) -> bool:
    """Whether there is something at this place of a body."""
    for step in pointer.split("/")[1:]:
        items = enumerate(body) if isinstance(body, list) else body.items()
        inside = {str(key): value for key, value in items}
        if step not in inside:
            return False
        body = inside[step]
    return True


async def options_of(person: Person, game: str) -> list[Option]:
    return msgspec.convert((await person.get(f"/v1/games/{game}/options")).json()["options"], list[Option])


async def hold_to_its_word(person: Person, game: str, kind: type[Command], command: dict[str, Any]) -> None:
    """What is checked and found good is on offer; of what is not, both addresses say the same, and say enough."""
    checked = await person.post(f"/v1/games/{game}/commands:check", command)
    if checked.status_code == 200:
        assert checked.json()["option"] in {option.id for option in await options_of(person, game)}, command
        return
    sent = await person.post(f"/v1/games/{game}/commands", command)
    assert (sent.status_code, sent.content) == (checked.status_code, checked.content), command
    assert sent.status_code in (400, 409, 422), (command, sent.text)
    told = problem(sent, sent.status_code)
    names = [one["name"] for one in told.get("errors", ())]
    if told["type"] == "/problems/refused":
        assert told["rule"], told
        assert all(has_member(kind, name) for name in names), told
    else:
        assert len(names) == 1, told
        assert has_member(kind, names[0]) or was_sent(command, names[0]), told


@pytest.mark.parametrize("ruleset", list(rulesets()))
async def test_whatever_is_sent_the_answer_is_clear_and_the_game_as_before(meet: Meet, ruleset: str) -> None:
    people = [await meet(name) for name in ("ada", "bob", "cy")]
    game, kinds, dice = await started(*people, ruleset=ruleset), kinds_of(ruleset), random.Random(ruleset)
    bases: dict[str, dict[str, Any]] = {tag: {"type": tag} for tag in kinds}
    for number in range(MOVES):
        for person in people:
            for option in await options_of(person, game):
                bases[option.command["type"]] = option.pick(dice.randrange)
        if number % EVERY == 0:
            before = (await people[0].get(f"/v1/games/{game}/head")).json()
            bodies = [(kind, body) for tag, kind in kinds.items() for body in spoilt(kind, bases[tag])]
            for person in dice.sample(people, 2):
                for kind, body in dice.sample(bodies, SENT):
                    await hold_to_its_word(person, game, kind, body)
            assert (await people[0].get(f"/v1/games/{game}/head")).json() == before
        made = await move(game, dice.randrange, *people)
        assert made is not None
        assert made.status_code == 200, made.text


async def test_checking_names_the_option_of_what_was_left_out_for_its_default(meet: Meet) -> None:
    """Both finish phase after phase, until somebody could make a meld of cards alone: `tokens` need not be said."""
    people, below = [await meet("ada"), await meet("bob")], random.Random(5).randrange
    game = await started(*people)
    for _ in range(200):
        for person in people:
            for option in await options_of(person, game):
                if option.id == "make_meld:card+card+card+card+card":
                    meld = {key: value for key, value in option.pick(below).items() if key != "tokens"}
                    checked = await person.post(f"/v1/games/{game}/commands:check", meld)
                    assert checked.json()["option"] == option.id
                    return
                if option.id == "finish_phase":
                    await person.post(f"/v1/games/{game}/commands", option.pick(below))
    pytest.fail("nobody could make a meld")


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"7", b'"x"', b"{", b'{"type":"a","type":"a"}', b"\xff", b"[" * 99]
)
async def test_what_is_no_object_is_told_so(meet: Meet, body: bytes) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    headers = {"authorization": f"Bearer {ada.token}", "content-type": "application/json"}
    headers["idempotency-key"] = "0190f3c0-0000-7000-8000-00000000aaaa"
    for address in ("commands", "commands:check"):
        told = problem(
            await ada.client.post(f"/v1/games/{game}/{address}", content=body, headers=headers), 400, "malformed"
        )
        assert [one["in"] for one in told["errors"]] == ["body"]
