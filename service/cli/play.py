"""`gusher play RULESET`: house bots play a game to its end in this process, and its log is written to a file."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import uuid6
from msgspec.structs import replace

from events import chain
from events.export import AUDITOR, Header, export_lines
from events.sealing import Written, write
from projections.game import AnyGame
from projections.view import view_game
from rules.catalogue import rulesets
from rules.choices import Option
from rules.edition import InvalidEdition
from rules.playout import Chooser, Deal, Move, playout
from rules.refusal import RuleViolation
from rules.ruleset import Ruleset
from service.bots import LEVELS, player
from service.cli.outcome import result_lines

ORIGIN = "play.invalid"
"""Logs of this command are signed with a key that lives as long as the command; its name says that it is nobody's."""

UNUSABLE = 64


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser("play", help="let house bots play a game here, without a server")
    parser.add_argument("ruleset", choices=sorted(rulesets()), metavar="RULESET", help=", ".join(sorted(rulesets())))
    parser.add_argument("--seats", type=int, required=True, help="how many players")
    parser.add_argument("--out", type=Path, help="where the log goes (default: RULESET-GAME.jsonl here)")
    parser.add_argument("--level", choices=LEVELS, default="sensible", help="how the bots play (default: sensible)")
    parser.add_argument("--edition", help="an edition other than the ruleset's default")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the ruleset")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, write the export as an auditor sees it, say who won."""
    ruleset = rulesets()[arguments.ruleset]
    try:
        deal = _deal(arguments)
        moves = list(_shown(playout(ruleset, deal, _bots(ruleset, arguments.level), _new_id)))
    except InvalidEdition as error:
        return _cannot(str(error))
    except RuleViolation as refusal:
        facts = "".join(f", {name} {fact}" for name, fact in refusal.facts.items())
        return _cannot(f"{refusal}{facts}")
    out = arguments.out or Path(f"{ruleset.name}-{deal.game}.jsonl")
    out.write_bytes(b"".join(_export(ruleset, moves)))
    print(f"{ruleset.title}, game {deal.game}: {len(moves)} entries, {sum(len(m.entry.events) for m in moves)} events")
    print("\n".join(result_lines(moves[-1].after)))
    print(f"log: {out}")
    return 0


def _cannot(why: str) -> int:
    print(f"cannot play this: {why}", file=sys.stderr)
    return UNUSABLE


def _deal(arguments: argparse.Namespace) -> Deal:
    return Deal(
        game=_new_id(),
        seats=arguments.seats,
        server_seed=secrets.token_hex(32),
        edition=arguments.edition,
        options=dict(_option(text) for text in arguments.option),
        client_seeds=tuple(secrets.token_hex(16) for _ in range(min(arguments.seats, 99))),
    )


def _option(text: str) -> tuple[str, Any]:
    name, separator, value = text.partition("=")
    if not separator:
        raise RuleViolation("GU-01", "malformed_options", option=text)
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _new_id() -> str:
    return str(uuid6.uuid7())


def _bots(ruleset: Ruleset, level: str) -> Chooser:
    play = player(ruleset.name, level)

    def choose(game: AnyGame, seat: int, options: Sequence[Option]) -> dict[str, Any]:
        edition = ruleset.edition(game.edition).edition
        return play(view_game(game, seat, ruleset.view(game, seat, edition)), options, secrets.randbelow)

    return choose


def _shown(moves: Iterator[Move]) -> Iterator[Move]:
    """The moves, with their number on a terminal's last line while they are made."""
    for move in moves:
        if sys.stderr.isatty():
            print(f"\rmove {move.entry.seq}", end="", file=sys.stderr, flush=True)
        yield move
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)


def _export(ruleset: Ruleset, moves: Sequence[Move]) -> Iterator[bytes]:
    written: list[Written] = []
    prev = chain.GENESIS
    for move in moves:
        entry = replace(move.entry, at=time.time_ns() // 1_000_000)
        one = write(entry, prev, lambda: secrets.token_bytes(chain.SALT_BYTES), move.shown)
        written.append(one)
        prev = one.hash
    game = moves[-1].after
    signer = chain.HeadSigner(f"{ORIGIN}/gusher/head", secrets.token_bytes(32))
    header = Header(
        game=game.id,
        ruleset=ruleset.name,
        edition=game.edition,
        options=game.options,
        viewer=AUDITOR,
        vkeys=[signer.vkey],
    )
    note = signer.sign(game.id, len(written), prev)
    return export_lines(header, ((one.body, one.sealed) for one in written), note, ended=True)
