"""What the twenty events do: OG-84 … OG-86, OG-90 … OG-109."""

from __future__ import annotations

import pytest

from events.oil_and_gas.commands import MakeMeld, PlayEvent
from events.oil_and_gas.facts import (
    CardsDiscarded,
    CardsDrawn,
    CardsStolen,
    DeckShuffled,
    DrawLapsed,
    EventPlayed,
    ModifierChanged,
    ProfitChanged,
    TokensChanged,
)
from events.words import Rng
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import Scenario, Script


def play(table: Scenario, card: str, target: int | None = None) -> Scenario:
    """The seat that has the go plays copy 1 of a card."""
    return table.when(table.game.awaited[0], PlayEvent(f"{card}.1", target))


@pytest.mark.rule("OG-90", "OG-92", "OG-101", "OG-102", "OG-103")
@pytest.mark.parametrize(
    ("card", "kind"),
    [("V01", "oil"), ("V03", "explore"), ("V12", "gasoline"), ("V13", "product"), ("V14", "transport")],
)
def test_a_token_is_gained(card: str, kind: str) -> None:
    """TS-40, TS-44, TS-54."""
    table = play(a_table("event", card, ""), card)
    table.then(EventPlayed(0, f"{card}.1", None, economy=False), TokensChanged(0, kind, 1, card))  # type: ignore[arg-type]
    assert {k: n for k, n in table.board.companies[0].tokens.items() if n} == {kind: 1}


@pytest.mark.rule("OG-84", "OG-91")
def test_two_random_cards_are_stolen_and_only_the_two_know_which() -> None:
    """TS-41."""
    hand = "X01 X02 X03 X04 X05"
    script = Script().pick("steal/1/0/1", cards("X04 X02"), of=cards(hand))
    table = play(a_table("event", "V02 O01 O02 O03", hand, "", script=script), "V02", 1)
    stolen = CardsStolen(1, 0, 2, cards("X04 X02"), Rng("steal/1/0/1", 0, 2))
    table.then(EventPlayed(0, "V02.1", 1, economy=False), stolen)
    assert [len(company.hand) for company in table.board.companies] == [5, 3, 0]
    assert [("cards" in table.sees(viewer)[2]) for viewer in (0, 1, 2, None)] == [True, True, False, False]
    assert "Seat 0 takes 2 cards from seat 1." in table.hears(2)
    assert "Seat 0 takes Surface Features and Fractures from seat 1." in table.hears(1)


@pytest.mark.rule("OG-85")
def test_a_victim_with_fewer_cards_loses_all_and_nothing_is_left_to_chance() -> None:
    """TS-42, TS-142."""
    play(a_table("event", "V02", "X01", ""), "V02", 1).then_among_others(CardsStolen(1, 0, 1, cards("X01")))
    table = play(a_table("event", "V10", "X02 X01", "O01"), "V10")
    table.then(
        EventPlayed(0, "V10.1", None, economy=False),
        CardsDiscarded(1, cards("X01 X02"), "V10"),
        CardsDiscarded(2, cards("O01"), "V10"),
    )
    assert not any(isinstance(getattr(event, "rng", None), Rng) for event in table.happened)


@pytest.mark.rule("OG-86", "OG-104", "OG-105")
def test_a_loss_stops_at_0_and_goes_to_nobody() -> None:
    """TS-55, TS-56."""
    table = play(a_table("event", "V16", "", "", "", profit=(10, 2, 3, 0)), "V16")
    table.then_among_others(ProfitChanged(1, -2, "V16"), ProfitChanged(2, -3, "V16")).counts(ProfitChanged, 2)
    assert [company.profit for company in table.board.companies] == [10, 0, 0, 0]
    table = play(a_table("event", "V15", "", "", profit=(10, 1, 3)), "V15")
    assert [company.profit for company in table.board.companies] == [10, 0, 1]


@pytest.mark.rule("OG-93", "OG-94", "OG-95", "OG-96", "OG-97", "OG-98")
@pytest.mark.parametrize(
    ("card", "delta", "earned"),
    [("V04", -3, 2), ("V05", -2, 3), ("V06", -1, 4), ("V07", 2, 7), ("V08", 4, 9), ("V09", 6, 11)],
)
def test_economy_cards_change_what_a_meld_earns(card: str, delta: int, earned: int) -> None:
    """TS-45 … TS-50: a meld of five singles."""
    table = play(a_table("event", card, ""), card)
    table.then(EventPlayed(0, f"{card}.1", None, economy=True), ModifierChanged(delta, delta))
    meld = a_table("profit", "X02 O01 T01 R01 G03", "", modifier=table.board.modifier)
    meld.when(0, MakeMeld(cards("X02 O01 T01 R01 G03"))).then_among_others(ProfitChanged(0, earned, "meld"))


@pytest.mark.rule("OG-22", "OG-82", "OG-100")
@pytest.mark.parametrize("card", ["V10", "V11", "V15", "V16"])
def test_nothing_happens_to_who_has_left(card: str) -> None:
    table = play(a_table("event", card, "X01 X02 X03", "", profit=(10, 10, 0), resigned=(2,)), card)
    assert {getattr(event, "seat", None) for event in table.happened} == {0, 1}


@pytest.mark.rule("OG-20", "OG-91", "OG-99")
@pytest.mark.parametrize(("card", "target"), [("V02", 1), ("V10", None)])
def test_of_doubles_too_two_cards_are_taken(card: str, target: int | None) -> None:
    table = play(a_table("event", card, "X05 X06 O04 O06"), card, target)
    assert len(table.board.companies[1].hand) == 2


@pytest.mark.rule("OG-131")
def test_what_takes_cards_takes_no_tokens() -> None:
    table = a_table("event", "V02 V10", "", finished=(1,), tokens={1: {"gasoline": 3}})
    play(play(table, "V02", 1), "V10")
    assert table.board.companies[1].tokens["gasoline"] == 3


@pytest.mark.rule("OG-106", "OG-108")
@pytest.mark.parametrize(("card", "delta"), [("V17", -1), ("V19", 1)])
def test_two_more_events_change_it_without_being_economy_cards(card: str, delta: int) -> None:
    """TS-57."""
    table = play(a_table("event", card, ""), card)
    table.then(EventPlayed(0, f"{card}.1", None, economy=False), ModifierChanged(delta, delta))


@pytest.mark.rule("OG-99")
def test_each_other_seat_discards_two_random_cards() -> None:
    """TS-51."""
    script = Script().pick("wars/1/0/1", cards("X03 X01"), of=cards("X01 X02 X03"))
    table = play(a_table("event", "V10 O01 O02 O03 O04 O05 O06", "X01 X02 X03", "T01", "", script=script), "V10")
    table.then(
        EventPlayed(0, "V10.1", None, economy=False),
        CardsDiscarded(1, cards("X03 X01"), "V10"),
        CardsDiscarded(2, cards("T01"), "V10"),
    )
    assert [len(company.hand) for company in table.board.companies] == [6, 1, 0, 0]
    assert len(table.board.discard) == 3
    assert table.board.event_row == cards("V10")


@pytest.mark.rule("OG-173")
def test_a_hand_is_sorted_before_chance_picks_from_it() -> None:
    """TS-131."""
    hands = ("X01 X02 X03 X04", "X04 X03 X02 X01")
    lost = [set(play(a_table("event", "V10", hand), "V10").board.discard) for hand in hands]
    assert lost[0] == lost[1]


@pytest.mark.rule("OG-100")
def test_everybody_draws_one_the_player_first_and_then_three_more() -> None:
    """TS-52: B C A, then B."""
    table = play(a_table("event", "", "V11", "", leader=1, finished=(2,)), "V11")
    drawn = [(event.seat, event.n) for event in table.happened if isinstance(event, CardsDrawn)]
    assert drawn == [(1, 1), (2, 1), (0, 1), (1, 3)]


@pytest.mark.rule("OG-100")
def test_draws_lapse_where_cards_run_out_and_the_event_itself_is_not_reshuffled() -> None:
    """TS-53."""
    table = play(a_table("event", "V11", "", "", deck="X01 X02 X03 X04"), "V11")
    assert [len(company.hand) for company in table.board.companies] == [2, 1, 1]
    table.then_among_others(CardsDrawn(0, 1, "V11", cards("X04")), DrawLapsed(0, 2, "V11"))


@pytest.mark.rule("OG-107")
def test_three_cards_are_drawn_without_a_look_at_the_hand_limit() -> None:
    """TS-58."""
    table = play(a_table("event", "V18 X01 X02 X03 X04 X05 X06 X07 X08 X09", ""), "V18")
    assert len(table.board.companies[0].hand) == 12


@pytest.mark.rule("OG-109")
def test_the_hand_is_discarded_and_seven_cards_are_drawn() -> None:
    """TS-60: by ascending id; tokens and other hands stay."""
    table = play(a_table("event", "V20 X04 O01 X02 X03", "T01", tokens={0: {"oil": 2}}), "V20")
    table.then_among_others(CardsDiscarded(0, cards("O01 X02 X03 X04"), "V20")).counts(CardsDrawn, 1)
    mine, other = table.board.companies
    assert (len(mine.hand), mine.tokens["oil"], other.hand) == (7, 2, cards("T01"))


@pytest.mark.rule("OG-109")
def test_it_may_be_the_only_card() -> None:
    """TS-61, and TS-59: with a reshuffle in between."""
    table = play(a_table("event", "V20", "", deck="X01 X02 X03 X04 X05", discard="O01 O02 O03 O04"), "V20")
    table.then_none(CardsDiscarded).counts(DeckShuffled, 1)
    assert (len(table.board.companies[0].hand), len(table.board.deck), table.board.discard) == (7, 2, ())
