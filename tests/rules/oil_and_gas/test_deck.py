"""Draw deck, discard pile, reshuffle: OG-23 … OG-32."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from events.oil_and_gas.commands import BuyExtraCard, FinishPhase, PlayEvent
from events.oil_and_gas.facts import CardsDrawn, DeckShuffled, DrawLapsed, EventPlayed
from events.words import Rng
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import Script


@pytest.mark.rule("OG-23")
def test_cards_are_drawn_from_the_top_one_after_the_other() -> None:
    """TS-121."""
    table = a_table("event", "V18", "", deck="X01 O01 T01 R01").when(0, PlayEvent("V18.1"))
    assert table.board.companies[0].hand == cards("X01 O01 T01")
    assert table.board.deck == cards("R01")


@pytest.mark.rule("OG-24", "OG-25", "OG-26", "OG-27")
def test_the_discard_pile_becomes_the_deck_when_a_card_is_due() -> None:
    """TS-14: 9 cards due from a deck of 4 and a discard pile of 20."""
    deck, pile = "X01 X02 X03 X04", " ".join(f"{type_}{n:02d}" for type_ in "OT" for n in range(1, 11))
    table = a_table("profit", "", "", "", go=2, turn=3, deck=deck, discard=pile).when(2, FinishPhase())
    kinds = [type(event) for event in table.happened if isinstance(event, CardsDrawn | DeckShuffled)]
    assert kinds == [CardsDrawn] * 4 + [DeckShuffled] + [CardsDrawn] * 5
    shuffled = next(event for event in table.happened if isinstance(event, DeckShuffled))
    assert (shuffled.index, shuffled.size) == (1, 20)
    assert sorted(shuffled.order) == sorted(cards(pile))
    assert (len(table.board.deck), table.board.discard) == (15, ())


@pytest.mark.rule("OG-24", "OG-27")
def test_a_draw_of_several_goes_on_across_the_reshuffle() -> None:
    """TS-137, register 3.5 item 3."""
    script = Script().shuffle("shuffle/1", cards("O05 O04 O03 O02 O01"))
    table = a_table("event", "V18", "", deck="X01 X02", discard="O01 O02 O03 O04 O05", script=script)
    table.when(0, PlayEvent("V18.1")).then(
        EventPlayed(0, "V18.1", None, economy=False),
        CardsDrawn(0, 2, "V18", cards("X01 X02")),
        DeckShuffled(1, 5, cards("O05 O04 O03 O02 O01")),
        CardsDrawn(0, 1, "V18", cards("O05")),
    )
    assert (len(table.board.deck), table.board.discard, table.board.event_row) == (4, (), cards("V18"))


@pytest.mark.rule("OG-171", "OG-172")
def test_each_shuffle_has_a_number_and_a_label_of_its_own() -> None:
    """A pile of one card takes no chance; `rng` is in the event where chance was."""
    hand = "O01 O02 O03 O04 O05 O06 O07 O08 O09 O10 T01 T02"
    table = a_table("company", hand, "", deck="", discard="X01").when(1, BuyExtraCard())
    assert next(event for event in table.happened if isinstance(event, DeckShuffled)).rng is UNSET
    table.when(0, FinishPhase(discard=cards("O01 O02"))).when(1, BuyExtraCard())
    again = next(event for event in table.happened if isinstance(event, DeckShuffled))
    assert (again.index, again.rng) == (2, Rng("shuffle/2", 0, 1))
    assert table.view(None).shuffles == 3


@pytest.mark.rule("OG-25")
def test_the_last_card_leaves_the_deck_without_a_reshuffle() -> None:
    table = a_table("company", "", "", deck="X01", discard="O01").when(0, BuyExtraCard())
    assert (table.board.deck, table.board.discard) == ((), cards("O01"))
    table.then_none(DeckShuffled)


@pytest.mark.rule("OG-26")
def test_hands_and_event_row_are_never_reshuffled() -> None:
    table = a_table("event", "V18 X01", "X02", deck="", discard="O01", event_row=cards("V01"))
    table.when(0, PlayEvent("V18.1"))
    assert table.board.companies[0].hand == cards("X01 O01")
    assert table.board.event_row == cards("V01 V18")


@pytest.mark.rule("OG-28", "OG-29")
def test_where_no_card_is_left_a_draw_lapses_and_is_not_owed() -> None:
    """TS-16."""
    table = a_table("profit", "", "", go=1, turn=2, deck="X01 X02", discard="X03").when(1, FinishPhase())
    assert [len(company.hand) for company in table.board.companies] == [2, 1]
    lapsed = [event for event in table.happened if isinstance(event, DrawLapsed)]
    assert lapsed == [DrawLapsed(seat, 1, "base") for seat in (1, 0, 1)]
    assert [company.profit for company in table.board.companies] == [10, 10]
    table = a_table("profit", "", "", go=1, turn=2, deck="X01 X02 X03 X04 X05 X06 X07").when(1, FinishPhase())
    assert [len(company.hand) for company in table.board.companies] == [3, 3]


@pytest.mark.rule("OG-30")
def test_the_discard_pile_is_open_and_its_order_means_nothing() -> None:
    """TS-121."""
    views = [a_table("market", "", "", discard=pile).view(None) for pile in ("X02 X01 O05", "O05 X01 X02")]
    assert views[0].discard == cards("O05 X01 X02")
    assert views[0] == views[1]
    assert views[0].deck is None


@pytest.mark.rule("OG-31")
def test_every_card_is_somewhere_once() -> None:
    table = a_table("event", "V20 X01", "X02")
    table.when(0, PlayEvent("V20.1"))
    board = table.board
    lying = [*board.deck, *board.discard, *board.event_row, *(card for one in board.companies for card in one.hand)]
    assert len(lying) == len(set(lying)) == 80


@pytest.mark.rule("OG-32")
def test_cards_discarded_in_an_action_may_come_back_in_the_same() -> None:
    """TS-62."""
    table = a_table("event", "V20 X01 X02 X03 X04", "", deck="O01 O02 O03 O04 O05").when(0, PlayEvent("V20.1"))
    hand = table.board.companies[0].hand
    assert len(hand) == 7
    assert len(set(hand) & set(cards("X01 X02 X03 X04"))) == 2


@pytest.mark.rule("OG-173")
def test_the_order_in_which_cards_lie_does_not_influence_a_shuffle() -> None:
    """TS-131."""
    piles = ("O01 O02 O03 O04", "O04 O03 O02 O01")
    tables = [a_table("company", "", "", deck="", discard=pile).when(0, BuyExtraCard()) for pile in piles]
    assert tables[0].board.deck == tables[1].board.deck
    assert tables[0].board.companies[0].hand == tables[1].board.companies[0].hand
