"""Set-up and turn frame: OG-01 … OG-22."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec import UNSET

from events.oil_and_gas.codes import AnyCard, Goods, Purse, Tokens, Wanted
from events.oil_and_gas.commands import BuyExtraCard, ConvertCards, FinishPhase, MakeMeld, PlayEvent, ProposeTrade
from events.oil_and_gas.facts import DeckShuffled, GameStarted, PhaseClosed, PhaseOpened, SeatFinished, TurnOpened
from events.oil_and_gas.steps import CompanyActions, ConversionActions, EventTurn, ProfitTurn
from events.table import CreateGame
from events.words import Command
from rules.oil_and_gas.edition import base_of
from rules.oil_and_gas.order import PHASES
from rules.refusal import RuleViolation
from tests.rules.oil_and_gas.tables import RULESET, a_start, a_table, cards


@pytest.mark.rule("OG-01")
@pytest.mark.parametrize("seats", [0, 1, 7])
def test_two_to_six_play(seats: int) -> None:
    with pytest.raises(RuleViolation) as refusal:
        RULESET.check_creation(CreateGame("oil-and-gas", "standard", {}, seats))
    assert (refusal.value.rule, refusal.value.reason) == ("OG-01", "seats_out_of_range")


@pytest.mark.rule("OG-01", "OG-02")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_each_number_of_players_starts_in_the_order_of_seats(seats: int) -> None:
    table = a_start(seats).waits_for(CompanyActions, *range(seats))
    assert len(table.board.companies) == seats


@pytest.mark.rule("OG-02")
def test_clockwise_wraps_from_the_highest_seat_to_0() -> None:
    """TS-135."""
    table = a_table("event", "", "", "", leader=2)
    for seat, following in ((2, 0), (0, 1)):
        table.waits_for(EventTurn, seat).when(seat, FinishPhase()).waits_for(EventTurn, following)


@pytest.mark.rule("OG-03", "OG-04")
@pytest.mark.parametrize(("seats", "copies"), [(2, 1), (3, 1), (4, 1), (5, 1), (6, 2)])
def test_one_copy_of_each_card_for_up_to_five_two_for_six(seats: int, copies: int) -> None:
    """TS-02."""
    board = a_start(seats).board
    every = [*board.deck, *(card for company in board.companies for card in company.hand)]
    assert len(set(every)) == len(every) == 80 * copies
    assert set(Counter(map(base_of, every)).values()) == {copies}
    assert len(board.deck) == 80 * copies - 3 * seats


@pytest.mark.rule("OG-05", "OG-06", "OG-07", "OG-08", "OG-09")
def test_a_game_begins() -> None:
    """TS-01, register 3.5 item 1: one shuffled deck, 10 PT each, no tokens, empty hands before the deal of turn 1."""
    table = a_start(3)
    assert table.happened[0] == GameStarted(3, copies=1, profit=10)
    assert isinstance(table.happened[1], DeckShuffled)
    assert (table.happened[1].index, table.happened[1].size) == (0, 80)
    assert table.happened[2:4] == (TurnOpened(1, 0), PhaseOpened("company"))
    board = table.board
    assert [company.profit for company in board.companies] == [10, 10, 10]
    assert not any(sum(company.tokens.values()) for company in board.companies)
    assert [len(company.hand) for company in board.companies] == [3, 3, 3]
    assert (len(board.deck), board.discard, board.event_row) == (71, (), ())


@pytest.mark.rule("OG-05")
def test_the_deck_is_shuffled_by_the_games_own_chance() -> None:
    deck = a_start(2).board.deck
    assert deck == a_start(2).board.deck, "the same chance, the same deck"
    assert deck != tuple(sorted(deck))


@pytest.mark.rule("OG-10")
def test_tokens_are_plain_numbers_without_a_limit() -> None:
    table = a_table("transport", "T02 T03", "", tokens={0: {"transport": 10**6}})
    table.when(0, ConvertCards(cards("T02 T03")))
    assert table.board.companies[0].tokens["transport"] == 10**6 + 1


@pytest.mark.rule("OG-11")
def test_the_first_question_is_company_actions_for_everybody() -> None:
    """TS-01."""
    a_start(4).waits_for(CompanyActions, 0, 1, 2, 3)


@pytest.mark.rule("OG-12", "OG-13", "OG-14", "OG-15")
def test_a_turn_has_ten_phases_common_to_all() -> None:
    table, opened = a_start(2), ["company"]
    while table.board.turn == 1:
        seat = table.game.awaited[0]
        table.when(seat, FinishPhase(discard=() if table.board.phase == "company" else UNSET))
        opened += [event.phase for event in table.happened if isinstance(event, PhaseOpened)]
        closed = [event.phase for event in table.happened if isinstance(event, PhaseClosed)]
        assert closed == [] or closed == opened[-1 - len(closed) : -1]
    assert tuple(opened) == (*PHASES, "company")
    table.waits_for(CompanyActions, 0, 1)


@pytest.mark.rule("OG-16")
def test_a_new_turn_resets_what_belongs_to_the_old_one() -> None:
    table = a_table(
        "profit",
        "",
        "",
        go=1,
        modifier=-3,
        economy_played=True,
        events_played=4,
        companies={0: {"extra_cards": 2, "through": "profit"}},
    ).when(1, FinishPhase())
    board = table.board
    assert (board.modifier, board.economy_played, board.events_played) == (0, False, 0)
    assert (board.leader, board.order) == (None, ())
    assert [(company.extra_cards, company.through, company.finished) for company in board.companies] == [
        (0, None, False)
    ] * 2


@pytest.mark.rule("OG-17")
def test_hands_tokens_and_pt_carry_over() -> None:
    table = a_table("profit", "X01 X02", "", go=1, profit=(12, 3), tokens={0: {"oil": 4}}).when(1, FinishPhase())
    company = table.board.companies[0]
    assert (company.profit, company.tokens["oil"], len(company.hand)) == (12, 4, 5)


@pytest.mark.rule("OG-18")
def test_a_token_won_by_an_event_is_melded_in_the_same_turn() -> None:
    table = a_table("event", "V01 X02 T01 R01 G03", "").when(0, PlayEvent("V01.1"))
    for seat in (1, 0):
        table.when(seat, FinishPhase())
    for _ in range(6):
        table.when(0, FinishPhase()).when(1, FinishPhase())
    table.waits_for(ProfitTurn, 0).when(0, MakeMeld(cards("X02 T01 R01 G03"), Tokens(oil=1)))


@pytest.mark.rule("OG-19")
@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase != "company"])
def test_nobody_has_to_do_anything(phase: str) -> None:
    table = a_table(phase, "V01 X02 X03 X04", "V02", "")  # type: ignore[arg-type]
    table.when(0, FinishPhase()).then_among_others(SeatFinished(0, phase, "command", None))  # type: ignore[arg-type]


@pytest.mark.rule("OG-20")
def test_a_double_is_one_card_wherever_cards_are_counted_as_objects() -> None:
    """The hand limit counts cards: ten doubles are ten."""
    doubles = "X05 X06 O04 O06 T02 T03 T04 T05 R03 R04"
    a_table("company", doubles, "").when(0, FinishPhase(discard=())).waits_for(CompanyActions, 1)


@pytest.mark.rule("OG-21")
@pytest.mark.parametrize(
    ("phase", "command", "rule"),
    [
        ("market", BuyExtraCard(), "OG-40"),
        ("event", ConvertCards(("X02.1",)), "OG-21"),
        ("company", ProposeTrade(1, Goods(("X02.1",), Purse()), Wanted((AnyCard(),), Purse())), "OG-47"),
        ("explore", MakeMeld(()), "OG-21"),
        ("profit", PlayEvent("V01.1"), "OG-73"),
    ],
)
def test_a_command_of_another_phase_is_refused(phase: str, command: Command, rule: str) -> None:
    """By the rule that keeps it inside its phase, or else by the order of the phases."""
    a_table(phase, "X02 V01", "").refuses(0, command, rule, "wrong_phase")  # type: ignore[arg-type]


@pytest.mark.rule("OG-22")
def test_a_resigned_seat_is_not_a_player_any_more() -> None:
    table = a_table("explore", "", "", "", resigned=(1,))
    table.refuses(1, FinishPhase(), "OG-22", "not_a_player").waits_for(ConversionActions, 0, 2)
    table.refuses(3, FinishPhase(), "OG-22", "not_a_player")


@pytest.mark.rule("OG-22")
def test_a_resigned_seat_gets_no_go_in_later_phases() -> None:
    table = a_table("event", "", "", "", finished=(0, 1), go=2).resigns(1).when(2, FinishPhase())
    for _ in range(6):
        table.when(0, FinishPhase()).when(2, FinishPhase())
    table.waits_for(ProfitTurn, 0).when(0, FinishPhase()).waits_for(ProfitTurn, 2)
    table.when(2, FinishPhase()).waits_for(CompanyActions, 0, 2)


@pytest.mark.rule("OG-03")
def test_words_that_no_card_of_the_game_has_are_malformed() -> None:
    table = a_table("explore", "X02 X03", "")
    for card in ("X02", "X11.1", "X02.2", "Q01.1"):
        table.refuses(0, ConvertCards((card,)), "OG-03", "malformed")
