"""Snapshots of games in Redis: a cache that may be empty, wrong, dead or hanging at any moment.

Whatever is wrong with a snapshot, it is left aside and counted; the log alone decides.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from projections.game import AnyGame
from service.store.breaker import PATIENCE, Breaker
from service.store.shared import AWAY, Shared

logger = logging.getLogger(__name__)

LEISURE: Final = 2.0
"""Seconds that writing may take: nobody waits for it."""

GATHER: Final = 0.05
"""Seconds from one writing to the next: what is offered meanwhile is written together."""

TOGETHER: Final = 16
"""Snapshots written together at most: making them keeps others waiting."""

_encoder = msgspec.msgpack.Encoder()


class Snapshot(Struct, frozen=True, array_like=True):
    """What is kept under `{game}:snap`. `checksum` is over everything else, keyed, so that it cannot be made up."""

    seq: int
    head: str
    fingerprint: bytes
    state: bytes
    checksum: bytes


_decoder = msgspec.msgpack.Decoder(Snapshot)


class Kept(Struct, frozen=True):
    """A game as a snapshot holds it, and the hash of the entry it stands at."""

    game: AnyGame
    head: str


class Snapshots(Protocol):
    """Where states of games are kept between loads, if anywhere."""

    counts: Counter[str]

    async def open(self) -> None:
        """Be ready before the first game is asked for."""
        ...

    @property
    def works(self) -> bool:
        """Whether they were there when they were last asked for."""
        ...

    async def load(self, game: str, kind: Any) -> Kept | None:  # noqa: ANN401 - `Game[…]` is no type to a checker
        """The game's snapshot as this type of state, if there is a sound one."""
        ...

    def discard(self, game: str, why: str) -> None:
        """The snapshot does not fit the log: count it and forget it."""
        ...

    def offer(self, game: AnyGame, head: str) -> None:
        """Keep this state some time soon; returns at once."""
        ...

    async def close(self) -> None: ...


class NoSnapshots:
    """Keeps nothing."""

    works = True

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    async def open(self) -> None:
        """There is nothing to prepare."""

    async def load(self, game: str, kind: Any) -> Kept | None:  # noqa: ANN401, ARG002 - as in the protocol
        return None

    def discard(self, game: str, why: str) -> None:
        """There is nothing to discard."""

    def offer(self, game: AnyGame, head: str) -> None:
        """It is not kept."""

    async def close(self) -> None:
        """There is nothing to close."""


class RedisSnapshots:
    """Snapshots in Redis. `key` signs them; `fingerprint` is of the code that folds.

    Writing is one background task; of a game offered several times meanwhile only the last state is written.
    """

    def __init__(
        self,
        url: str,
        *,
        key: bytes,
        fingerprint: bytes | None = None,
        patience: float = PATIENCE,
        breaker: Breaker | None = None,
        days: int = 7,
    ) -> None:
        self._redis = Shared(url, socket_timeout=max(LEISURE, patience))
        self._key, self._patience, self._seconds = key, patience, days * 86400
        self._fingerprint = folding_fingerprint() if fingerprint is None else fingerprint
        self._breaker = breaker or Breaker()
        self._offered: dict[str, tuple[AnyGame | None, str]] = {}
        self._writer: asyncio.Task[None] | None = None
        self.counts: Counter[str] = Counter()

    async def open(self) -> None:
        await self._redis.open()

    @property
    def works(self) -> bool:
        return self._breaker.works

    async def load(self, game: str, kind: Any) -> Kept | None:  # noqa: ANN401 - as in the protocol
        data = await self._ask(partial(self._read_one, game), self._patience)
        if data is None:
            self.counts["missed"] += 1
            return None
        fault, kept = self._read(game, data, kind)
        if kept is None:
            self.discard(game, fault)
        else:
            self.counts["hit"] += 1
        return kept

    def discard(self, game: str, why: str) -> None:
        self.counts[why] += 1
        logger.warning("snapshot of game %s left aside: %s", game, why)
        self._write_later(game, None, "")

    def offer(self, game: AnyGame, head: str) -> None:
        self._write_later(game.id, game, head)

    async def close(self) -> None:
        if self._writer is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._writer, LEISURE)
        await self._redis.close()

    def _read(self, game: str, data: bytes, kind: Any) -> tuple[str, Kept | None]:  # noqa: ANN401 - as in the protocol
        try:
            snapshot = _decoder.decode(data)
            if not hmac.compare_digest(snapshot.checksum, self._checksum(snapshot)):
                return "checksum", None
            if snapshot.fingerprint != self._fingerprint:
                return "fingerprint", None
            state = msgspec.msgpack.decode(snapshot.state, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return "unreadable", None
        if (state.id, state.version) != (game, snapshot.seq):
            return "misplaced", None
        return "", Kept(state, snapshot.head)

    def _made(self, game: AnyGame, head: str) -> bytes:
        unsigned = Snapshot(game.version, head, self._fingerprint, _encoder.encode(game), b"")
        return _encoder.encode(msgspec.structs.replace(unsigned, checksum=self._checksum(unsigned)))

    def _checksum(self, snapshot: Snapshot) -> bytes:
        covered = (snapshot.seq, snapshot.head, snapshot.fingerprint, snapshot.state)
        return hmac.digest(self._key, _encoder.encode(covered), "sha256")

    def _write_later(self, game: str, state: AnyGame | None, head: str) -> None:
        self._offered[game] = (state, head)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.get_running_loop().create_task(self._write(), name="snapshots")

    async def _write(self) -> None:
        while self._offered:
            batch = [self._offered.popitem() for _ in range(min(TOGETHER, len(self._offered)))]
            await self._ask(partial(self._write_all, batch), LEISURE)
            await asyncio.sleep(GATHER)

    async def _read_one(self, game: str) -> Any:  # noqa: ANN401 - Redis' answer
        return await (await self._redis.client()).get(_name(game))

    async def _write_all(self, batch: Sequence[tuple[str, tuple[AnyGame | None, str]]]) -> None:
        redis = await self._redis.client()
        async with redis.pipeline(transaction=False) as line:
            for game, (state, head) in batch:
                if state is None:
                    line.delete(_name(game))
                else:
                    line.set(_name(game), self._made(state, head), ex=self._seconds)
            await line.execute()

    async def _ask(self, question: Callable[[], Awaitable[Any]], patience: float) -> Any:  # noqa: ANN401 - Redis' answer
        """Redis' answer; None where it has none in time, or is being left alone."""
        if self._redis.is_opening() or not self._breaker.closed:
            self.counts["left_alone"] += 1
            return None
        try:
            async with asyncio.timeout(patience):
                answer = await question()
        except AWAY as error:
            if self._redis.is_opening():
                self.counts["left_alone"] += 1
                return None
            self._breaker.failed()
            self._redis.doubt()
            self.counts["failed"] += 1
            logger.warning("Redis does not answer and is left alone for a while: %s", type(error).__name__)
            return None
        self._breaker.worked()
        return answer


def _name(game: str) -> str:
    return f"{{{game}}}:snap"


@cache
def folding_fingerprint() -> bytes:
    """A fingerprint of the code that a state is the work of: another release folds anew."""
    found = sha256()
    for package in ("events", "projections"):
        for name, text in sorted(_sources(files(package), package)):
            found.update(f"{name}\n{len(text)}\n".encode() + text)
    return found.digest()


def _sources(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for item in folder.iterdir():
        path = f"{name}/{item.name}"
        if item.is_dir():
            found.extend(_sources(item, path))
        elif item.name.endswith(".py"):
            found.append((path, item.read_bytes()))
    return found
