"""What the service asks of a store, and the plain structs it speaks in. One contract suite holds every store to it.

Text is text and hashes are hex in here; how a store keeps them is its own business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal, Protocol

from msgspec import Struct

from events.seals import Sealed
from projections.game import Status
from service.store.news import NewsStore
from service.store.results import GameResult, ResultQuery

Visibility = Literal["public", "private"]

OnDispute = Literal["go_on", "suspend"]
"""What a dispute does to a game that is not over."""

# ---- the log

FINGERPRINT_BYTES = 12
"""Of a request, kept with each entry: as many as it takes that nobody finds another request with the same ones, and is
told an answer that was another's.
"""


class Move(Struct, frozen=True):
    """An entry to append: it follows the entry `seq` - 1, whose hash is `prev`.

    `fingerprint` is of the request, so that a retry can be told from another request with the same key.
    """

    game: str
    seq: int
    command_id: str
    fingerprint: bytes
    prev: str
    hash: str
    body: bytes
    sealed: Sequence[Sealed] = ()


class Row(Struct, frozen=True):
    """An entry as it is kept."""

    seq: int
    command_id: str
    fingerprint: bytes
    hash: str
    body: bytes
    sealed: Sequence[Sealed] = ()


class Appended(Struct, frozen=True):
    """The entry is in the log, durably."""


class Duplicate(Struct, frozen=True):
    """The game's log has an entry with this command id already; nothing was appended."""

    row: Row


class MovedOn(Struct, frozen=True):
    """The game does not stand where the entry would follow; nothing was appended."""


Outcome = Appended | Duplicate | MovedOn


class Head(Struct, frozen=True):
    """The last entry of a log."""

    seq: int
    hash: str


class Since(Struct, frozen=True):
    """What follows a version: the hash of the entry at it (None: there is no such entry), and the later entries."""

    anchor: str | None
    rows: list[Row]


# ---- games


class GameRow(Struct, frozen=True):
    """What never changes about a game, but its status. `fingerprint` is of the request that created it."""

    id: str
    created_by: str
    command_id: str
    fingerprint: bytes
    ruleset: str
    edition: str
    visibility: Visibility
    seats: int
    created_at: int
    status: Status = "lobby"
    on_dispute: OnDispute = "go_on"


class NewGame(Struct, frozen=True):
    """A game to keep: what is known of it, its seed, its first entry."""

    row: GameRow
    server_seed: bytes
    move: Move


class Player(Struct, frozen=True):
    """Who sits at a seat: an account, or a house bot of a level."""

    seat: int
    account: str | None = None
    bot: str | None = None


class Invitation(Struct, frozen=True):
    """A way into a private game, for whoever holds the code (kept as a hash). `seat` None: any free seat."""

    id: str
    game: str
    code_hash: bytes
    created_by: str
    created_at: int
    seat: int | None = None
    used_by: str | None = None
    revoked: bool = False


class DisputeRead(Struct, frozen=True):
    """Somebody read a game with everything opened, by a token for a dispute. `label` is the token's."""

    game: str
    dispute: int
    id: str
    token: str
    version: int
    at: int
    label: str = ""


class Changes(Struct, frozen=True):
    """What an entry changes beside the log, in one transaction with it."""

    status: Status | None = None
    seated: Player | None = None
    vacated: int | None = None
    invitation: str | None = None
    """The invitation that is used up by this entry, for `seated`."""

    def __bool__(self) -> bool:
        return self != _NO_CHANGES


_NO_CHANGES: Final = Changes()


class InvitationSpent(Exception):
    """Somebody else used the invitation first; nothing was appended."""


class GameQuery(Struct, frozen=True):
    """Which games to list, newest first: those after `after` or, read backwards, those before `before` (game ids).

    `viewer` sees public games and those they take part in; `mine` leaves only the latter; `everything` is for
    administrators. `game`: this one alone.
    """

    viewer: str | None = None
    game: str | None = None
    mine: bool = False
    everything: bool = False
    ruleset: str | None = None
    status: Status | None = None
    after: str | None = None
    before: str | None = None
    limit: int = 50


class Listed(Struct, frozen=True):
    """A game in a list, with its version and who sits at it."""

    game: GameRow
    version: int
    players: tuple[Player, ...]


# ---- accounts


class Account(Struct, frozen=True):
    """A person or a program with a name. `kind` is free for the identity layer."""

    id: str
    name: str
    kind: str
    created_at: int


class Token(Struct, frozen=True):
    """A bearer token, kept as a hash. What it is narrowed to is None where it is not. `dispute`: for its auditor."""

    id: str
    account: str
    secret_hash: bytes
    scopes: tuple[str, ...]
    label: str
    created_at: int
    game: str | None = None
    seat: int | None = None
    read_only: bool = False
    expires_at: int | None = None
    revoked_at: int | None = None
    dispute: int | None = None


class NameTaken(Exception):
    """Another account has this name."""


class StoreUnavailable(Exception):
    """The store cannot be reached or cannot write now. Whether an append under way was done is unknown: ask again with
    the same command id.
    """


# ---- what-if copies


class BranchRow(Struct, frozen=True):
    """A what-if copy of a game, of its owner's alone. `content` is the copy itself, whose `version` says how often it
    was moved; `fingerprint` is of the request that made it.
    """

    game: str
    id: str
    owner: str
    fingerprint: bytes
    created_at: int
    expires_at: int
    version: int
    content: bytes


# ---- results


class FoundResult(Struct, frozen=True):
    """A result in a list, with its ruleset, the state of its game, and who sits there."""

    result: GameResult
    ruleset: str
    status: Status
    players: tuple[Player, ...]


# ---- the protocols


class Log(Protocol):
    """Append-only logs, one per game."""

    async def append(self, move: Move) -> Outcome:
        """Append a later entry than the first, if the game stands at `prev` and the command id is new to it."""
        ...

    async def append_with(self, move: Move, changes: Changes) -> Outcome:
        """`append`, and what changes beside the log, all or nothing. Raises `InvitationSpent`."""
        ...

    async def since(self, game: str, seq: int) -> Since:
        """The entries after `seq`, and the hash of the one at it. Asked all the time, and most often there is nothing
        new, so it is to be cheap.
        """
        ...

    async def rows(self, game: str, after: int, limit: int) -> list[Row]:
        """At most `limit` entries after `after`, ascending."""
        ...

    async def row_of(self, game: str, command_id: str) -> Row | None:
        """The entry of a command."""
        ...

    async def head(self, game: str) -> Head | None:
        """Where a log stands; None where there is none."""
        ...

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """How far these logs have come; those that there are not are left out."""
        ...

    async def missing(self, heads: Sequence[tuple[str, Head]]) -> list[str]:
        """The games, of these, whose log does not have that entry."""
        ...


class Games(Protocol):
    """What is known about games beside their logs."""

    async def create_game(self, game: GameRow, server_seed: bytes, move: Move) -> GameRow | None:
        """Keep a game, its seed and its first entry, all or nothing.

        None, or the game that the same account created with the same command id before; then nothing was kept.
        """
        ...

    async def create_games(self, games: Sequence[NewGame]) -> list[GameRow] | None:
        """Keep games of one account, all or nothing.

        None, or those that the account created with any of these command ids before; then nothing was kept.
        """
        ...

    async def first_rows(self, games: Sequence[str]) -> dict[str, Row]:
        """The first entry of each of these games."""
        ...

    async def game(self, game: str) -> GameRow | None: ...

    async def server_seed(self, game: str) -> bytes:
        """The seed. Nothing but deciding on the game's commands asks for it."""
        ...

    async def players(self, game: str) -> tuple[Player, ...]: ...

    async def games(self, query: GameQuery) -> list[Listed]: ...

    async def games_of_bots(self) -> list[str]:
        """The running games in which a house bot sits."""
        ...

    async def invite(self, invitation: Invitation) -> Invitation:
        """Keep an invitation; the one already kept, where the game has one of this id."""
        ...

    async def invitation(self, game: str, code_hash: bytes) -> Invitation | None: ...

    async def invitations(self, game: str) -> list[Invitation]: ...

    async def revoke_invitation(self, game: str, invitation: str) -> bool:
        """Whether there was such an invitation."""
        ...

    async def record_read(self, read: DisputeRead) -> None:
        """Keep for ever that this was read."""
        ...

    async def reads(self, game: str, dispute: int) -> list[DisputeRead]:
        """What was read for a dispute, oldest first."""
        ...


class Accounts(Protocol):
    """Accounts and their tokens."""

    async def create_account(self, account: Account, token: Token) -> None:
        """Keep an account and its first token, both or neither. Raises `NameTaken`."""
        ...

    async def account(self, account: str) -> Account | None: ...

    async def accounts(self, ids: Sequence[str]) -> dict[str, Account]: ...

    async def add_token(self, token: Token) -> None: ...

    async def token(self, secret_hash: bytes) -> tuple[Token, Account] | None: ...

    async def tokens(self, account: str) -> list[Token]: ...

    async def revoke_token(self, account: str, token: str, at: int) -> bool:
        """Whether the account had such a token. A token revoked before keeps its first time."""
        ...

    async def revoked_since(self, at: int) -> list[bytes]:
        """The hashes of the tokens revoked at this time (in milliseconds) or later."""
        ...

    async def has_admin(self) -> bool:
        """Whether any token that is not revoked has the scope `admin`."""
        ...


class Branches(Protocol):
    """What-if copies. They may vanish at any time, and nothing else in the store knows of them."""

    async def add_branch(self, branch: BranchRow, most: int) -> BranchRow:
        """Keep a copy, or find the one of this id; expired ones go, and the owner's oldest beyond `most`."""
        ...

    async def branch(self, game: str, branch: str, now: int) -> BranchRow | None:
        """The copy, unless it has expired."""
        ...

    async def move_branch(self, branch: BranchRow, before: int) -> bool:
        """Keep the copy as it is now, if it still stands at the version before."""
        ...

    async def drop_branch(self, game: str, branch: str) -> None: ...


class Results(Protocol):
    """Where results are read. They follow the log, a little behind it."""

    async def results(self, query: ResultQuery) -> list[FoundResult]:
        """Newest word first, whichever way they are read."""
        ...


class Store(Log, Games, NewsStore, Results, Accounts, Branches, Protocol):
    """A whole store."""

    @property
    def group_sizes(self) -> Counter[int]:
        """How many groups of so many entries were appended together."""
        ...

    async def ready(self) -> None:
        """Raise unless the store answers."""
        ...

    async def close(self) -> None: ...
