"""A host opens a table: entry 1 of a new log, with the commitment to all of its chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from events import chain
from events.entry import Entry
from events.sealing import write
from events.table import CreateGame, GameCreated
from projections.chance import seed_commit
from rules import lobby
from rules.refusal import RuleViolation
from service.auth.caller import Caller
from service.failures import Forbidden, IdempotencyMismatch
from service.handling.access import account_of
from service.handling.act import fingerprint_of, read_key
from service.handling.answer import Accepted, answer_to
from service.handling.desk import Desk
from service.store.protocol import GameRow, Move, NewGame, OnDispute, Row, Visibility


class Table(Struct, frozen=True, kw_only=True):
    """The table that a host asks for; `edition` None is the ruleset's first choice."""

    ruleset: str
    seats: int
    edition: str | None = None
    options: Mapping[str, Any] = {}
    visibility: Visibility = "public"
    on_dispute: OnDispute = "go_on"


async def create_game(desk: Desk, caller: Caller, key: str, table: Table) -> Accepted:
    """A game in its lobby. Raises `Failure`, or `RuleViolation` for a table that the ruleset does not offer."""
    account, key = host_of(caller), read_key(key)
    said = {"do": "create", "table": table}
    new = open_table(desk, table, Asked(account, key, fingerprint_of(account, said)))
    before = await desk.store.create_game(new.row, new.server_seed, new.move)
    if before is None:
        return answer_to(first_row(new), desk.sign)
    if before.fingerprint != new.row.fingerprint:
        raise IdempotencyMismatch
    return answer_to((await desk.store.first_rows([before.id]))[before.id], desk.sign)


class Asked(Struct, frozen=True):
    """Whose request a game comes from."""

    account: str
    key: str
    fingerprint: bytes


def host_of(caller: Caller) -> str:
    """The account that opens tables. Raises `Forbidden`."""
    account = account_of(caller, "organize")
    if caller.game is not None:
        raise Forbidden("other_game", "This token is for another game.")
    return account


def first_row(new: NewGame) -> Row:
    """The first entry of a new game, as the log has it."""
    move = new.move
    return Row(1, move.command_id, move.fingerprint, move.hash, move.body, move.sealed)


def open_table(desk: Desk, table: Table, by: Asked) -> NewGame:
    """A game in its lobby, not kept yet. Raises `RuleViolation` for a table that the ruleset does not offer."""
    ruleset = desk.rulesets.get(table.ruleset)
    if ruleset is None:
        known = sorted(desk.rulesets)
        raise RuleViolation("GU-01", "unknown_ruleset", field="/ruleset", ruleset=table.ruleset, known=known)
    edition = table.edition or ruleset.default_edition
    command = ruleset.check_creation(
        CreateGame(ruleset.name, edition, dict(table.options), table.seats, id=by.key),
    )
    game, seed, at = desk.new_id(), desk.entropy(32), desk.clock()
    event: GameCreated = lobby.create_game(
        command,
        rules_version=ruleset.version,
        edition_digest=ruleset.edition(edition).digest,
        seed_commit=seed_commit(game, seed),
    )
    entry: Entry[CreateGame, GameCreated] = Entry(game, 1, at, "host", command, (event,))
    written = write(entry, chain.GENESIS, desk.salt)
    row = GameRow(
        id=game,
        created_by=by.account,
        command_id=by.key,
        fingerprint=by.fingerprint,
        ruleset=ruleset.name,
        edition=edition,
        visibility=table.visibility,
        seats=table.seats,
        created_at=at,
        on_dispute=table.on_dispute,
    )
    move = Move(game, 1, by.key, by.fingerprint, chain.GENESIS, written.hash, written.body, written.sealed)
    return NewGame(row, seed, move)
