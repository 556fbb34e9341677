"""What the service answers, as types. Members that a newer service adds are passed over."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from gusher_client.choices import Below, Option

Visibility = Literal["public", "private"]
Status = Literal["lobby", "running", "suspended", "finished", "aborted", "annulled"]
Level = Literal["random", "sensible"]
OnDispute = Literal["go_on", "suspend"]
Verdict = Literal["dismissed", "corrected", "annulled"]
"""What may be asked for. In answers such words are plain text: a newer service may know more of them."""

ENDED: frozenset[str] = frozenset({"finished", "aborted", "annulled"})


class Account(Struct, frozen=True):
    """An account."""

    account: str
    name: str
    kind: str
    created_at: datetime


class Token(Struct, frozen=True):
    """A token, without its secret. What it is narrowed to is None where it is not."""

    token_id: str
    label: str
    scopes: tuple[str, ...]
    game: str | None
    seat: int | None
    read_only: bool
    dispute: int | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class AccountMade(Struct, frozen=True):
    """A new account and its first token. `token` is shown this once."""

    account: Account
    token: str
    details: Token


class TokenMade(Struct, frozen=True):
    """A new token. `token` is shown this once."""

    token: str
    details: Token


class Me(Struct, frozen=True):
    """The account that the token speaks for, and that token."""

    account: Account
    token: Token


class Edition(Struct, frozen=True):
    """A set of cards and numbers to play with."""

    edition: str
    title: str
    about: str
    digest: str


class EditionDetails(Edition, frozen=True):
    """An edition with its data, and for each group of it whether the rulebook gives it or the house does."""

    ruleset: str
    provenance: dict[str, str]
    data: dict[str, Any]


class Ruleset(Struct, frozen=True):
    """A game on offer."""

    ruleset: str
    title: str
    rules_version: int
    least_seats: int
    most_seats: int
    default_edition: str
    editions: tuple[Edition, ...]


class Word(Struct, frozen=True):
    """A command or an event: its `type`, what it says, its JSON Schema."""

    type: str
    about: str
    answers: bool
    json_schema: dict[str, Any]


class Rule(Struct, frozen=True):
    """A rule: the id that refusals cite, and what it says."""

    id: str
    sentence: str


class Rules(Struct, frozen=True):
    """The rules that a ruleset's refusals cite."""

    ruleset: str
    rules: tuple[Rule, ...]


class RulesetDetails(Ruleset, frozen=True):
    """Everything there is to know about a game: its commands, events, view and rules."""

    options: dict[str, Any]
    view: dict[str, Any]
    commands: tuple[Word, ...]
    events: tuple[Word, ...]
    rules: tuple[Rule, ...]


class Question(Struct, frozen=True):
    """The open question: its id, its name, the seats that it awaits, and what it is about."""

    decision_id: int
    name: str
    awaits: tuple[int, ...]
    about: dict[str, Any] = {}


class Result(Struct, frozen=True):
    """How a game ended: `standings` are groups of seats, the best first."""

    winners: tuple[int, ...]
    reason: str
    standings: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]


class Seat(Struct, frozen=True):
    """A seat; in the header of a game also who sits there."""

    seat: int
    taken: bool
    resigned: bool
    awaited: bool
    account: str | None = None
    name: str | None = None
    bot: str | None = None


class ListedGame(Struct, frozen=True):
    """A game in a list. `yours` are the caller's seats."""

    game: str
    ruleset: str
    edition: str
    visibility: str
    host: str
    created_at: datetime
    status: str
    version: int
    seats: int
    taken: int
    bots: int
    yours: tuple[int, ...]


class GamesPage(Struct, frozen=True):
    """Games, newest first, and the cursors of the neighbouring pages."""

    games: tuple[ListedGame, ...]
    next: str | None
    previous: str | None


class Header(Struct, frozen=True, kw_only=True):
    """A game but for its board."""

    game: str
    ruleset: str
    rules_version: int
    edition: str
    edition_digest: str
    options: dict[str, Any]
    seed_commit: str
    visibility: str
    host: str
    created_at: datetime
    on_dispute: str
    status: str
    version: int
    head: str
    etag: str
    at: datetime
    seats: tuple[Seat, ...]
    yours: tuple[int, ...]
    question: Question | None
    result: Result | None
    ended_because: str | None
    suspended_for: str | None

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.status in ENDED


class View(Struct, frozen=True):
    """The state of a game for one viewer; the shape of `board` is the ruleset's. `viewer` None is a spectator."""

    game: str
    ruleset: str
    edition: str
    options: dict[str, Any]
    version: int
    status: str
    viewer: int | None
    seats: tuple[Seat, ...]
    question: Question | None
    result: Result | None
    ended_because: str | None
    board: dict[str, Any]

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.status in ENDED


class Asked(Struct, frozen=True):
    """What is asked of a seat, and every legal answer; none where nothing is asked of it."""

    version: int
    seat: int | None
    decision_id: int | None
    options: tuple[Option, ...]

    def pick(self, below: Below = random.randrange) -> dict[str, Any]:
        """One of the legal answers, ready to send."""
        return self.answer(self.options[below(len(self.options))].pick(below))

    def answer(self, command: dict[str, Any]) -> dict[str, Any]:
        """The command as an answer to this very question: refused once another one is open."""
        return command if self.decision_id is None else {**command, "decision_id": self.decision_id}


class Done(Struct, frozen=True):
    """An accepted command: one entry of the log. `receipt` proves that it was accepted."""

    game: str
    version: int
    etag: str
    head: str
    at: datetime
    actor: str
    command_id: str
    events: tuple[dict[str, Any], ...]
    receipt: str

    @property
    def awaits(self) -> tuple[int, ...]:
        """The seats that the game waits for now; none in the lobby and after the end."""
        return _awaits(self.events)


class Checked(Struct, frozen=True):
    """The command would be accepted now."""

    version: int
    seat: int
    decision_id: int | None
    option: str | None
    costs: dict[str, int]


class Entry(Struct, frozen=True):
    """One accepted move as the caller may see it: in `events`, what stays sealed is a digest in `_sd`."""

    seq: int
    hash: str
    at: datetime
    actor: str
    command: dict[str, Any]
    events: tuple[dict[str, Any], ...]
    body: Any
    disclosures: tuple[str, ...]

    @property
    def awaits(self) -> tuple[int, ...]:
        """The seats that the game waits for after this entry; none in the lobby and after the end."""
        return _awaits(self.events)


class EntriesPage(Struct, frozen=True):
    """Entries in order, and the version that the game stands at. `next` is the address of those that follow."""

    entries: tuple[Entry, ...]
    version: int
    next: str | None


class News(Struct, frozen=True):
    """An entry of a game that concerns the caller. `seats` are the caller's own that are asked something new."""

    position: int
    game: str
    seq: int
    at: datetime
    what: tuple[str, ...]
    seats: tuple[int, ...]


class NewsPage(Struct, frozen=True):
    """News in order; `position` is where to go on from."""

    news: tuple[News, ...]
    position: int
    next: str | None


class Dispute(Struct, frozen=True):
    """A claim that something is wrong with the entries `first` to `last`, and what became of it."""

    dispute: int
    seat: int
    reason: str
    first: int
    last: int
    filed: int
    state: str
    verdict: str | None
    verdict_reason: str | None
    settled: int | None


class Looked(Struct, frozen=True):
    """Somebody read the whole game, hidden facts included, up to a version. `by` is the label of their token."""

    at: datetime
    by: str
    version: int


class DisputeDetails(Dispute, frozen=True):
    """A dispute with its statement, None where it may not be read, and who has looked into it."""

    statement: str | None
    reads: tuple[Looked, ...]


class Standing(Struct, frozen=True):
    """A result as an arbiter gives it: groups of seats from the best place down, scores by seat."""

    winners: tuple[int, ...]
    standings: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]


class BranchHeader(Struct, frozen=True):
    """A copy of a game. `hidden` says whether what it hides is `true` or `redrawn`."""

    branch: str
    game: str
    ruleset: str
    from_version: int
    from_head: str
    viewer: str
    hidden: str
    version: int
    status: str
    question: Question | None
    created_at: datetime
    expires_at: datetime


class BranchMove(Struct, frozen=True):
    """What was played in a copy. It has no hash and no receipt: it never happened in the game."""

    seq: int
    actor: str
    command: dict[str, Any]
    events: tuple[dict[str, Any], ...]


class NewGame(Struct, frozen=True):
    """A table to open. What is left out is the ruleset's own choice."""

    ruleset: str
    seats: int
    edition: str | None = None
    options: dict[str, Any] = {}
    visibility: Visibility = "public"
    on_dispute: OnDispute = "go_on"


class GamesMade(Struct, frozen=True):
    """Tables that were opened together, in the order asked for; none where it was only asked whether they could be."""

    tables: int
    games: tuple[Done, ...]


class ResultSeat(Struct, frozen=True):
    """Who sat there."""

    seat: int
    account: str | None
    bot: str | None


class GameResult(Struct, frozen=True):
    """How a game ended. `corrected` by a verdict; `in_doubt` while its log is not the one that was signed, until an
    administrator has looked.
    """

    game: str
    ruleset: str
    outcome: str
    reason: str
    at: datetime
    version: int
    seats: tuple[ResultSeat, ...]
    winners: tuple[int, ...]
    standings: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    corrected: bool
    in_doubt: bool


class ResultsPage(Struct, frozen=True):
    """Results, and the cursors of the neighbouring pages."""

    results: tuple[GameResult, ...]
    next: str | None
    previous: str | None


class Check(Struct, frozen=True):
    """One of the eight checks, and how it came out: `good`, `broken` or `incomplete`."""

    number: int
    name: str
    outcome: str


class Finding(Struct, frozen=True):
    """What a check found, and where."""

    check: int
    code: str
    words: str
    seq: int | None = None
    event: int | None = None
    field: str | None = None
    rule: str | None = None
    line: int | None = None


class Audit(Struct, frozen=True):
    """The eight checks of a log, as `gusher audit` reports them. `first` is the first finding that breaks it."""

    report: str
    file: str
    verdict: str
    exit: int
    facts: dict[str, Any]
    counts: dict[str, int]
    checks: tuple[Check, ...]
    first: Finding | None
    findings: tuple[Finding, ...]
    findings_total: int
    unchecked: tuple[Finding, ...]
    unchecked_total: int


class SignedHead(Struct, frozen=True):
    """Where the log stands, signed: who keeps the note can prove a lost or rewritten entry."""

    game: str
    version: int
    head: str
    note: str


class InvitationMade(Struct, frozen=True):
    """A new invitation. Whoever sends the `code` when taking a seat is let in, once."""

    invitation: str
    game: str
    code: str
    seat: int | None


class Invitation(Struct, frozen=True):
    """An invitation, without its code."""

    invitation: str
    seat: int | None
    created_at: datetime
    state: str


def _awaits(events: tuple[dict[str, Any], ...]) -> tuple[int, ...]:
    """An entry that leaves a question open ends with what the game waits for."""
    last = events[-1] if events else {}
    return tuple(last["steps"][0]["awaits"]) if last.get("type") == "awaiting" else ()
