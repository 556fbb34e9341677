"""What the engine promises for every game, seen in this one: OG-167 … OG-176, OG-183."""

from __future__ import annotations

import pytest

from events.oil_and_gas.commands import BuyExtraCard, ConvertCards, FinishPhase
from events.oil_and_gas.facts import PhaseClosed, PhaseOpened, TurnLeaderSet
from events.table import CreateGame, GameFinished
from projections.chance import seed_commit
from rules.lobby import create_game
from tests.playouts import GAME
from tests.rules.oil_and_gas.tables import DECISION, a_table, cards
from tests.scenario import SEED


@pytest.mark.rule("OG-14", "OG-21", "OG-176")
def test_an_answer_to_an_earlier_question_is_stale() -> None:
    """TS-06."""
    table = a_table("explore", "O06 O04", "").when(0, FinishPhase()).when(1, FinishPhase())
    table.refuses(0, ConvertCards(cards("O06 O04"), decision_id=DECISION), "OG-176", "stale_decision")
    table.when(0, ConvertCards(cards("O04 O06"), decision_id=DECISION + 2))


@pytest.mark.rule("OG-176")
def test_the_question_stays_the_same_throughout_a_parallel_phase() -> None:
    table = a_table("company", "", "", "").when(0, BuyExtraCard(decision_id=DECISION))
    table.when(2, FinishPhase(discard=(), decision_id=DECISION)).when(1, BuyExtraCard(decision_id=DECISION))
    assert table.game.waiting is not None
    assert table.game.waiting.decision == DECISION


@pytest.mark.rule("OG-167", "OG-170", "OG-172")
def test_a_command_and_all_it_causes_is_one_entry_that_folds_to_the_same_state() -> None:
    """TS-132: finish, close, open and roll-off are one entry; `Scenario.when` folds it again and compares."""
    table = a_table("market", "", "").when(0, FinishPhase())
    table.then_among_others(PhaseClosed("market"), PhaseOpened("event"), TurnLeaderSet(table.board.leader))


@pytest.mark.rule("OG-168")
def test_the_logged_order_is_the_order_of_play() -> None:
    """TS-20."""
    table = a_table("company", "", "", deck="X01 X02").when(1, BuyExtraCard()).when(0, BuyExtraCard())
    assert [company.hand for company in table.board.companies] == [cards("X02"), cards("X01")]


@pytest.mark.rule("OG-174")
def test_a_refused_command_changes_nothing_and_uses_no_chance() -> None:
    table = a_table("explore", "X02 X03", "").refuses(
        0, ConvertCards(cards("X02 X03")), "OG-113", "insufficient_weight"
    )
    assert table.game.drawn == {}


@pytest.mark.rule("OG-183")
def test_the_first_entry_commits_to_the_seed_that_the_last_one_opens() -> None:
    """TS-133."""
    first = create_game(
        CreateGame("oil-and-gas", "standard", {}, 2),
        rules_version=1,
        edition_digest="0" * 64,
        seed_commit=seed_commit(GAME, bytes.fromhex(SEED)),
    )
    table = a_table("explore", "", "").resigns(1)
    last = table.happened[-1]
    assert isinstance(last, GameFinished)
    assert first.seed_commit == seed_commit(GAME, bytes.fromhex(last.server_seed))
