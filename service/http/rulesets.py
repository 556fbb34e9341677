"""Which games are on offer: options, commands, events, cards and rules, all as data."""

from __future__ import annotations

from asyncio import to_thread
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import PathParameter
from msgspec import Struct

from rules.catalogue import rulesets
from rules.edition import Edition
from rules.register import Rule
from rules.ruleset import Ruleset
from service.failures import NotFound
from service.http.register import rules_at
from service.http.shapes import UNCHANGING, RulesetName, fails, json_answer
from service.http.words import about, answers, commands_of, schema_of, tag_of, view_of, words_of

TAG = ["rulesets"]


class EditionSummary(Struct, frozen=True):
    """A set of cards and numbers to play with. Its digest stands in the first entry of every game on it."""

    edition: str
    title: str
    about: str
    digest: str


class RulesetSummary(Struct, frozen=True):
    """A game on offer."""

    ruleset: str
    title: str
    rules_version: int
    least_seats: int
    most_seats: int
    default_edition: str
    editions: tuple[EditionSummary, ...]


class Rulesets(Struct, frozen=True):
    """The games on offer."""

    rulesets: tuple[RulesetSummary, ...]


class WordSchema(Struct, frozen=True):
    """A command or an event: its `type`, what it says, its JSON Schema. A command that `answers` the open question
    may carry its `decision_id`, and is then refused once the question is another.
    """

    type: str
    about: str
    answers: bool
    json_schema: dict[str, Any]


class RulesetDetails(Struct, frozen=True):
    """Everything a client needs to know about a game: options at creation, commands, events, view, rules."""

    ruleset: str
    title: str
    rules_version: int
    least_seats: int
    most_seats: int
    default_edition: str
    editions: tuple[EditionSummary, ...]
    options: dict[str, Any]
    view: dict[str, Any]
    commands: tuple[WordSchema, ...]
    events: tuple[WordSchema, ...]
    rules: tuple[Rule, ...]


class Rules(Struct, frozen=True):
    """The rules that a refusal may cite: the game's own, and those of the table (`GU-…`), which hold in every game."""

    ruleset: str
    rules: tuple[Rule, ...]


class EditionDetails(Struct, frozen=True):
    """An edition: what its data is, and for each group of it whether the rulebook gives it or the house does."""

    ruleset: str
    edition: str
    title: str
    about: str
    digest: str
    provenance: dict[str, str]
    data: dict[str, Any]


@get(
    "/v1/rulesets",
    operation_id="list_rulesets",
    summary="Which games are on offer?",
    tags=TAG,
    responses=fails(),
)
async def list_rulesets() -> Response[Rulesets]:
    """Every game, with its editions and how many play it."""
    return json_answer(Rulesets(tuple(_summary(ruleset) for ruleset in rulesets().values())), headers=UNCHANGING)


@get(
    "/v1/rulesets/{ruleset:str}",
    operation_id="get_ruleset",
    summary="How is this game played?",
    tags=TAG,
    responses=fails(404),
)
async def get_ruleset(ruleset: RulesetName) -> Response[RulesetDetails]:
    """Options, view, commands and events as JSON Schema, and the register of rules that refusals cite."""
    return json_answer(await to_thread(_details, _known(ruleset)), headers=UNCHANGING)


@get(
    "/v1/rulesets/{ruleset:str}/rules",
    operation_id="list_rules",
    summary="Which rules may a refusal cite?",
    tags=TAG,
    responses=fails(404),
)
async def list_rules(ruleset: RulesetName) -> Response[Rules]:
    """What stands behind the `rule` of a refused move, a sentence each."""
    return json_answer(Rules(ruleset, rules_at(_known(ruleset).name)), headers=UNCHANGING)


@get(
    "/v1/rulesets/{ruleset:str}/editions/{edition:str}",
    operation_id="get_edition",
    summary="What are the cards and numbers of this edition?",
    tags=TAG,
    responses=fails(404),
)
async def get_edition(
    ruleset: RulesetName, edition: Annotated[str, PathParameter(description="An edition's name.", max_length=64)]
) -> Response[EditionDetails]:
    """The data of an edition with its provenance: `rulebook`, `derived` (follows from it) or `house` (ours)."""
    found = _known(ruleset).editions.built_in.get(edition)
    if found is None:
        raise NotFound("not_found", "The ruleset has no such edition.")
    data = msgspec.to_builtins(found.edition)
    described = {name: data.pop(name) for name in Edition.__struct_fields__}
    return json_answer(EditionDetails(**described, digest=found.digest, data=data), headers=UNCHANGING)


def _known(name: str) -> Ruleset:
    found = rulesets().get(name)
    if found is None:
        raise NotFound("not_found", "There is no such ruleset.")
    return found


def _summary(ruleset: Ruleset) -> RulesetSummary:
    return RulesetSummary(
        ruleset=ruleset.name,
        title=ruleset.title,
        rules_version=ruleset.version,
        least_seats=ruleset.least_seats,
        most_seats=ruleset.most_seats,
        default_edition=ruleset.default_edition,
        editions=tuple(
            EditionSummary(name, loaded.edition.title, loaded.edition.about, loaded.digest)
            for name, loaded in sorted(ruleset.editions.built_in.items())
        ),
    )


@cache
def _details(ruleset: Ruleset) -> bytes:
    details = RulesetDetails(
        **msgspec.structs.asdict(_summary(ruleset)),
        options=schema_of(ruleset, ruleset.options),
        view=schema_of(ruleset, view_of(ruleset)),
        commands=tuple(
            WordSchema(tag_of(kind), about(kind), answers(kind), schema_of(ruleset, kind))
            for kind in commands_of(ruleset)
        ),
        events=tuple(
            WordSchema(tag_of(kind), about(kind), False, schema_of(ruleset, kind))  # noqa: FBT003 - no command
            for kind in words_of(ruleset.projection.events)
        ),
        rules=rules_at(ruleset.name),
    )
    return msgspec.json.encode(details)


ROUTES = [list_rulesets, get_ruleset, list_rules, get_edition]
