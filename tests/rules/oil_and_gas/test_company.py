"""Company Phase: OG-33 … OG-46."""

from __future__ import annotations

import pytest

from events.oil_and_gas.commands import BuyExtraCard, FinishPhase, PlayEvent
from events.oil_and_gas.facts import (
    CardsDiscarded,
    CardsDrawn,
    PhaseClosed,
    PhaseOpened,
    ProfitChanged,
    SeatFinished,
    TurnOpened,
)
from events.oil_and_gas.steps import CompanyActions, MarketActions
from tests.rules.oil_and_gas.tables import a_start, a_table, cards

TWELVE = "X01 X02 X03 X04 X05 X06 X07 X08 X09 X10 O01 O02"
THIRTEEN = f"{TWELVE} O03"


@pytest.mark.rule("OG-33")
def test_every_seat_receives_three_cards_when_the_phase_opens() -> None:
    """TS-01."""
    table = a_start(3)
    assert [len(company.hand) for company in table.board.companies] == [3, 3, 3]


@pytest.mark.rule("OG-34")
def test_the_deal_runs_in_rounds_and_starts_one_seat_further_each_turn() -> None:
    """OG-34, register 3.5 item 2: one `cards_drawn` a card, in deal order."""
    table = a_table("profit", "", "", "", turn=1, go=2, deck="X01 X02 X03 X04 X05 X06 X07 X08 X09")
    table.when(2, FinishPhase())
    dealt = [(event.seat, event.cards) for event in table.happened if isinstance(event, CardsDrawn)]
    assert [seat for seat, _ in dealt] == [1, 2, 0] * 3
    assert [hand for _, hand in dealt] == [(f"X0{n}.1",) for n in range(1, 10)]
    assert table.happened[2:4] == (TurnOpened(2, 1), PhaseOpened("company"))


@pytest.mark.rule("OG-34")
def test_the_deal_starts_with_the_next_active_seat_where_its_own_has_left() -> None:
    table = a_table("profit", "", "", "", "", turn=1, go=3, resigned=(1,))
    table.when(3, FinishPhase()).then_among_others(TurnOpened(2, 2))
    assert [event.seat for event in table.happened if isinstance(event, CardsDrawn)] == [2, 3, 0] * 3


@pytest.mark.rule("OG-35")
def test_the_three_cards_come_whatever_the_hand_size() -> None:
    table = a_table("profit", THIRTEEN, "", go=1).when(1, FinishPhase())
    assert len(table.board.companies[0].hand) == 16


@pytest.mark.rule("OG-36", "OG-37")
def test_a_card_costs_1_pt_and_two_may_be_bought() -> None:
    """TS-08."""
    table = a_table("company", "X02", "", deck="O01 O03 O05")
    table.when(0, BuyExtraCard()).then(ProfitChanged(0, -1, "extra"), CardsDrawn(0, 1, "extra", cards("O01")))
    table.when(0, BuyExtraCard()).refuses(0, BuyExtraCard(), "OG-37", "extra_limit_reached")
    assert table.board.companies[0].profit == 8
    assert table.board.companies[0].hand == cards("X02 O01 O03")


@pytest.mark.rule("OG-38")
def test_the_last_pt_buys_a_card_and_no_credit_is_given() -> None:
    a_table("company", "", "", profit=(1, 10)).when(0, BuyExtraCard()).refuses(
        0, BuyExtraCard(), "OG-38", "insufficient_profit"
    )


@pytest.mark.rule("OG-39")
def test_nothing_is_bought_where_no_card_is_left() -> None:
    """TS-17."""
    table = a_table("company", "", "", profit=(5, 10), deck="")
    table.refuses(0, BuyExtraCard(), "OG-39", "no_cards_left")
    assert table.board.companies[0].profit == 5


@pytest.mark.rule("OG-40")
def test_nothing_is_bought_after_finishing_nor_in_another_phase() -> None:
    """TS-18."""
    a_table("company", "", "", finished=(0,)).refuses(0, BuyExtraCard(), "OG-40", "already_finished")
    a_table("market", "", "").refuses(0, BuyExtraCard(), "OG-40", "wrong_phase")


@pytest.mark.rule("OG-41")
def test_a_full_hand_may_buy() -> None:
    """TS-13."""
    table = a_table("company", TWELVE, "", profit=(4, 10)).when(0, BuyExtraCard())
    assert (len(table.board.companies[0].hand), table.board.companies[0].profit) == (13, 3)


@pytest.mark.rule("OG-42", "OG-43")
def test_who_finishes_with_more_than_ten_names_exactly_the_excess() -> None:
    """TS-10: the excess is discarded by choice, then the seat is finished."""
    table = a_table("company", THIRTEEN, "")
    table.refuses(0, FinishPhase(discard=cards("X01 X02")), "OG-43", "bad_discard_count")
    table.when(0, FinishPhase(discard=cards("O03 X01 O01"))).then(
        CardsDiscarded(0, cards("O03 X01 O01"), "excess"), SeatFinished(0, "company", "command", None)
    )
    assert len(table.board.companies[0].hand) == 10
    assert table.board.discard == cards("O03 X01 O01")
    table.waits_for(CompanyActions, 1)


@pytest.mark.rule("OG-43")
def test_the_excess_is_named_once_and_from_the_own_hand() -> None:
    table = a_table("company", THIRTEEN, "R01")
    table.refuses(0, FinishPhase(discard=cards("X01 X01 X02")), "OG-43", "duplicate_card")
    table.refuses(0, FinishPhase(discard=cards("X01 X02 R01")), "OG-43", "card_not_in_hand")
    table.refuses(0, FinishPhase(discard=cards("X01 X02 R02")), "OG-43", "card_not_in_hand")


@pytest.mark.rule("OG-44")
def test_who_has_ten_or_fewer_discards_none() -> None:
    table = a_table("company", "X01", "")
    table.refuses(0, FinishPhase(discard=cards("X01")), "OG-44", "bad_discard_count")
    table.when(0, FinishPhase(discard=())).then(SeatFinished(0, "company", "command", None))


@pytest.mark.rule("OG-44")
@pytest.mark.parametrize("phase", ["market", "explore", "profit"])
def test_no_other_phase_asks_for_a_discard(phase: str) -> None:
    """Ruling: `discard` is required in the Company Phase and absent elsewhere; what else is sent is malformed."""
    table = a_table(phase, THIRTEEN, "", "")  # type: ignore[arg-type]
    table.refuses(0, FinishPhase(discard=cards("X01 X02 X03")), "OG-44", "malformed")
    table.when(0, FinishPhase())
    assert len(table.board.companies[0].hand) == 13


@pytest.mark.rule("OG-44")
def test_the_company_phase_wants_discard_spelled_out() -> None:
    a_table("company", "", "").refuses(0, FinishPhase(), "OG-44", "malformed")
    a_table("company", THIRTEEN, "").refuses(0, FinishPhase(), "OG-43", "malformed", "/discard")


@pytest.mark.rule("OG-45")
def test_cards_drawn_through_events_or_melds_do_not_count_as_extra() -> None:
    """TS-120."""
    table = a_table("event", "V18", "", companies={0: {"extra_cards": 2}}).when(0, PlayEvent(cards("V18")[0]))
    assert len(table.board.companies[0].hand) == 3
    assert table.board.companies[0].extra_cards == 2


@pytest.mark.rule("OG-46")
def test_the_phase_closes_when_everybody_has_finished() -> None:
    table = a_table("company", "", "", "", finished=(0,))
    table.when(2, FinishPhase(discard=())).waits_for(CompanyActions, 1)
    table.when(1, FinishPhase(discard=())).then(
        SeatFinished(1, "company", "command", None), PhaseClosed("company"), PhaseOpened("market")
    )
    table.waits_for(MarketActions, 0, 1, 2)


@pytest.mark.rule("OG-12", "OG-14")
def test_later_phases_are_not_open_yet() -> None:
    a_table("company", "V01", "").refuses(0, PlayEvent(cards("V01")[0]), "OG-73", "wrong_phase")
