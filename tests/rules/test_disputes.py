"""What happens around a game, shown with Wildcat: suspended and resumed, disputed and judged, and audited with it."""

from __future__ import annotations

from typing import Any

import pytest

from audit import audit_lines
from audit.actors import may_send
from events.sealing import write
from events.table import (
    AbortGame,
    Awaiting,
    DisputeFiled,
    Expire,
    FileDispute,
    GameAnnulled,
    GameResumed,
    GameSuspended,
    GiveVerdict,
    Resign,
    ResultCorrected,
    ResumeGame,
    Standing,
    SuspendGame,
    TakeSeat,
    VerdictGiven,
)
from events.words import Command, Event
from projections.fold import fold
from projections.game import AnyGame, Result
from rules.refusal import RuleViolation
from rules.ruleset import options_for
from tests.audit.logs import Player
from tests.members import assert_of
from tests.toy import words
from tests.toy.book import WILDCAT

SWAPPED = Standing((1,), ((1,), (0, 2)), (3, 9, 3))


def table(seats: int = 3) -> Player:
    """A game just started: everybody is asked for a bid."""
    return Player(WILDCAT, 3, seats).open_table()


def over() -> Player:
    """A game that has ended with a result."""
    player = table()
    player.play()
    return player


def state(player: Player) -> AnyGame:
    assert player.game is not None
    return player.game


def last(player: Player) -> tuple[Event, ...]:
    return player.entries[-1].events


def refusal(player: Player, command: Command, actor: str) -> tuple[str, str]:
    before = player.game
    with pytest.raises(RuleViolation) as caught:
        player.send(command, actor)
    assert player.game is before
    assert_of(command, caught.value.field)
    return caught.value.rule, caught.value.reason


def at_fault(player: Player, command: Command, actor: str) -> str | None:
    """The member that the refusal names."""
    with pytest.raises(RuleViolation) as caught:
        player.send(command, actor)
    return caught.value.field


def dispute(**changes: Any) -> FileDispute:
    return FileDispute(**{"reason": "wrong_score", "first": 1, "last": 2, **changes})


@pytest.mark.rule("GU-06")
def test_a_suspended_game_waits_for_nobody_and_goes_on_with_the_same_question() -> None:
    player = table()
    asked = state(player).waiting
    player.send(SuspendGame("head_gone", 9, "0" * 64), "system")
    assert last(player) == (GameSuspended("head_gone", 9, "0" * 64),)
    assert (state(player).status, state(player).waiting, state(player).awaited) == ("suspended", None, ())
    assert options_for(state(player), player.book, 0) == []
    for command, actor in (
        (words.BidCard("c01"), "seat:0"),
        (Resign(), "seat:0"),
        (Expire(seat=0), "clock"),
        (TakeSeat(0), "host"),
    ):
        assert refusal(player, command, actor) == ("GU-06", "suspended")
    assert refusal(player, SuspendGame("again"), "system") == ("GU-06", "already_suspended")
    player.send(ResumeGame("checked"), "organizer")
    assert last(player) == (GameResumed("checked"), Awaiting(state(player).steps))
    assert (state(player).status, state(player).waiting) == ("running", asked)
    assert refusal(player, ResumeGame("again"), "organizer") == ("GU-06", "not_suspended")


@pytest.mark.rule("GU-06")
def test_a_lobby_is_suspended_and_is_a_lobby_again() -> None:
    player = Player(WILDCAT, 1, 2)
    player.create()
    player.send(SuspendGame("maintenance"), "organizer")
    assert refusal(player, TakeSeat(0), "seat:0") == ("GU-06", "suspended")
    player.send(ResumeGame("done"), "organizer")
    player.send(TakeSeat(0), "seat:0")
    assert state(player).status == "lobby"


@pytest.mark.rule("GU-06")
def test_a_suspended_game_may_be_aborted_and_one_that_is_over_not_suspended() -> None:
    player = table()
    player.send(SuspendGame("fire"), "organizer")
    player.send(AbortGame("fire"), "organizer")
    assert (state(player).status, state(player).suspended_for) == ("aborted", None)
    assert refusal(player, SuspendGame("late"), "system") == ("GU-06", "game_over")


@pytest.mark.rule("GU-07")
def test_a_seat_disputes_entries_of_the_log_and_the_game_goes_on_or_not() -> None:
    player = table()
    player.send(dispute(), "seat:1")
    assert last(player) == (DisputeFiled(1, 1, "wrong_score", 1, 2), Awaiting(state(player).steps))
    assert state(player).status == "running"
    player.send(dispute(suspend=True), "seat:0")
    assert last(player) == (DisputeFiled(2, 0, "wrong_score", 1, 2), GameSuspended("dispute"))
    assert refusal(player, words.BidCard("c01"), "seat:0") == ("GU-06", "suspended")


@pytest.mark.rule("GU-07")
def test_the_entries_exist_and_a_seat_has_one_open_dispute() -> None:
    player = table()
    for first, end in ((0, 1), (2, 1), (1, state(player).version + 1)):
        assert refusal(player, dispute(first=first, last=end), "seat:0") == ("GU-07", "no_such_entries")
    assert refusal(player, dispute(), "seat:7") == ("GU-07", "not_a_player")
    player.send(Resign(), "seat:0")
    player.send(dispute(), "seat:0")
    assert refusal(player, dispute(), "seat:0") == ("GU-07", "dispute_open")


@pytest.mark.rule("GU-07")
def test_the_table_reads_the_statement_and_it_may_be_erased() -> None:
    player = table()
    player.send(dispute(statement="He looked at my cards."), "seat:1")
    entry = player.entries[-1]
    decided = write(entry, "0" * 64, lambda: bytes(16), {"statement": (0, 1, 2)})
    (sealed,) = decided.sealed
    assert (sealed.kind, sealed.audience) == ("p", (0, 1, 2))
    assert b"looked" not in decided.body


@pytest.mark.rule("GU-08")
def test_the_last_verdict_lets_the_game_go_on() -> None:
    player = table()
    player.send(dispute(suspend=True), "seat:0")
    player.send(dispute(suspend=True), "seat:1")
    player.send(GiveVerdict(1, "dismissed", "seen"), "arbiter")
    assert last(player) == (VerdictGiven(1, "dismissed", "seen"),)
    player.send(GiveVerdict(2, "dismissed", "seen"), "arbiter")
    assert last(player) == (VerdictGiven(2, "dismissed", "seen"), GameResumed("verdict"), Awaiting(state(player).steps))
    assert [one.settled for one in state(player).disputes] == [state(player).version - 1, state(player).version]


@pytest.mark.rule("GU-08")
def test_a_game_suspended_for_another_reason_stays_suspended() -> None:
    player = table()
    player.send(dispute(), "seat:0")
    player.send(SuspendGame("head_gone"), "system")
    player.send(GiveVerdict(1, "dismissed", "seen"), "arbiter")
    assert state(player).status == "suspended"


@pytest.mark.rule("GU-08")
def test_a_dispute_is_settled_once_by_a_verdict_that_makes_sense() -> None:
    player = table()
    player.send(dispute(), "seat:0")
    assert refusal(player, GiveVerdict(2, "dismissed", "x"), "arbiter") == ("GU-08", "no_such_dispute")
    assert refusal(player, GiveVerdict(0, "dismissed", "x"), "arbiter") == ("GU-08", "no_such_dispute")
    wrong = (GiveVerdict(1, "corrected", "x"), GiveVerdict(1, "dismissed", "x", SWAPPED))
    for command in wrong:
        assert refusal(player, command, "arbiter") == ("GU-08", "result_goes_with_corrected")
    player.send(GiveVerdict(1, "dismissed", "x"), "arbiter")
    assert refusal(player, GiveVerdict(1, "annulled", "x"), "arbiter") == ("GU-08", "already_settled")


@pytest.mark.rule("GU-09")
def test_a_result_is_corrected_after_the_end_only_to_one_that_can_be() -> None:
    running = table()
    running.send(dispute(), "seat:0")
    assert refusal(running, GiveVerdict(1, "corrected", "x", SWAPPED), "arbiter") == ("GU-09", "no_result_to_correct")
    player = over()
    player.send(dispute(), "seat:0")
    impossible = {
        "not_every_seat_placed": Standing((1,), ((1,), (0,)), (3, 9, 3)),
        "not_every_seat_scored": Standing((1,), ((1,), (0, 2)), (3, 9)),
        "winner_not_first": Standing((0,), ((1,), (0, 2)), (3, 9, 3)),
    }
    for reason, result in impossible.items():
        assert refusal(player, GiveVerdict(1, "corrected", "x", result), "arbiter") == ("GU-09", reason)
    player.send(GiveVerdict(1, "corrected", "miscounted", SWAPPED), "arbiter")
    assert last(player)[1] == ResultCorrected((1,), ((1,), (0, 2)), (3, 9, 3))
    assert state(player).status == "finished"
    assert state(player).result == Result((1,), player.entries[-3].events[-1].reason, ((1,), (0, 2)), (3, 9, 3))


@pytest.mark.rule("GU-08")
@pytest.mark.parametrize("player", [table(), over()], ids=["running", "over"])
def test_an_annulled_game_has_no_result_and_opens_its_seed(player: Player) -> None:
    player.send(dispute(suspend=True), "seat:0")
    player.send(GiveVerdict(1, "annulled", "cheating"), "arbiter")
    assert last(player)[1] == GameAnnulled("cheating", player.server_seed.hex())
    assert (state(player).status, state(player).result, state(player).ended) == ("annulled", None, True)
    assert refusal(player, words.BidCard("c01"), "seat:0") == ("WC-13", "game_over")
    assert fold(player.entries, WILDCAT.projection) == state(player)


@pytest.mark.rule("GU-08")
def test_only_an_arbiter_judges_and_only_a_seat_disputes() -> None:
    for command, may, may_not in (
        (dispute(), "seat:0", "organizer"),
        (GiveVerdict(1, "dismissed", "x"), "arbiter", "host"),
        (ResumeGame("x"), "organizer", "host"),
        (SuspendGame("x"), "system", "seat:0"),
    ):
        assert may_send(may, command)
        assert not may_send(may_not, command)


@pytest.mark.rule("GU-08")
def test_the_audit_holds_every_word_of_a_dispute_against_the_rules() -> None:
    player = over()
    player.send(dispute(statement="count again"), "seat:0")
    player.send(GiveVerdict(1, "corrected", "miscounted", SWAPPED), "arbiter")
    player.send(dispute(last=5), "seat:1")
    player.send(GiveVerdict(2, "annulled", "collusion"), "arbiter")
    games = {WILDCAT.name: WILDCAT}
    report = audit_lines([player.log().export("auditor")], games=games)
    assert report.exit == 0, report
    assert audit_lines([player.log().export("spectator")], games=games).exit == 2


@pytest.mark.rule("GU-07", "GU-08", "GU-09")
def test_a_refusal_names_the_member_at_fault() -> None:
    running, player = table(), over()
    assert at_fault(running, dispute(first=0), "seat:0") == "/first"
    assert at_fault(running, dispute(first=900, last=901), "seat:0") == "/first"
    assert at_fault(running, dispute(first=2, last=1), "seat:0") == "/last"
    assert at_fault(running, dispute(last=900), "seat:0") == "/last"
    running.send(dispute(), "seat:0")
    assert at_fault(running, dispute(), "seat:0") is None
    assert at_fault(running, GiveVerdict(1, "corrected", "x"), "arbiter") == "/result"
    assert at_fault(running, GiveVerdict(1, "corrected", "x", SWAPPED), "arbiter") == "/verdict"
    player.send(dispute(), "seat:0")
    for result, field in (
        (Standing((1,), ((1,), (0,)), (3, 9, 3)), "/result/standings"),
        (Standing((1,), ((1,), (0, 2)), (3, 9)), "/result/scores"),
        (Standing((0,), ((1,), (0, 2)), (3, 9, 3)), "/result/winners"),
    ):
        assert at_fault(player, GiveVerdict(1, "corrected", "x", result), "arbiter") == field
