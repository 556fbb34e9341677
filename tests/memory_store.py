"""A store in memory: it keeps every promise of `service.store.protocol`, and nothing outlives the process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from events.chain import entry_hash
from service.store.news import YOUR_MOVE, News, told_by
from service.store.protocol import (
    Account,
    Appended,
    BranchRow,
    Changes,
    DisputeRead,
    Duplicate,
    FoundResult,
    GameQuery,
    GameRow,
    Head,
    Invitation,
    InvitationSpent,
    Listed,
    Move,
    MovedOn,
    NameTaken,
    NewGame,
    Outcome,
    Player,
    Row,
    Since,
    Token,
)
from service.store.results import GameResult, Place, ResultQuery, result_after


def _place(result: GameResult) -> Place:
    return Place(result.at, result.game)


class HashIsNotOfBody(ValueError):
    """A move whose hash is not its body's."""


class MemoryStore:
    """Everything in dictionaries; nothing outlives the process."""

    def __init__(self) -> None:
        self._logs: dict[str, list[Row]] = {}
        self._by_command: dict[tuple[str, str], Row] = {}
        self._games: dict[str, GameRow] = {}
        self._seeds: dict[str, bytes] = {}
        self._players: dict[str, dict[int, Player]] = {}
        self._invitations: dict[tuple[str, str], Invitation] = {}
        self._accounts: dict[str, Account] = {}
        self._tokens: dict[str, Token] = {}
        self._branches: dict[tuple[str, str], BranchRow] = {}
        self._reads: list[DisputeRead] = []
        self._feed: list[tuple[str, Row]] = []
        self.group_sizes: Counter[int] = Counter()

    async def append(self, move: Move) -> Outcome:
        return self._append(move)

    async def append_with(self, move: Move, changes: Changes) -> Outcome:
        invitation = None if changes.invitation is None else self._invitations[move.game, changes.invitation]
        spent = invitation is not None and (invitation.used_by is not None or invitation.revoked)
        if spent and self._follows(move):
            raise InvitationSpent
        outcome = self._append(move)
        if isinstance(outcome, Appended):
            self._apply(move.game, changes)
        return outcome

    async def create_game(self, game: GameRow, server_seed: bytes, move: Move) -> GameRow | None:
        before = await self.create_games([NewGame(game, server_seed, move)])
        return None if before is None else before[0]

    async def create_games(self, games: Sequence[NewGame]) -> list[GameRow] | None:
        wanted = {(new.row.created_by, new.row.command_id) for new in games}
        before = [game for game in self._games.values() if (game.created_by, game.command_id) in wanted]
        if before:
            return before
        for new in games:
            self._keep(new.move)
            game = new.row.id
            self._games[game], self._seeds[game], self._players[game] = new.row, new.server_seed, {}
        return None

    async def first_rows(self, games: Sequence[str]) -> dict[str, Row]:
        return {game: self._logs[game][0] for game in games if game in self._logs}

    async def since(self, game: str, seq: int) -> Since:
        log = self._logs.get(game, [])
        return Since(log[seq - 1].hash if 1 <= seq <= len(log) else None, log[seq:])

    async def rows(self, game: str, after: int, limit: int) -> list[Row]:
        return self._logs.get(game, [])[after : after + limit]

    async def row_of(self, game: str, command_id: str) -> Row | None:
        return self._by_command.get((game, command_id))

    async def head(self, game: str) -> Head | None:
        log = self._logs.get(game)
        return Head(log[-1].seq, log[-1].hash) if log else None

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        return {game: self._logs[game][-1].seq for game in games if game in self._logs}

    async def missing(self, heads: Sequence[tuple[str, Head]]) -> list[str]:
        return [game for game, one in heads if (await self.since(game, one.seq)).anchor != one.hash]

    async def game(self, game: str) -> GameRow | None:
        return self._games.get(game)

    async def server_seed(self, game: str) -> bytes:
        return self._seeds[game]

    async def players(self, game: str) -> tuple[Player, ...]:
        return tuple(player for _, player in sorted(self._players.get(game, {}).items()))

    async def games(self, query: GameQuery) -> list[Listed]:
        ids = sorted((game.id for game in self._games.values() if self._matches(game, query)), reverse=not query.before)
        listed = [
            Listed(self._games[one], self._logs[one][-1].seq, await self.players(one)) for one in ids[: query.limit]
        ]
        return listed[::-1] if query.before else listed

    async def games_of_bots(self) -> list[str]:
        return sorted(
            game.id
            for game in self._games.values()
            if game.status == "running" and any(player.bot for player in self._players[game.id].values())
        )

    async def invite(self, invitation: Invitation) -> Invitation:
        return self._invitations.setdefault((invitation.game, invitation.id), invitation)

    async def invitation(self, game: str, code_hash: bytes) -> Invitation | None:
        return next((one for one in await self.invitations(game) if one.code_hash == code_hash), None)

    async def invitations(self, game: str) -> list[Invitation]:
        found = [one for one in self._invitations.values() if one.game == game]
        return sorted(found, key=lambda one: (one.created_at, one.id))

    async def revoke_invitation(self, game: str, invitation: str) -> bool:
        found = self._invitations.get((game, invitation))
        if found is not None:
            self._invitations[game, invitation] = replace(found, revoked=True)
        return found is not None

    async def record_read(self, read: DisputeRead) -> None:
        self._reads.append(replace(read, label=self._tokens[read.token].label))

    async def reads(self, game: str, dispute: int) -> list[DisputeRead]:
        return [one for one in self._reads if (one.game, one.dispute) == (game, dispute)]

    async def results(self, query: ResultQuery) -> list[FoundResult]:
        found = [one for game in self._games.values() if (one := await self._result(game, query)) is not None]
        found.sort(key=lambda one: _place(one.result), reverse=query.before is None)
        return found[: query.limit] if query.before is None else found[: query.limit][::-1]

    async def _result(self, game: GameRow, query: ResultQuery) -> FoundResult | None:
        result: GameResult | None = None
        for row in self._logs[game.id]:
            result = result_after(result, row.body)
        players = await self.players(game.id)
        seen = GameQuery(viewer=query.viewer, game=query.game, everything=query.everything, ruleset=query.ruleset)
        if (
            result is None
            or not self._matches(game, seen)
            or query.account not in (None, *(player.account for player in players))
            or (query.since is not None and result.at < query.since)
            or (query.after is not None and not _place(result) < query.after)
            or (query.before is not None and not _place(result) > query.before)
        ):
            return None
        return FoundResult(result, game.ruleset, game.status, players)

    async def news(self, account: str, after: int, limit: int, game: str | None = None) -> list[News]:
        told = (
            self._news(account, pos, one, row)
            for pos, (one, row) in enumerate(self._feed[after:], after + 1)
            if game in (None, one)
        )
        return list(islice((news for news in told if news is not None), limit))

    async def newest(self, accounts: Sequence[str]) -> dict[str, int]:
        found = {account: await self.news(account, 0, len(self._feed)) for account in accounts}
        return {account: news[-1].pos for account, news in found.items() if news}

    async def create_account(self, account: Account, token: Token) -> None:
        if any(other.name == account.name for other in self._accounts.values()):
            raise NameTaken(account.name)
        self._accounts[account.id] = account
        await self.add_token(token)

    async def account(self, account: str) -> Account | None:
        return self._accounts.get(account)

    async def accounts(self, ids: Sequence[str]) -> dict[str, Account]:
        return {one: self._accounts[one] for one in ids if one in self._accounts}

    async def add_token(self, token: Token) -> None:
        self._tokens[token.id] = token

    async def token(self, secret_hash: bytes) -> tuple[Token, Account] | None:
        found = next((token for token in self._tokens.values() if token.secret_hash == secret_hash), None)
        return None if found is None else (found, self._accounts[found.account])

    async def tokens(self, account: str) -> list[Token]:
        found = [token for token in self._tokens.values() if token.account == account]
        return sorted(found, key=lambda token: (token.created_at, token.id))

    async def revoke_token(self, account: str, token: str, at: int) -> bool:
        found = self._tokens.get(token)
        if found is None or found.account != account:
            return False
        if found.revoked_at is None:
            self._tokens[token] = replace(found, revoked_at=at)
        return True

    async def revoked_since(self, at: int) -> list[bytes]:
        revoked = (token for token in self._tokens.values() if token.revoked_at is not None and token.revoked_at >= at)
        return [token.secret_hash for token in revoked]

    async def has_admin(self) -> bool:
        return any("admin" in token.scopes and token.revoked_at is None for token in self._tokens.values())

    async def add_branch(self, branch: BranchRow, most: int) -> BranchRow:
        kept = {key: one for key, one in self._branches.items() if one.expires_at > branch.created_at}
        found = kept.setdefault((branch.game, branch.id), branch)
        own = sorted(
            (one for one in kept.values() if one.owner == branch.owner), key=lambda one: (one.created_at, one.id)
        )
        for one in own[: max(len(own) - most, 0)]:
            del kept[one.game, one.id]
        self._branches = kept
        return found

    async def branch(self, game: str, branch: str, now: int) -> BranchRow | None:
        found = self._branches.get((game, branch))
        return found if found is not None and found.expires_at > now else None

    async def move_branch(self, branch: BranchRow, before: int) -> bool:
        found = self._branches.get((branch.game, branch.id))
        if found is None or found.version != before:
            return False
        self._branches[branch.game, branch.id] = branch
        return True

    async def drop_branch(self, game: str, branch: str) -> None:
        self._branches.pop((game, branch), None)

    async def ready(self) -> None:
        """It always answers."""

    async def close(self) -> None:
        """There is nothing to close."""

    def _follows(self, move: Move) -> bool:
        log = self._logs.get(move.game, [])
        return (
            len(log) == move.seq - 1
            and move.seq > 1
            and log[-1].hash == move.prev
            and (move.game, move.command_id) not in self._by_command
        )

    def _append(self, move: Move) -> Outcome:
        if self._follows(move):
            self._keep(move)
            return Appended()
        row = self._by_command.get((move.game, move.command_id))
        return MovedOn() if row is None else Duplicate(row)

    def _keep(self, move: Move) -> None:
        if entry_hash(move.body) != move.hash:
            raise HashIsNotOfBody(move.hash)
        row = Row(move.seq, move.command_id, move.fingerprint, move.hash, move.body, move.sealed)
        self._logs.setdefault(move.game, []).append(row)
        self._feed.append((move.game, row))
        self._by_command[move.game, move.command_id] = row

    def _news(self, account: str, pos: int, game: str, row: Row) -> News | None:
        seats = [player.seat for player in self._players[game].values() if player.account == account]
        if not seats and self._games[game].created_by != account:
            return None
        at, told = told_by(row.body)
        asked = tuple(sorted(seat for seat in seats if seat in told.asked))
        what = (*told.what, YOUR_MOVE) if asked else told.what
        return News(pos, game, row.seq, at, what, asked) if what else None

    def _apply(self, game: str, changes: Changes) -> None:
        if changes.status is not None:
            self._games[game] = replace(self._games[game], status=changes.status)
        if changes.vacated is not None:
            self._players[game].pop(changes.vacated, None)
        seated = changes.seated
        if seated is not None:
            self._players[game][seated.seat] = seated
            if changes.invitation is not None:
                key = (game, changes.invitation)
                self._invitations[key] = replace(self._invitations[key], used_by=seated.account)

    def _matches(self, game: GameRow, query: GameQuery) -> bool:
        players = self._players[game.id].values()
        takes_part = query.viewer is not None and (
            game.created_by == query.viewer or any(player.account == query.viewer for player in players)
        )
        visible = takes_part if query.mine else query.everything or takes_part or game.visibility == "public"
        return (
            visible
            and query.game in (None, game.id)
            and query.ruleset in (None, game.ruleset)
            and query.status in (None, game.status)
            and (query.after is None or game.id < query.after)
            and (query.before is None or game.id > query.before)
        )
