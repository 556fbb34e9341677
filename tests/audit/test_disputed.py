"""Logs of disputed games: both verifiers take what may follow the end, and ours names what nobody may do there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from audit import audit_lines
from events.table import (
    DecisionExpired,
    DisputeFiled,
    FileDispute,
    GameAnnulled,
    GameResumed,
    GameSuspended,
    GiveVerdict,
    ResultCorrected,
    ResumeGame,
    Standing,
    SuspendGame,
    VerdictGiven,
)
from events.words import Command, Event
from rules.ruleset import Ruleset
from tests.audit.logs import Player
from tests.audit.second_verifier import verify
from tests.toy.book import WILDCAT
from tests.toy.words import BidCard

GAMES: Mapping[str, Ruleset] = {WILDCAT.name: WILDCAT}
RESULT = Standing((1,), ((1,), (0,)), (3, 9))
CLAIM = FileDispute("score", 1, 2, "count again")


def disputed() -> Player:
    """A finished game with an open dispute."""
    player = Player(WILDCAT, 5).open_table().play()
    player.send(CLAIM, "seat:0")
    return player


def first(player: Player) -> tuple[str, int | None]:
    found = audit_lines([player.log().export("auditor")], games=GAMES).findings[0]
    return found.code, found.seq


def test_a_disputed_game_is_good_for_both_verifiers(tmp_path: Path) -> None:
    player = disputed()
    player.send(GiveVerdict(1, "corrected", "miscounted", RESULT), "arbiter")
    player.send(FileDispute("collusion", 1, 2), "seat:1")
    player.send(GiveVerdict(2, "annulled", "collusion"), "arbiter")
    file = tmp_path / "game.jsonl"
    file.write_bytes(player.log().export("auditor"))
    assert audit_lines([file.read_bytes()], games=GAMES).exit == 0
    (told,) = verify([file]).reports
    assert told.findings == []


def test_a_game_suspended_and_resumed_is_good(tmp_path: Path) -> None:
    player = Player(WILDCAT, 5).open_table().play(2)
    player.send(SuspendGame("head_gone", 99, "ab" * 32), "system")
    player.send(ResumeGame("checked"), "organizer")
    player.play()
    assert audit_lines([player.log().export("auditor")], games=GAMES).exit == 0


def test_a_game_that_is_over_is_suspended_for_a_lost_head_and_over_again(tmp_path: Path) -> None:
    player = Player(WILDCAT, 5).open_table().play()
    player.send(SuspendGame("head_gone", 99, "ab" * 32), "system")
    file = tmp_path / "game.jsonl"
    file.write_bytes(player.log().export("auditor"))
    report = audit_lines([file.read_bytes()], games=GAMES)
    assert (report.exit, report.facts.status) == (0, "suspended")
    player.send(ResumeGame("checked"), "organizer")
    file.write_bytes(player.log().export("auditor"))
    report = audit_lines([file.read_bytes()], games=GAMES)
    assert (report.exit, report.facts.status) == (0, "finished")
    (told,) = verify([file]).reports
    assert told.findings == []


@pytest.mark.parametrize(
    ("command", "actor", "events", "code"),
    [
        (GiveVerdict(1, "dismissed", "mine"), "seat:0", (VerdictGiven(1, "dismissed", "mine"),), "unlawful_actor"),
        (GiveVerdict(1, "dismissed", "mine"), "host", (VerdictGiven(1, "dismissed", "mine"),), "unlawful_actor"),
        (CLAIM, "seat:0", (DisputeFiled(2, 0, "score", 1, 2),), "unlawful_move"),
        (
            GiveVerdict(1, "dismissed", "bribed"),
            "arbiter",
            (VerdictGiven(1, "dismissed", "bribed"), ResultCorrected((0,), ((0,), (1,)), (9, 0))),
            "event_too_many",
        ),
        (
            GiveVerdict(1, "corrected", "bribed", RESULT),
            "arbiter",
            (VerdictGiven(1, "corrected", "bribed"), ResultCorrected((0,), ((0,), (1,)), (9, 0))),
            "event_differs",
        ),
        (
            GiveVerdict(1, "annulled", "x"),
            "arbiter",
            (VerdictGiven(1, "annulled", "x"), GameAnnulled("x", "ab" * 32)),
            "seed_differs",
        ),
        (ResumeGame("again"), "organizer", (GameResumed("again"),), "unlawful_move"),
        (SuspendGame("mine"), "organizer", (GameSuspended("mine"),), "unlawful_move"),
        (BidCard("c01"), "seat:0", (GameResumed("sneaked"),), "unlawful_move"),
        (BidCard("c01"), "seat:0", (DecisionExpired(0, "sneaked"),), "entry_after_end"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_nobody_may_do_in_a_dispute_is_named(
    command: Command, actor: str, events: tuple[Event, ...], code: str
) -> None:
    player = disputed()
    player.append(replace(command, id=player.new_id()), actor, events, {})
    assert first(player) == (code, len(player.entries))
