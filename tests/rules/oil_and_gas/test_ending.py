"""Victory and the end: OG-154 … OG-166, OG-185, OG-188."""

from __future__ import annotations

import pytest

from events.oil_and_gas.codes import AnyCard, Goods, Purse, Wanted
from events.oil_and_gas.commands import AcceptTrade, BuyExtraCard, FinishPhase, MakeMeld, PlayEvent, ProposeTrade
from events.oil_and_gas.facts import CardsDrawn, PhaseClosed, PhaseOpened
from events.oil_and_gas.steps import CompanyActions, MarketActions, ProfitTurn
from events.table import GameFinished, Resign
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import SEED

FIVE = "X02 O01 T01 R01 G03"
LATE = {"victory": "phase_end"}


@pytest.mark.rule("OG-154", "OG-188")
def test_25_pt_win_at_once_by_a_meld() -> None:
    """TS-144: A still draws its two cards, B has no go."""
    table = a_table("profit", FIVE, "", profit=(20, 24), deck="X03 X04").when(0, MakeMeld(cards(FIVE)))
    table.ends("first_to_25", 0).then_among_others(
        CardsDrawn(0, 2, "meld", cards("X03 X04")),
        GameFinished((0,), "first_to_25", ((0,), (1,)), (25, 24), SEED),
    )
    table.then_none(PhaseClosed, PhaseOpened)


@pytest.mark.rule("OG-188")
def test_25_pt_win_at_once_by_a_trade() -> None:
    """TS-145."""
    table = a_table("market", "T07", "", profit=(24, 5))
    table.when(0, ProposeTrade(1, Goods(cards("T07"), Purse()), Wanted((), Purse(profit=1))))
    table.when(1, AcceptTrade(1, ())).ends("first_to_25", 0).then_none(PhaseOpened)
    table = a_table("market", "T07", "O03", "", profit=(5, 24, 24))
    table.when(0, ProposeTrade(1, Goods((), Purse(profit=1)), Wanted((AnyCard(),), Purse())))
    table.when(1, AcceptTrade(1, cards("O03"))).ends("first_to_25", 1)


@pytest.mark.rule("OG-162", "OG-188")
def test_pt_may_be_spent_just_below_the_goal() -> None:
    """TS-146."""
    table = a_table("company", "", "", profit=(24, 10)).when(0, BuyExtraCard())
    assert table.board.companies[0].profit == 23
    table = a_table("profit", FIVE, "", profit=(23, 10), modifier=-4).when(0, MakeMeld(cards(FIVE)))
    table.waits_for(ProfitTurn, 0)


@pytest.mark.rule("OG-155", "OG-160")
def test_with_phase_end_the_others_still_have_their_go() -> None:
    table = a_table("profit", FIVE, "X03 O03 T06 R02 G07", profit=(22, 23), options=LATE).when(0, MakeMeld(cards(FIVE)))
    table.waits_for(ProfitTurn, 0).when(0, FinishPhase()).waits_for(ProfitTurn, 1)
    table.when(1, MakeMeld(cards("X03 O03 T06 R02 G07"))).when(1, FinishPhase()).ends("victory", 1)
    assert table.game.result is not None
    assert table.game.result.standings == ((1,), (0,))


@pytest.mark.rule("OG-156", "OG-157")
def test_most_pt_win_then_most_industry_tokens() -> None:
    """TS-101."""
    table = a_table(
        "profit",
        "",
        "X01 X02 X03",
        "X04",
        go=2,
        profit=(26, 26, 24),
        tokens={0: {"oil": 2, "product": 1}, 1: {"gasoline": 2}},
        options=LATE,
    ).when(2, FinishPhase())
    table.ends("victory", 0)
    assert table.game.result is not None
    assert table.game.result.standings == ((0,), (1,), (2,))


@pytest.mark.rule("OG-158")
def test_then_most_cards() -> None:
    a_table("profit", "X01", "X02 X03", go=1, profit=25, options=LATE).when(1, FinishPhase()).ends("victory", 1)


@pytest.mark.rule("OG-159")
def test_who_is_equal_in_everything_shares_the_victory() -> None:
    table = a_table("profit", "X01", "X02", "", go=2, profit=25, options=LATE).when(2, FinishPhase())
    table.ends("victory", 0, 1)
    assert table.game.result is not None
    assert table.game.result.standings == ((0, 1), (2,))


@pytest.mark.rule("OG-161")
def test_with_phase_end_25_pt_through_a_trade_win_nothing_yet() -> None:
    table = a_table("market", "T07", "", "", profit=(24, 5, 5), options=LATE)
    table.when(0, ProposeTrade(1, Goods(cards("T07"), Purse()), Wanted((), Purse(profit=1))))
    table.when(1, AcceptTrade(1, ())).waits_for(MarketActions, 0, 1, 2)


@pytest.mark.rule("OG-161", "OG-162")
def test_with_phase_end_25_pt_that_are_lost_again_win_nothing() -> None:
    table = a_table("event", "V16", "", profit=(10, 27), options=LATE).when(0, PlayEvent("V16.1"))
    table.when(1, FinishPhase(through_phase="profit")).when(0, FinishPhase(through_phase="profit"))
    table.waits_for(CompanyActions, 0, 1)


@pytest.mark.rule("OG-163")
def test_who_has_nothing_plays_on() -> None:
    """TS-106."""
    table = a_table("profit", "", "", go=1, profit=(0, 10)).when(1, FinishPhase()).waits_for(CompanyActions, 0, 1)
    assert len(table.board.companies[0].hand) == 3


@pytest.mark.rule("OG-164")
def test_after_turn_60_the_best_wins_without_a_threshold() -> None:
    table = a_table("profit", "", "", "X01", go=2, turn=60, profit=(3, 9, 9), tokens={1: {"oil": 1}})
    table.when(2, FinishPhase()).ends("turn_limit", 1).then_none(PhaseOpened)
    a_table("profit", "", "", go=1, turn=59).when(1, FinishPhase()).waits_for(CompanyActions, 0, 1)


@pytest.mark.rule("OG-166")
def test_after_the_end_nothing_is_accepted_and_everything_is_open() -> None:
    """TS-116."""
    table = a_table("profit", FIVE, "X07", profit=(20, 10)).when(0, MakeMeld(cards(FIVE)))
    for seat in (0, 1):
        table.refuses(seat, FinishPhase(), "OG-166", "game_over").refuses(seat, Resign(), "OG-166", "game_over")
    assert table.view(None).companies[1].hand == cards("X07")
    assert table.view(None).deck == table.board.deck
    assert "cards" in next(word for word in table.sees(None) if word["type"] == "cards_drawn")


@pytest.mark.rule("OG-166", "OG-187")
def test_after_the_end_offers_that_were_open_are_known_to_all() -> None:
    table = a_table("market", "T07", "O03", "X01", profit=(24, 10, 10))
    table.when(1, ProposeTrade(2, Goods(cards("O03"), Purse()), Wanted((AnyCard(),), Purse())))
    assert table.view(0).offers[0].give is None
    table.when(0, ProposeTrade(1, Goods(cards("T07"), Purse()), Wanted((), Purse(profit=1))))
    table.when(1, AcceptTrade(2, ())).ends("first_to_25", 0)
    assert [one.give for one in table.view(0).offers] == [Goods(cards("O03"), Purse())]


@pytest.mark.rule("OG-185")
def test_resigned_seats_stand_behind_the_others_the_later_the_higher() -> None:
    """TS-138: B left first, D later."""
    table = a_table("profit", "", "", "", "", profit=(26, 10, 12, 10), leader=0, options=LATE)
    table.resigns(1).resigns(3).when(0, FinishPhase()).when(2, FinishPhase()).ends("victory", 0)
    assert table.game.result is not None
    assert table.game.result.standings == ((0,), (2,), (3,), (1,))
    assert table.game.result.scores == (26, 0, 12, 0)
