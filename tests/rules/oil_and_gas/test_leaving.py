"""Deadlines, standing finishes, resignation, absence: OG-165, OG-177 … OG-182, OG-186."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.oil_and_gas.codes import AnyCard, Goods, Phase, Purse, Wanted
from events.oil_and_gas.commands import (
    AcceptTrade,
    BuyExtraCard,
    ConvertCards,
    DeclineTrade,
    FinishPhase,
    MakeMeld,
    PlayEvent,
    ProposeTrade,
    WithdrawTrade,
)
from events.oil_and_gas.facts import (
    CardsDiscarded,
    EventRowCleared,
    PhaseClosed,
    PhaseOpened,
    ProfitChanged,
    SeatFinished,
    TokensChanged,
    TradeClosed,
    TurnOpened,
)
from events.oil_and_gas.steps import CompanyActions, ConversionActions, EventTurn, MarketActions, ProfitTurn
from events.table import DecisionExpired, Expire, GameAborted, GameFinished, SeatResigned
from events.words import Command, Rng
from projections.fold import fold_entry
from projections.oil_and_gas.state import Offer
from tests.rules.oil_and_gas.tables import DECISION, a_start, a_table, cards
from tests.scenario import SEED, Script

TWELVE = "X01 X02 X03 X04 X05 X06 X07 X08 X09 X10 O01 O02"


@pytest.mark.rule("OG-165")
def test_the_last_active_seat_wins_at_once() -> None:
    table = a_table("market", "X01", "O01", "", resigned=(2,)).resigns(1)
    table.ends("last_active", 0).then_none(PhaseClosed)
    assert table.game.result is not None
    assert table.game.result.standings == ((0,), (1,), (2,))


@pytest.mark.rule("OG-165")
def test_the_last_active_seat_is_not_even_finished_where_it_said_so_before() -> None:
    """Register 3.5 item 11: the end, and nothing more."""
    table = a_table("event", "", "", profit=(0, 10), companies={1: {"through": "profit"}}).resigns(0)
    table.then(SeatResigned(0, "command"), GameFinished((1,), "last_active", ((1,), (0,)), (0, 10), SEED))


@pytest.mark.rule("OG-177")
def test_at_a_deadline_the_excess_is_discarded_at_random_and_nothing_is_bought() -> None:
    """TS-19, register 3.5 item 10."""
    script = Script().pick("auto_discard/1/0", cards("X04 O01"), of=cards(TWELVE))
    table = a_table("company", TWELVE, "", script=script).expires(0)
    table.then(
        DecisionExpired(0, "company"),
        CardsDiscarded(0, cards("X04 O01"), "auto_discard", Rng("auto_discard/1/0", 0, 2)),
        SeatFinished(0, "company", "deadline", None),
    )
    table.waits_for(CompanyActions, 1).expires(1).waits_for(MarketActions, 0, 1)


@pytest.mark.rule("OG-44", "OG-177")
def test_a_later_deadline_discards_nothing() -> None:
    a_table("market", TWELVE, "", "").expires(0).then(
        DecisionExpired(0, "market"), SeatFinished(0, "market", "deadline", None)
    )


@pytest.mark.rule("OG-177")
def test_who_is_not_awaited_any_more_does_not_expire() -> None:
    table = a_table("company", "", "", finished=(0,))
    table.refuses("clock", Expire(0, decision_id=DECISION), "OG-40", "already_finished")
    table.refuses("clock", Expire(1, decision_id=DECISION - 1), "OG-176", "stale_decision")


@pytest.mark.rule("OG-177")
def test_a_passed_deadline_passes_and_melds_nothing() -> None:
    """TS-98."""
    a_table("event", "V01", "").expires(0).then(
        DecisionExpired(0, "event"), SeatFinished(0, "event", "deadline", None)
    ).waits_for(EventTurn, 1)
    table = a_table("profit", "X02 O01 T01 R01 G03", "").expires(0).waits_for(ProfitTurn, 1)
    assert table.board.companies[0].profit == 10


@pytest.mark.rule("OG-179")
def test_a_finish_may_cover_later_phases_of_the_turn() -> None:
    """In serial phases when the pointer arrives, in parallel ones in ascending order at the opening."""
    table = a_table("explore", "", "", "", leader=1).when(2, FinishPhase(through_phase="profit"))
    table.when(0, FinishPhase(through_phase="production")).when(1, FinishPhase())
    table.then_among_others(
        PhaseOpened("drill"), SeatFinished(0, "drill", "standing", None), SeatFinished(2, "drill", "standing", None)
    )
    table.waits_for(ConversionActions, 1).when(1, FinishPhase(through_phase="production"))
    for phase in ("transport", "production"):
        table.then_among_others(
            PhaseOpened(phase), *(SeatFinished(seat, phase, "standing", None) for seat in (0, 1, 2))
        )
    table.waits_for(ProfitTurn, 1).when(1, FinishPhase()).then_among_others(SeatFinished(2, "profit", "standing", None))
    table.waits_for(ProfitTurn, 0)


@pytest.mark.rule("OG-179")
def test_the_last_standing_finish_may_find_the_market_closed() -> None:
    table = a_table("company", "", "").when(0, FinishPhase(discard=(), through_phase="market"))
    table.when(1, FinishPhase(discard=(), through_phase="market"))
    assert [event for event in table.happened if isinstance(event, SeatFinished) and event.phase == "market"] == [
        SeatFinished(0, "market", "standing", None)
    ]


@pytest.mark.rule("OG-179")
def test_it_names_a_later_phase() -> None:
    """TS-83."""
    table = a_table("explore", "", "")
    for phase in ("market", "explore"):
        table.refuses(0, FinishPhase(through_phase=phase), "OG-179", "bad_through_phase")


@pytest.mark.rule("OG-179")
def test_only_the_seat_itself_knows_that_it_gave_one() -> None:
    plain = a_table("explore", "", "").when(0, FinishPhase())
    through = a_table("explore", "", "").when(0, FinishPhase(through_phase="profit"))
    assert plain.sees(1) == through.sees(1)
    assert plain.view(1) == through.view(1)
    assert through.view(0).companies[0].through_phase == "profit"
    assert through.sees(0)[1]["through_phase"] == "profit"


@pytest.mark.rule("OG-179")
def test_it_ends_with_the_turn() -> None:
    table = a_table("profit", "", "", go=1, companies={0: {"through": "profit"}}).when(1, FinishPhase())
    table.waits_for(CompanyActions, 0, 1)


@pytest.mark.rule("OG-180")
def test_no_go_is_skipped_for_what_a_hand_does_not_hold() -> None:
    """TS-115."""
    table = a_table("event", "X01", "V01 V03 V12").waits_for(EventTurn, 0).when(0, FinishPhase())
    table.waits_for(EventTurn, 1)


@pytest.mark.rule("OG-181")
def test_a_resignation_gives_everything_back() -> None:
    """Register 3.5 item 11; a seat that is not awaited may resign too."""
    table = a_table("market", "T07", "X02 O01", "", tokens={1: {"product": 1, "oil": 2}}, finished=())
    table.when(0, ProposeTrade(1, Goods(cards("T07"), Purse()), Wanted((AnyCard(),), Purse())))
    table.when(2, FinishPhase()).resigns(1)
    assert table.happened[:6] == (
        SeatResigned(1, "command"),
        CardsDiscarded(1, cards("O01 X02"), "resign"),
        ProfitChanged(1, -10, "resign"),
        TokensChanged(1, "oil", -2, "resign"),
        TokensChanged(1, "product", -1, "resign"),
        TradeClosed(1, "voided"),
    )
    table.then_among_others(PhaseClosed("market"))


@pytest.mark.rule("OG-181")
def test_who_has_nothing_gives_nothing_back() -> None:
    """No event is written for a change of nothing."""
    a_table("explore", "", "", "", profit=(0, 10, 10)).resigns(0).then(SeatResigned(0, "command"))


@pytest.mark.rule("OG-181")
def test_a_seat_that_has_finished_may_resign_and_the_question_stays() -> None:
    table = a_table("explore", "", "", "", finished=(0,)).resigns(0).waits_for(ConversionActions, 1, 2)
    assert table.game.waiting is not None
    assert table.game.waiting.decision == DECISION


@pytest.mark.rule("OG-181")
def test_a_resignation_moves_the_go_or_closes_the_phase() -> None:
    a_table("event", "", "", "").resigns(0).waits_for(EventTurn, 1)
    a_table("event", "", "", "").resigns(1).waits_for(EventTurn, 0).when(0, FinishPhase()).waits_for(EventTurn, 2)
    a_table("drill", "", "", "", finished=(0, 1)).resigns(2).then_among_others(PhaseClosed("drill"))
    a_table("profit", "", "", "", go=2).resigns(2).then_among_others(TurnOpened(2, 1)).waits_for(CompanyActions, 0, 1)


@pytest.mark.rule("OG-76", "OG-181", "OG-186")
def test_the_last_who_could_still_play_leaves_and_the_row_is_cleared() -> None:
    table = a_table("event", "V03 V01", "", "", finished=(1, 2)).when(0, PlayEvent("V03.1")).resigns(0)
    table.then_among_others(
        CardsDiscarded(0, cards("V01"), "resign"), EventRowCleared(cards("V03")), PhaseClosed("event")
    )
    table.waits_for(ConversionActions, 1, 2)


@pytest.mark.rule("OG-63", "OG-181")
def test_the_market_goes_on_among_two_who_stay() -> None:
    a_table("market", "", "", "").resigns(1).waits_for(MarketActions, 0, 2).resigns(2).ends("last_active", 0)
    a_table("market", "", "", "", finished=(0,)).resigns(0).waits_for(MarketActions, 1, 2)


@pytest.mark.rule("OG-182")
def test_who_sends_nothing_for_three_whole_turns_is_resigned() -> None:
    """After the close of the third turn, before the next one opens."""
    table = a_table("profit", "", "X01", "", go=2, turn=3, companies={1: {"acted_turn": 0}}).when(2, FinishPhase())
    table.then_among_others(PhaseClosed("profit"), SeatResigned(1, "absence"), TurnOpened(4, 0))
    table.waits_for(CompanyActions, 0, 2)
    a_table("profit", "", "", go=1, turn=3, companies={0: {"acted_turn": 1}}).when(1, FinishPhase()).waits_for(
        CompanyActions, 0, 1
    )


@pytest.mark.rule("OG-155", "OG-164", "OG-182")
@pytest.mark.parametrize(
    ("turn", "profit", "victory", "reason"), [(3, 26, "phase_end", "victory"), (60, 24, "first_to_25", "turn_limit")]
)
def test_who_is_absent_may_win_all_the_same(turn: int, profit: int, victory: str, reason: str) -> None:
    """Victory is looked at before absence."""
    absent = {0: {"acted_turn": 0}}
    pt = (profit, 10, 10)
    table = a_table("profit", "", "", "", go=2, turn=turn, profit=pt, companies=absent, options={"victory": victory})
    table.when(2, FinishPhase()).ends(reason, 0).then_none(SeatResigned)


@pytest.mark.rule("OG-182")
def test_any_accepted_command_counts_as_presence_and_a_deadline_does_not() -> None:
    table = a_table("explore", "X05 X06", "", turn=2, companies={0: {"acted_turn": 1}, 1: {"acted_turn": 1}})
    table.when(0, ConvertCards(cards("X05 X06"))).expires(1)
    assert [company.acted_turn for company in table.board.companies] == [2, 1]


@pytest.mark.rule("OG-182")
@pytest.mark.parametrize(
    ("phase", "seat", "command"),
    [
        ("company", 0, BuyExtraCard()),
        ("company", 0, FinishPhase(discard=())),
        ("market", 0, ProposeTrade(2, Goods(cards("X05"), Purse()), Wanted((AnyCard(),), Purse()))),
        ("market", 1, AcceptTrade(1, cards("O01"))),
        ("market", 1, DeclineTrade(1)),
        ("market", 0, WithdrawTrade(1)),
        ("event", 0, PlayEvent("V01.1")),
        ("event", 0, FinishPhase()),
        ("explore", 0, ConvertCards(cards("X05 X06"))),
        ("profit", 0, MakeMeld(cards("X05 O02 T01 R01 G03"))),
    ],
)
def test_every_command_of_a_player_counts_as_presence(phase: Phase, seat: int, command: Command) -> None:
    """And counts for nobody else."""
    before = {other: {"acted_turn": 1} for other in range(3)}
    open_offer = Offer(1, 0, 1, Goods(cards("X06"), Purse()), Wanted((AnyCard(),), Purse()))
    offers = (open_offer,) if phase == "market" else ()
    hands = ("X05 X06 O02 T01 R01 G03 V01", "O01", "")
    table = a_table(phase, *hands, turn=2, companies=before, offers=offers, offers_made=len(offers))
    acted = [company.acted_turn for company in table.when(seat, command).board.companies]
    assert acted == [2 if other == seat else 1 for other in range(3)]


@pytest.mark.rule("OG-182")
def test_the_number_of_turns_is_the_hosts_choice() -> None:
    absent = {0: {"acted_turn": 0}}
    once = a_table("profit", "", "", "", go=2, turn=1, companies=absent, options={"absence_turns": 1})
    once.when(2, FinishPhase()).then_among_others(SeatResigned(0, "absence"))
    never = a_table("profit", "", "", "", go=2, turn=50, companies=absent, options={"absence_turns": 0})
    never.when(2, FinishPhase()).waits_for(CompanyActions, 0, 1, 2)


@pytest.mark.rule("OG-182")
def test_where_everybody_is_absent_the_game_ends_without_a_winner() -> None:
    """TS-141: played from the start, by deadlines alone."""
    table = a_start(3)
    while not table.game.ended:
        table.expires(table.game.awaited[0])
    assert (table.board.turn, table.game.status, table.game.result) == (3, "aborted", None)
    table.then_none(SeatResigned).then_among_others(GameAborted("absence", SEED))


@pytest.mark.rule("OG-185")
def test_those_who_leave_in_one_entry_share_a_place() -> None:
    absent = {0: {"acted_turn": 0}, 1: {"acted_turn": 0}}
    table = a_table("profit", "", "", "", go=2, turn=3, companies=absent).when(2, FinishPhase())
    table.ends("last_active", 2)
    assert table.game.result is not None
    assert table.game.result.standings == ((2,), (0, 1))


@pytest.mark.rule("OG-186")
def test_what_a_seat_did_before_it_left_stands() -> None:
    table = a_table("event", "V08", "V04", "").when(0, PlayEvent("V08.1")).resigns(0)
    assert (table.board.event_row, table.board.modifier, table.board.economy_played) == (cards("V08"), 4, True)
    table.refuses(1, PlayEvent("V04.1"), "OG-79", "economy_already_played")
    assert table.view(None).order == (1, 2)
    table.when(1, FinishPhase()).waits_for(EventTurn, 2)


@pytest.mark.rule("OG-178")
def test_time_is_no_part_of_the_game() -> None:
    """TS-133: only the logged expiry counts."""
    table = a_table("explore", "", "")
    before = table.game
    entry = table.expires(0).entry
    assert entry is not None
    late = replace(entry, at=entry.at + 10**9)
    assert fold_entry(before, late, table.ruleset.projection).board == table.board


@pytest.mark.rule("OG-134")
def test_after_a_meld_the_question_is_a_new_one() -> None:
    table = a_table("profit", "X02 O01 T01 R01 G03", "").when(0, MakeMeld(cards("X02 O01 T01 R01 G03")))
    table.refuses(0, FinishPhase(decision_id=DECISION), "OG-176", "stale_decision")
    table.when(0, FinishPhase(decision_id=DECISION + 1))
