"""The engine that all games share, shown with Wildcat, the game for tests."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.table import AbortGame, Awaiting, Expire, GameAborted, GameFinished, LeaveSeat, Resign, StartGame, TakeSeat
from events.words import Command, Event, Rng
from projections.chance import seed_commit
from projections.fold import BrokenLog, fold
from projections.game import AnyGame
from rules.decide import decide
from rules.refusal import RuleViolation
from rules.ruleset import options_for
from tests.audit.logs import Player
from tests.toy import words
from tests.toy.book import WILDCAT


def table(seats: int = 3, **options: Any) -> Player:
    """A game just started: everybody is asked for a bid."""
    return Player(WILDCAT, 3, seats, options=options).open_table()


def state(player: Player) -> AnyGame:
    assert player.game is not None
    return player.game


def refusal(player: Player, command: Command, actor: str) -> tuple[str, str]:
    """The rule and the reason with which a command is refused; nothing has happened then."""
    before = player.game
    with pytest.raises(RuleViolation) as caught:
        player.send(command, actor)
    assert player.game is before
    return caught.value.rule, caught.value.reason


def last(player: Player) -> tuple[Event, ...]:
    """The events of the last entry."""
    return player.entries[-1].events


def bid(player: Player, seat: int) -> None:
    """The seat bids its first card."""
    player.send(words.BidCard(state(player).board.hands[seat][0]), f"seat:{seat}")


def test_entry_1_commits_to_the_seed() -> None:
    player = table()
    assert state(player).seed_commit == seed_commit(player.game_id, player.server_seed)


@pytest.mark.rule("GU-02")
def test_a_seat_is_taken_once_and_exists() -> None:
    player = Player(WILDCAT, 1, 2)
    player.create()
    player.send(TakeSeat(0), "seat:0")
    assert refusal(player, TakeSeat(0), "host") == ("GU-02", "seat_taken")
    assert refusal(player, TakeSeat(2), "host") == ("GU-02", "no_such_seat")


@pytest.mark.rule("GU-03")
def test_a_seat_is_left_before_the_start_only() -> None:
    player = Player(WILDCAT, 1, 2)
    player.create()
    assert refusal(player, LeaveSeat(0), "host") == ("GU-03", "seat_free")
    player.send(TakeSeat(0), "seat:0")
    player.send(LeaveSeat(0), "seat:0")
    assert not state(player).seats[0].taken
    assert refusal(table(), LeaveSeat(0), "seat:0") == ("GU-04", "already_started")


@pytest.mark.rule("GU-04")
def test_a_game_starts_once_with_every_seat_taken() -> None:
    player = Player(WILDCAT, 1, 2)
    player.create()
    assert refusal(player, StartGame(), "host") == ("GU-04", "seats_not_filled")
    assert refusal(player, words.BidCard("c01"), "seat:0") == ("GU-04", "not_running")
    assert refusal(table(), StartGame(), "host") == ("GU-04", "already_started")


def test_the_last_event_of_an_entry_is_the_whole_stack() -> None:
    awaiting = last(table())[-1]
    assert isinstance(awaiting, Awaiting)
    assert [type(step) for step in awaiting.steps] == [words.Bids, words.RevealBids, words.OpenRound]


def test_a_question_is_numbered_by_the_entry_that_opened_it() -> None:
    player = table()
    opened = len(player.entries)
    assert state(player).waiting == words.Bids(awaits=(0, 1, 2), decision=opened)


def test_a_question_keeps_its_number_while_others_answer() -> None:
    player = table()
    opened = len(player.entries)
    bid(player, 1)
    assert state(player).waiting == words.Bids(awaits=(0, 2), decision=opened)


def test_the_next_question_has_the_next_number() -> None:
    player = table()
    for seat in (0, 1, 2):
        bid(player, seat)
    waiting = state(player).waiting
    assert isinstance(waiting, words.Drilling)
    assert waiting.decision == len(player.entries)


def test_refusals_come_in_order() -> None:
    """Not a player, stale decision, wrong phase, not awaited, the game's own."""
    player = table()
    question = len(player.entries)
    assert refusal(player, words.BidCard("c99", decision_id=1), "seat:7") == ("WC-14", "not_a_player")
    assert refusal(player, words.DrillWell(1, decision_id=1), "seat:0") == ("WC-11", "stale_decision")
    assert refusal(player, words.DrillWell(1, decision_id=question), "seat:0") == ("WC-10", "wrong_phase")
    bid(player, 0)
    assert refusal(player, words.BidCard("c99"), "seat:0") == ("WC-12", "not_awaited")
    assert refusal(player, words.BidCard("c99"), "seat:1") == ("WC-02", "not_in_hand")


def test_game_over_comes_before_everything_but_malformed() -> None:
    player = table().play()
    assert refusal(player, words.BidCard("c99", decision_id=1), "seat:7") == ("WC-13", "game_over")
    assert refusal(player, AbortGame("why"), "host") == ("WC-13", "game_over")


def test_a_deadline_answers_with_the_default() -> None:
    player = table()
    player.send(Expire(1), "clock")
    assert [type(event).__name__ for event in last(player)] == ["DecisionExpired", "BidSealed", "Awaiting"]
    assert refusal(player, Expire(1), "clock") == ("WC-12", "not_awaited")
    assert refusal(player, Expire(0, decision_id=1), "clock") == ("WC-11", "stale_decision")


def test_a_seat_that_resigned_is_awaited_no_more() -> None:
    player = table()
    player.send(Resign(), "seat:1")
    assert state(player).awaited == (0, 2)
    assert refusal(player, words.BidCard("c01"), "seat:1") == ("WC-14", "not_a_player")


def test_a_step_that_awaits_nobody_any_more_is_dropped() -> None:
    player = table()
    bid(player, 0)
    bid(player, 2)
    player.send(Resign(), "seat:1")
    assert isinstance(state(player).waiting, words.Drilling)


def test_the_end_publishes_the_seed_and_leaves_no_step() -> None:
    player = table().play()
    finished = last(player)[-1]
    assert isinstance(finished, GameFinished)
    assert finished.server_seed == player.server_seed.hex()
    assert state(player).steps == ()
    assert state(player).result is not None


@pytest.mark.rule("GU-05")
def test_an_aborted_game_publishes_the_seed_too() -> None:
    player = table()
    player.send(AbortGame("host_left"), "host")
    aborted = last(player)[-1]
    assert isinstance(aborted, GameAborted)
    assert aborted.server_seed == player.server_seed.hex()
    assert state(player).result is None


def test_words_of_chance_are_used_once_and_none_is_skipped() -> None:
    player = Player(WILDCAT, 8, 3, options={"rounds": 9}).open_table().play()
    stands: dict[str, int] = {}
    drawn = [
        event.rng for entry in player.entries for event in entry.events if isinstance(getattr(event, "rng", 0), Rng)
    ]
    for rng in drawn:
        assert rng.from_ == stands.get(rng.label, 0)
        stands[rng.label] = rng.to
    assert state(player).drawn == stands
    assert stands["dice"] > 3


def test_the_fold_of_the_log_is_the_live_game() -> None:
    player = Player(WILDCAT, 8, 4, options={"rounds": 9}).open_table().play()
    assert fold(player.entries, WILDCAT.projection) == state(player)
    half = len(player.entries) // 2
    snapshot = fold(player.entries[:half], WILDCAT.projection)
    assert fold(player.entries[half:], WILDCAT.projection, snapshot) == state(player)


def test_a_log_with_a_gap_is_not_folded() -> None:
    player = table()
    for broken in (player.entries[1:], [player.entries[0], *player.entries[2:]], []):
        with pytest.raises(BrokenLog):
            fold(broken, WILDCAT.projection)


def test_deciding_changes_nothing() -> None:
    player = table()
    command = words.BidCard(state(player).board.hands[0][0])
    one = decide(state(player), command, "seat:0", player.book, player.secret)
    two = decide(state(player), command, "seat:0", player.book, player.secret)
    assert one == two
    assert one.game.version == state(player).version


def test_every_option_is_accepted_and_only_the_awaited_have_some() -> None:
    player = table()
    bid(player, 0)
    assert options_for(state(player), player.book, 0) == []
    for seat in (1, 2):
        (option,) = options_for(state(player), player.book, seat)
        for card in state(player).board.hands[seat]:
            assert option.admits({"type": "bid_card", "card": card})
        assert not option.admits({"type": "bid_card", "card": "c99"})


def test_a_variant_is_a_difference() -> None:
    """One function in its slot is replaced: everybody drills with one die more."""
    player = table()

    def drill_deeper(table: Any, step: words.Drilling, command: words.DrillWell) -> None:
        player.book.answers[words.Drilling, words.DrillWell](table, step, replace(command, dice=command.dice + 1))

    variant = replace(player.book, answers={**player.book.answers, (words.Drilling, words.DrillWell): drill_deeper})
    for seat in (0, 1, 2):
        bid(player, seat)
    seat = state(player).awaited[0]
    decision = decide(state(player), words.DrillWell(1), f"seat:{seat}", variant, player.secret)
    drilled = decision.events[0]
    assert isinstance(drilled, words.WellDrilled)
    assert len(drilled.rolls) == 2
