"""What happens around a game, the same for every game: it is suspended and resumed, disputed, and judged.

`GU-…` are the platform's rules. All of this may happen at any time, whatever the game waits for; a dispute may be filed
and settled after the end as well.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, UnsetType

from events.table import (
    DisputeFiled,
    FileDispute,
    GameResumed,
    GameSuspended,
    GiveVerdict,
    ResultCorrected,
    ResumeGame,
    Standing,
    SuspendGame,
    VerdictGiven,
)
from projections.game import AnyGame
from rules.table import Table

AnyTable = Table[Any, Any]

DISPUTED: Final = "dispute"
"""Why a game is suspended that waits for a verdict."""


def suspend_game(table: AnyTable, command: SuspendGame) -> None:
    """GU-06: a game that is not over may be suspended, and any game of which signed entries are gone; until it is
    resumed nobody may move.
    """
    game = table.game
    table.require(command.lost_head is not UNSET or not game.ended, "GU-06", "game_over")
    table.require(game.status != "suspended", "GU-06", "already_suspended", because=game.suspended_for)
    table.emit(GameSuspended(command.reason, command.lost_seq, command.lost_head))


def resume_game(table: AnyTable, command: ResumeGame) -> None:
    """GU-06: a suspended game goes on with the very question that was open, or is over as it was."""
    table.require(table.game.status == "suspended", "GU-06", "not_suspended")
    table.emit(GameResumed(command.reason))


def file_dispute(table: AnyTable, command: FileDispute) -> None:
    """GU-07: a seat, also one that has resigned, may dispute entries of the log; one open dispute a seat."""
    game, seat = table.game, table.seat
    table.require(seat < len(game.seats) and game.seats[seat].taken, "GU-07", "not_a_player")
    field = "/last" if 1 <= command.first <= game.version else "/first"
    there = 1 <= command.first <= command.last <= game.version
    table.require(there, "GU-07", "no_such_entries", field=field, version=game.version)
    already = any(one.seat == seat and one.verdict is None for one in game.disputes)
    table.require(not already, "GU-07", "dispute_open")
    table.show("statement", *(number for number, place in enumerate(game.seats) if place.taken))
    number = len(game.disputes) + 1
    table.emit(DisputeFiled(number, seat, command.reason, command.first, command.last))
    if command.suspend and game.status in ("lobby", "running"):
        table.emit(GameSuspended(DISPUTED))


def give_verdict(table: AnyTable, command: GiveVerdict) -> None:
    """GU-08: a dispute is settled once; what the verdict changes is changed in the same entry."""
    disputes = table.game.disputes
    table.require(1 <= command.dispute <= len(disputes), "GU-08", "no_such_dispute", dispute=command.dispute)
    table.require(disputes[command.dispute - 1].verdict is None, "GU-08", "already_settled", dispute=command.dispute)
    fits = (command.verdict == "corrected") != isinstance(command.result, UnsetType)
    table.require(fits, "GU-08", "result_goes_with_corrected", field="/result")
    table.emit(VerdictGiven(command.dispute, command.verdict, command.reason))
    if command.verdict == "annulled":
        table.require(table.game.status != "annulled", "GU-08", "already_annulled", field="/verdict")
        table.annul(command.reason)
    elif isinstance(command.result, Standing):
        _correct(table, command.result)
    _resume_after_verdict(table)


def _correct(table: AnyTable, result: Standing) -> None:
    """GU-09: only a finished game has a result to correct; every seat has one place, the winners are in the first."""
    seats = len(table.game.seats)
    table.require(table.game.status == "finished", "GU-09", "no_result_to_correct", field="/verdict")
    placed = sorted(seat for group in result.standings for seat in group)
    every = placed == list(range(seats)) and all(result.standings)
    table.require(every, "GU-09", "not_every_seat_placed", field="/result/standings")
    table.require(len(result.scores) == seats, "GU-09", "not_every_seat_scored", field="/result/scores")
    first = result.standings[0]
    table.require(set(result.winners) <= set(first), "GU-09", "winner_not_first", field="/result/winners")
    table.emit(ResultCorrected(result.winners, result.standings, result.scores))


def _resume_after_verdict(table: AnyTable) -> None:
    """GU-08: a game that was suspended for disputes goes on when the last of them is settled."""
    game: AnyGame = table.game
    unsettled = any(one.verdict is None for one in game.disputes)
    if game.status == "suspended" and game.suspended_for == DISPUTED and not unsettled:
        table.emit(GameResumed("verdict"))
