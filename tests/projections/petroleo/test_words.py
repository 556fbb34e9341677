"""The words of Petróleo agree with their fold, their tellers, their audiences and the rules that take them."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest

from events.audience import sealed_fields
from events.petroleo import commands, facts, steps
from events.table import GameCreated, TableCommand, TableEvent
from events.words import Runs, Waits
from projections.petroleo.evolve import EVOLVE
from projections.petroleo.story import tell
from projections.table import table_fold_of
from projections.view import question_of
from rules.petroleo.deadlines import DEFAULTS
from tests.rules.petroleo.tables import a_start, choosing, co, edition, using

EVENTS = get_args(facts.EventWord)
COMMANDS = get_args(commands.Command)
BOOK: Any = a_start(2).book


@pytest.mark.parametrize("kind", [*EVENTS, *COMMANDS], ids=str)
def test_every_field_says_who_may_see_it(kind: Any) -> None:
    sealed_fields(getattr(kind, "__origin__", kind))


@pytest.mark.parametrize("kind", sorted(set(EVENTS) - {facts.Awaiting, GameCreated}, key=str), ids=str)
def test_every_event_is_folded(kind: Any) -> None:
    assert kind in EVOLVE or table_fold_of(kind) is not None


def test_every_event_of_a_turn_is_told_and_none_twice() -> None:
    scene = using("tower_or_licence", co("L01"), co(), co())
    scene.when(0, commands.Exercise(item="tower", zone_id="L01"))
    assert scene.hears(None)[:2] == ["The card is c01 (tower or licence, 1).", "Seat 0 buys a tower on L01 for 5 M."]
    assert tell({"type": "awaiting", "schema": 1, "steps": []}, edition()) is None
    assert tell({"type": "seat_taken", "seat": 1}, edition()) == "Seat 1 sits down."
    assert tell({"type": "seat_resigned", "seat": 1, "cause": "bankruptcy"}, edition()) == "Seat 1 is bankrupt."


@pytest.mark.rule("PT-322", "PT-324")
def test_the_sealed_fields_are_these_and_no_others() -> None:
    """What is marked otherwise stands in the log for everybody."""
    sealed = {
        (kind.__name__, mark.name, mark.readers)
        for kind in [*EVENTS, *(set(COMMANDS) - set(get_args(TableCommand)))]
        for mark in sealed_fields(_plain(kind))
    }
    assert sealed == {
        ("PlayCard", "card_id", ("actor",)),
        ("Bid", "amount", ("actor",)),
        ("AnswerPartnership", "accept", ("actor",)),
        ("Lend", "amount", ("actor",)),
        ("DeckShuffled", "order", ()),
        ("CardsDealt", "cards", ("seat",)),
        ("CardDrawn", "card", ("seat",)),
        ("CardLaid", "card", ("seat",)),
        ("BidPlaced", "amount", ("seat",)),
        ("PartnershipAnswered", "accept", ("seat",)),
        ("LoanOffered", "amount", ("seat",)),
    }


def test_each_handler_is_filed_under_the_types_it_takes() -> None:
    """The one thing that the type checker cannot see: the dispatch tables agree with the signatures."""
    for step, run in BOOK.runs.items():
        assert step in _taken(run, "step")
    for (step, command), answer in BOOK.answers.items():
        assert step in _taken(answer, "step")
        assert command in _taken(answer, "command")


def test_every_step_has_what_it_needs() -> None:
    words = get_args(steps.StepWord)
    assert {step for step in words if issubclass(step, Runs)} == set(BOOK.runs)
    waiting = {step for step in words if issubclass(step, Waits)}
    assert waiting == set(BOOK.options) == set(DEFAULTS) == {step for step, _ in BOOK.answers}


def test_the_view_shows_the_open_question_with_its_public_facts() -> None:
    scene = choosing(co(), co(), co(), tankers="TK1:0+1").when(0, commands.ProposeDissolution("TK1", 12))
    question = question_of(scene.game)
    assert question is not None
    assert (question.about["tanker"], question.about["price"]) == ("TK1", 12)
    assert scene.view(1).proposals == ("TK1",)


def _plain(kind: Any) -> Any:
    """`Awaiting` stands in the union bound to the game's steps."""
    return getattr(kind, "__origin__", kind)


def _taken(function: Any, name: str) -> tuple[Any, ...]:
    """The types of a parameter, a base class standing for all below it."""
    hint = get_type_hints(function)[name]
    kinds = get_args(hint) or (hint,)
    return tuple(below for kind in kinds for below in (kind, *kind.__subclasses__()))


def test_the_shared_words_are_part_of_the_games() -> None:
    assert set(get_args(TableEvent)) <= set(EVENTS)
