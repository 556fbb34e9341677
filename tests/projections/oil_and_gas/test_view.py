"""Who sees what of the board, and what is told: the register's section on hidden information."""

from __future__ import annotations

from typing import get_args, get_origin

import msgspec
import pytest

from events.audience import sealed_fields
from events.oil_and_gas.codes import AnyCard, Goods, Purse, Wanted
from events.oil_and_gas.commands import BuyExtraCard, Command, FinishPhase, PlayEvent, ProposeTrade
from events.oil_and_gas.facts import EventWord
from events.oil_and_gas.steps import StepWord
from projections.oil_and_gas.evolve import EVOLVE
from projections.oil_and_gas.story import tell
from tests.rules.oil_and_gas.tables import a_start, a_table, cards, edition


def test_h1_no_other_hand_and_no_deck_appears_under_any_id() -> None:
    """TS-112: no id of B's cards or of the deck in A's view, options or log."""
    table = a_start(3).when(1, BuyExtraCard())
    hidden = {*table.board.companies[1].hand, *table.board.companies[2].hand, *table.board.deck}
    said = msgspec.json.encode([table.view(0), table.options(0), table.sees(0)]).decode()
    assert not [card for card in hidden if f'"{card}"' in said]


def test_hand_sizes_and_tokens_are_public_and_the_own_hand_is_listed() -> None:
    table = a_table("market", "X02 X01", "O03", "", tokens={1: {"oil": 2}})
    view = table.view(0)
    assert [(one.hand_size, one.hand) for one in view.companies] == [(2, cards("X01 X02")), (1, None), (0, None)]
    assert view.companies[1].tokens["oil"] == 2
    assert [one.hand for one in table.view(None).companies] == [None] * 3
    assert view.deck_size == 77


@pytest.mark.rule("OG-187")
def test_offers_are_listed_for_everybody_with_goods_for_the_two() -> None:
    table = a_table("market", "T07", "O03", "")
    give, want = Goods(cards("T07"), Purse()), Wanted((AnyCard(),), Purse(profit=2))
    table.when(0, ProposeTrade(1, give, want))
    assert [(one.offer, one.from_, one.to, one.give, one.want) for one in table.view(1).offers] == [
        (1, 0, 1, give, want)
    ]
    assert [(one.give, one.want) for viewer in (2, None) for one in table.view(viewer).offers] == [(None, None)] * 2
    assert b'"from":0' in msgspec.json.encode(table.view(2))


def test_drawn_cards_are_told_by_name_to_the_seat_alone() -> None:
    table = a_table("company", "", "", deck="X02").when(0, BuyExtraCard())
    assert table.hears(0) == ["Seat 0 pays 1 PT.", "Seat 0 draws Fractures."]
    assert table.hears(1) == table.hears(None) == ["Seat 0 pays 1 PT.", "Seat 0 draws 1 card."]


def test_a_story_reads_like_play() -> None:
    table = a_table("event", "V11", "", deck="X02 X03 X04 O01 O03").when(0, PlayEvent("V11.1"))
    assert table.hears(1) == [
        "Seat 0 plays Stimulus Package.",
        "Seat 0 draws 1 card (Stimulus Package).",
        "Seat 1 draws Rock Formations (Stimulus Package).",
        "Seat 0 draws 3 cards (Stimulus Package).",
    ]
    assert a_table("event", "", "").when(0, FinishPhase()).hears(1) == ["Seat 0 passes."]
    table = a_table("event", "V01", "", finished=(1,)).when(0, PlayEvent("V01.1")).when(0, FinishPhase())
    assert "New Recovery Techniques goes to the discard pile." in table.hears(1)


@pytest.mark.parametrize("word", [*get_args(Command), *get_args(EventWord)], ids=lambda word: str(word.__name__))
def test_every_field_says_who_may_see_it(word: type[msgspec.Struct]) -> None:
    sealed_fields(get_origin(word) or word)


def test_h3_each_word_has_its_fixed_number_of_sealed_fields() -> None:
    """Whether a finish gave a standing one cannot be told from its digests."""
    assert [mark.encoded for mark in sealed_fields(FinishPhase)] == ["through_phase"]


def test_steps_hold_nothing_but_public_facts() -> None:
    """The stack is public: seats, phases and the number of the question."""
    names = {name for step in get_args(StepWord) for name in step.__struct_fields__}
    assert names == {"awaits", "decision", "phase"}


def test_every_event_of_the_game_can_be_told() -> None:
    silent = {"awaiting", "phase_closed"}
    for kind in EVOLVE:
        name = kind.__struct_config__.tag
        assert name in silent or _told(str(name)), name


def _told(name: str) -> bool:
    try:
        return tell({"type": name}, edition()) is not None
    except KeyError:
        return True
