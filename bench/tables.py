"""Many tables of one ruleset, played over HTTP: before each round it is asked what may be done, then all tables move.

So what is timed is moves alone, each legal and each drawn from what the service itself lists; asking is timed apart.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct

from bench.wire import Answer, Burst, Line, request
from rules.choices import Option

SEATS: Final = 3


class Wrong(Exception):
    """The service answered otherwise than a player has a right to expect."""


class _Step(Struct):
    awaits: tuple[int, ...] = ()


class _Event(Struct):
    type: str
    steps: list[_Step] = []


class _Done(Struct):
    game: str
    version: int
    events: list[_Event]


class _Options(Struct):
    decision_id: int | None
    options: list[Option]


_done = msgspec.json.Decoder(_Done)
_options = msgspec.json.Decoder(_Options)


class Person(Struct, frozen=True):
    """An account and its token."""

    account: str
    token: str


class Table(Struct):
    """A game in play: who sits where, who is asked now (nobody when it is over), what comes next."""

    game: str
    people: Sequence[Person]
    awaits: tuple[int, ...]
    seat: int = 0
    command: bytes = b""


class Tables:
    """Tables of one ruleset. Whatever connection is free takes the next request, so every worker serves every table."""

    def __init__(self, ruleset: str, line: Line, people: Sequence[Person]) -> None:
        self.ruleset, self._line, self._people = ruleset, line, people
        self._dice = random.Random(ruleset)
        self.tables: list[Table] = []

    async def open(self, count: int) -> None:
        """Fill up to so many tables in play; those that are over make room."""
        kept = [table for table in self.tables if table.awaits]
        seated = [self._dice.sample(self._people, SEATS) for _ in range(count - len(kept))]
        made = await self._all([self._post("/v1/games", people[0], self._wanted()) for people in seated])
        games = [_read(answer, 201).game for answer in made]
        for seat in range(SEATS):
            sitting = [
                self._post(f"/v1/games/{game}/seats", people[seat], b"{}")
                for game, people in zip(games, seated, strict=True)
            ]
            for answer in await self._all(sitting):
                _read(answer, 200, 201)
        started = await self._all(
            [self._post(f"/v1/games/{game}/start", people[0]) for game, people in zip(games, seated, strict=True)]
        )
        fresh = [
            Table(game, people, _awaited(_read(answer, 200)))
            for game, people, answer in zip(games, seated, started, strict=True)
        ]
        self.tables = kept + fresh

    async def ask(self) -> Burst:
        """Every table's next player asks what may be done, and chooses."""
        for table in self.tables:
            table.seat = self._dice.choice(table.awaits)
        wanted = [
            request("GET", f"/v1/games/{table.game}/options", token=table.people[table.seat].token)
            for table in self.tables
        ]
        burst = await self._line.ask(wanted)
        for table, answer in zip(self.tables, burst.answers, strict=True):
            table.command = self._choose(answer)
        return burst

    async def look(self) -> Burst:
        """Every table's next player looks at the board."""
        wanted = [
            request("GET", f"/v1/games/{table.game}/view", token=table.people[table.seat].token)
            for table in self.tables
        ]
        burst = await self._line.ask(wanted)
        for answer in burst.answers:
            _expect(answer, 200)
        return burst

    async def move(self) -> Burst:
        """Every table moves, as chosen."""
        wanted = [
            self._post(f"/v1/games/{table.game}/commands", table.people[table.seat], table.command)
            for table in self.tables
        ]
        burst = await self._line.ask(wanted)
        for table, answer in zip(self.tables, burst.answers, strict=True):
            table.awaits = _awaited(_read(answer, 200))
        return burst

    def _choose(self, answer: Answer) -> bytes:
        _expect(answer, 200)
        asked = _options.decode(answer.body)
        option = asked.options[self._dice.randrange(len(asked.options))]
        fields: dict[str, Any] = {**option.pick(self._dice.randrange), "decision_id": asked.decision_id}
        return msgspec.json.encode(fields)

    def _wanted(self) -> bytes:
        return msgspec.json.encode({"ruleset": self.ruleset, "seats": SEATS})

    def _post(self, path: str, person: Person, body: bytes = b"") -> bytes:
        return request("POST", path, token=person.token, key=self._key(), body=body)

    def _key(self) -> str:
        return str(UUID(int=random.getrandbits(128), version=4))

    async def _all(self, requests: Sequence[bytes]) -> list[Answer]:
        return (await self._line.ask(requests)).answers


async def people(line: Line, count: int) -> list[Person]:
    """So many new accounts."""
    prefix = f"{random.getrandbits(32):08x}"
    wanted = [
        request("POST", "/v1/accounts", body=msgspec.json.encode({"name": f"bench-{prefix}-{number}"}))
        for number in range(count)
    ]
    found = []
    for answer in (await line.ask(wanted)).answers:
        _expect(answer, 201)
        made = msgspec.json.decode(answer.body)
        found.append(Person(made["account"]["account"], made["token"]))
    return found


def _read(answer: Answer, *statuses: int) -> _Done:
    _expect(answer, *statuses)
    return _done.decode(answer.body)


def _expect(answer: Answer, *statuses: int) -> None:
    if answer.status not in statuses:
        raise Wrong(f"{answer.status}: {answer.body[:500].decode(errors='replace')}")


def _awaited(done: _Done) -> tuple[int, ...]:
    last = done.events[-1]
    return last.steps[0].awaits if last.type == "awaiting" else ()
