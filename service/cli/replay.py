"""`gusher replay FILE`: a game told move by move, in the words of its players, as one viewer sees it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from audit.folding import FAULTS
from audit.reading import BodyLine, SideLine, lines_of, read
from audit.report import Ledger, Unusable
from audit.telling import plain
from audit.vocabulary import Vocabulary, vocabulary_of
from events.chain import digest_of
from events.codec import encode
from events.entry import Body, seat_of
from events.export import AUDITOR, Disclosures, Header
from events.opening import UnreadableEntry, open_object, read_body
from events.opening import read as read_entry
from events.words import json_name
from projections.fold import fold_entry
from projections.game import AnyGame
from rules.catalogue import rulesets
from rules.edition import Edition
from rules.refusal import RuleViolation
from rules.ruleset import Ruleset

UNUSABLE = 64


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser("replay", help="tell a game from its log file, move by move")
    parser.add_argument("file", type=Path, help="an export (.jsonl)")
    parser.add_argument(
        "--as", dest="viewer", metavar="WHO", help="spectator, seat:N or auditor (default: all that the file discloses)"
    )
    parser.add_argument(
        "--board",
        type=int,
        default=0,
        metavar="N",
        help="draw the board after every N entries too, not only after the last (where the game has a picture)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the story. What the file does not disclose cannot be told to anybody."""
    try:
        with arguments.file.open("rb") as file:
            lines = read(lines_of(file), Ledger(str(arguments.file)))
            for line in _story(lines, arguments.viewer or AUDITOR, arguments.board):
                print(plain(line))
    except BrokenPipeError:
        raise
    except (OSError, Unusable, UnreadableEntry, RuleViolation, *FAULTS) as error:
        print(f"cannot tell {arguments.file}: {plain(str(error))}", file=sys.stderr)
        return UNUSABLE
    return 0


def _story(lines: Iterator[BodyLine | SideLine], viewer: str, every: int) -> Iterator[str]:
    header = next(lines)
    assert isinstance(header, SideLine), "read() begins with the header"
    assert isinstance(header.said, Header)
    ruleset, edition = _game(header.said)
    yield f"{ruleset.title}, game {header.said.game}, told to {viewer}"
    yield f"{edition.title}: {edition.about}"
    words = vocabulary_of(ruleset.projection)
    board = _Board(ruleset, viewer)
    for body, disclosures in _entries(lines):
        told = [
            sentence
            for event in body.events
            if (sentence := ruleset.tell(_seen(event, disclosures, words, viewer), edition))
        ]
        yield f"{body.seq:5}  {_who(body)}"
        yield from (f"       {sentence}" for sentence in told)
        board.follow(body, disclosures)
        if every and body.seq % every == 0:
            yield from board.drawn()
    yield from board.drawn()


def _game(header: Header) -> tuple[Ruleset, Edition]:
    """What is played. Raises `Unusable` where we have no words for it."""
    ruleset = rulesets().get(str(header.ruleset))
    if ruleset is None:
        raise Unusable("it names no game that we have")
    found = ruleset.editions.built_in.get(str(header.edition))
    if found is None:
        raise Unusable(f"{ruleset.title} does not come with its edition: {header.edition}")
    return ruleset, found.edition


class _Board:
    """The board beside the story, for a game that has a picture and as long as the file discloses the whole of it."""

    def __init__(self, ruleset: Ruleset, viewer: str) -> None:
        self._ruleset, self._seat = ruleset, seat_of(viewer)
        self._game: AnyGame | None = None
        self._known = ruleset.picture is not None

    def follow(self, body: Body, disclosures: Mapping[str, str]) -> None:
        """One entry further."""
        if not self._known:
            return
        projection = self._ruleset.projection
        try:
            entry = read_entry(encode(to_builtins(body)), disclosures, projection.commands, projection.events)
        except UnreadableEntry:
            self._known, self._game = False, None
        else:
            self._game = fold_entry(self._game, entry, projection)

    def drawn(self) -> Iterator[str]:
        """The picture, indented like the story."""
        game, picture = self._game, self._ruleset.picture
        if game is not None and picture is not None and game.status != "lobby":
            edition = self._ruleset.edition(game.edition).edition
            for line in picture(self._ruleset.view(game, self._seat, edition)).splitlines():
                yield f"       | {line}"


def _entries(lines: Iterator[BodyLine | SideLine]) -> Iterator[tuple[Body, dict[str, str]]]:
    """Each body with the disclosures that follow it, by digest."""
    waiting: Body | None = None
    for line in lines:
        if isinstance(line, BodyLine):
            if waiting is not None:
                yield waiting, {}
            waiting = read_body(line.text)
        elif isinstance(line.said, Disclosures) and waiting is not None:
            yield waiting, {digest_of(text): text for text in line.said.disclosures}
            waiting = None
    if waiting is not None:
        yield waiting, {}


def _seen(event: Mapping[str, Any], disclosures: Mapping[str, str], words: Vocabulary, viewer: str) -> dict[str, Any]:
    """The event with the sealed fields that the viewer could read when it happened."""
    opened, _ = open_object(event, disclosures)
    word = words.events.get(event["type"])
    if viewer != AUDITOR and word is not None:
        for name, mark in word.sealed.items():
            readers = {f"seat:{opened.get(json_name(reader))}" for reader in mark.readers}
            if viewer not in readers:
                opened.pop(name, None)
    return opened


def _who(body: Body) -> str:
    return f"{body.actor}: {str(body.command['type']).replace('_', ' ')}"
