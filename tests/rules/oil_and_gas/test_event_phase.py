"""Event Phase, procedure: OG-65 … OG-89."""

from __future__ import annotations

import pytest

from events.oil_and_gas.commands import FinishPhase, PlayEvent
from events.oil_and_gas.facts import (
    CardsDrawn,
    EventPlayed,
    EventRowCleared,
    PhaseClosed,
    PhaseOpened,
    ProfitChanged,
    RollOff,
    SeatFinished,
    TurnLeaderSet,
)
from events.oil_and_gas.steps import ConversionActions, EventTurn
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import Script


@pytest.mark.rule("OG-65", "OG-66", "OG-67")
def test_the_highest_roll_leads_and_ties_roll_again() -> None:
    """TS-33, register 3.5 item 6: three rounds, 4 + 2 + 2 dice; B leads, then C, D, A."""
    script = Script().dice(
        rolloff__1__0__0=5,
        rolloff__1__0__1=6,
        rolloff__1__0__2=6,
        rolloff__1__0__3=2,
        rolloff__1__1__1=3,
        rolloff__1__1__2=3,
        rolloff__1__2__1=4,
        rolloff__1__2__2=1,
    )
    table = a_table("market", "", "", "", "", finished=(0, 1), script=script).when(2, FinishPhase())
    table.then(
        SeatFinished(2, "market", "command", None),
        PhaseClosed("market"),
        PhaseOpened("event"),
        RollOff(0, 0, 5),
        RollOff(0, 1, 6),
        RollOff(0, 2, 6),
        RollOff(0, 3, 2),
        RollOff(1, 1, 3),
        RollOff(1, 2, 3),
        RollOff(2, 1, 4),
        RollOff(2, 2, 1),
        TurnLeaderSet(1),
    )
    assert table.board.order == (1, 2, 3, 0)
    table.waits_for(EventTurn, 1)


@pytest.mark.rule("OG-65")
def test_who_has_left_does_not_roll() -> None:
    table = a_table("market", "", "", "", resigned=(1,)).when(0, FinishPhase())
    assert {event.seat for event in table.happened if isinstance(event, RollOff)} == {0, 2}


@pytest.mark.rule("OG-68")
def test_a_go_is_one_event_or_a_pass() -> None:
    table = a_table("event", "V01 V03", "").when(0, PlayEvent("V01.1")).waits_for(EventTurn, 1)
    table.refuses(0, PlayEvent("V03.1"), "OG-68", "not_awaited")


@pytest.mark.rule("OG-69", "OG-70", "OG-72")
def test_the_go_comes_back_round_after_round_to_who_has_not_passed() -> None:
    table = a_table("event", "V01 V03 V12", "V13", "")
    table.when(0, PlayEvent("V01.1")).when(1, FinishPhase()).when(2, FinishPhase())
    table.waits_for(EventTurn, 0).when(0, PlayEvent("V03.1")).waits_for(EventTurn, 0)
    table.refuses(1, PlayEvent("V13.1"), "OG-68", "not_awaited")


@pytest.mark.rule("OG-70")
def test_who_has_passed_plays_no_more_whatever_it_draws() -> None:
    """TS-35."""
    table = a_table("event", "V11", "", deck="X01 V18 X02 X03 X04", finished=(1,)).when(0, PlayEvent("V11.1"))
    assert table.board.companies[1].hand == cards("V18")
    table.refuses(1, PlayEvent("V18.1"), "OG-68", "not_awaited").waits_for(EventTurn, 0)


@pytest.mark.rule("OG-71")
def test_the_last_who_has_not_passed_plays_on_card_by_card() -> None:
    table = a_table("event", "V01 V03", "", finished=(1,)).when(0, PlayEvent("V01.1")).when(0, PlayEvent("V03.1"))
    table.waits_for(EventTurn, 0).when(0, FinishPhase()).waits_for(ConversionActions, 0, 1)


@pytest.mark.rule("OG-73")
def test_only_an_event_of_the_own_hand_on_the_own_go() -> None:
    """TS-38."""
    table = a_table("event", "X02 V01", "V03")
    table.refuses(0, PlayEvent("X02.1"), "OG-73", "not_an_event")
    table.refuses(0, PlayEvent("V03.1"), "OG-73", "card_not_in_hand")
    table.refuses(1, PlayEvent("V03.1"), "OG-68", "not_awaited")
    a_table("company", "V01", "").refuses(0, PlayEvent("V01.1"), "OG-73", "wrong_phase")


@pytest.mark.rule("OG-74")
def test_an_event_drawn_in_this_phase_may_be_played_on_a_later_go() -> None:
    """TS-39."""
    table = a_table("event", "V18", "", deck="X01 V12 X02", finished=(1,)).when(0, PlayEvent("V18.1"))
    table.when(0, PlayEvent("V12.1"))
    assert table.board.companies[0].tokens["gasoline"] == 1


@pytest.mark.rule("OG-75", "OG-76", "OG-90")
def test_a_played_event_lies_in_the_row_until_the_phase_closes() -> None:
    """TS-40, register 3.5 item 12: `event_row_cleared`, then `phase_closed`."""
    table = a_table("event", "V03 V01", "", finished=(1,)).when(0, PlayEvent("V03.1")).when(0, PlayEvent("V01.1"))
    assert (table.board.event_row, table.board.discard) == (cards("V03 V01"), ())
    assert table.board.companies[0].tokens["oil"] == 1
    table.when(0, FinishPhase()).then(
        SeatFinished(0, "event", "command", None),
        EventRowCleared(cards("V01 V03")),
        PhaseClosed("event"),
        PhaseOpened("explore"),
    )
    assert (table.board.event_row, set(table.board.discard)) == ((), set(cards("V01 V03")))


@pytest.mark.rule("OG-76")
def test_an_event_just_played_is_not_drawn_back() -> None:
    """TS-63."""
    table = a_table("event", "V18", "", deck="", finished=(1,)).when(0, PlayEvent("V18.1"))
    assert table.board.companies[0].hand == ()
    table.waits_for(EventTurn, 0)


@pytest.mark.rule("OG-76")
def test_a_phase_without_events_clears_nothing() -> None:
    a_table("event", "", "", finished=(1,)).when(0, FinishPhase()).then_none(EventRowCleared)


@pytest.mark.rule("OG-77")
def test_the_effect_is_complete_before_the_next_go() -> None:
    table = a_table("event", "V11", "", "", deck="X01 X02 X03 X04 X05 X06").when(0, PlayEvent("V11.1"))
    table.counts(CardsDrawn, 4).waits_for(EventTurn, 1)


@pytest.mark.rule("OG-78", "OG-79")
def test_one_economy_card_a_turn_and_a_second_one_is_refused() -> None:
    """TS-36: the seat keeps its go and the card."""
    table = a_table("event", "V09", "V04 V01").when(0, PlayEvent("V09.1"))
    table.refuses(1, PlayEvent("V04.1"), "OG-79", "economy_already_played").waits_for(EventTurn, 1)
    table.when(1, PlayEvent("V01.1"))
    assert table.board.companies[1].hand == cards("V04")
    table.when(0, FinishPhase()).refuses(1, PlayEvent("V04.1"), "OG-79", "economy_already_played")


@pytest.mark.rule("OG-80", "OG-81")
def test_modifiers_that_are_no_economy_cards_add_up_with_one_that_is() -> None:
    table = a_table("event", "V17 V19 V08", "", finished=(1,))
    for card in ("V17.1", "V08.1", "V19.1"):
        table.when(0, PlayEvent(card))
    assert table.board.modifier == 4


@pytest.mark.rule("OG-82")
def test_others_are_all_other_active_seats_whether_they_passed_or_not() -> None:
    """TS-126: clockwise from the player; who left is not concerned."""
    table = a_table("event", "", "V16", "", "", leader=1, finished=(0,), resigned=(3,)).when(1, PlayEvent("V16.1"))
    table.then_among_others(ProfitChanged(2, -3, "V16"), ProfitChanged(0, -3, "V16"))
    table.counts(ProfitChanged, 2)


@pytest.mark.rule("OG-83")
@pytest.mark.parametrize(
    ("target", "reason"),
    [(None, "target_required"), (0, "invalid_target"), (2, "invalid_target"), (9, "invalid_target")],
)
def test_a_target_is_exactly_one_other_active_seat(target: int | None, reason: str) -> None:
    """TS-43."""
    a_table("event", "V02", "X01", "", resigned=(2,)).refuses(0, PlayEvent("V02.1", target), "OG-83", reason)


@pytest.mark.rule("OG-83")
def test_a_card_without_a_target_takes_none() -> None:
    a_table("event", "V01", "").refuses(0, PlayEvent("V01.1", 1), "OG-83", "target_not_allowed")


@pytest.mark.rule("OG-87")
def test_an_event_may_be_played_without_effect() -> None:
    """TS-42: stealing from an empty hand."""
    table = a_table("event", "V02", "", "").when(0, PlayEvent("V02.1", 2))
    table.then(EventPlayed(0, "V02.1", 2, economy=False))


@pytest.mark.rule("OG-88")
def test_effects_ask_nobody() -> None:
    table = a_table("event", "V10", "X01 X02 X03", "O01").when(0, PlayEvent("V10.1")).waits_for(EventTurn, 1)
    assert [len(company.hand) for company in table.board.companies] == [0, 1, 0]


@pytest.mark.rule("OG-89")
def test_the_phase_closes_when_all_have_passed() -> None:
    table = a_table("event", "", "", "").when(0, FinishPhase()).when(1, FinishPhase()).waits_for(EventTurn, 2)
    table.when(2, FinishPhase()).then_among_others(PhaseClosed("event")).waits_for(ConversionActions, 0, 1, 2)
