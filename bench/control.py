"""What the service is compared with: bare endpoints of the same framework on the same kind of server.

`python -m bench.control PORT WORKERS` serves them. They read and answer JSON of the same size as a move's, and one of
them inserts a row of the same size as an entry's, over as many connections; beyond that they do nothing of what the
service does. Python's collector is set as the service sets it.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from uuid import uuid4

import asyncpg
import msgspec
from granian import Granian
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from litestar import Litestar, Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from service.settings import Settings

SIZES = "BENCH_SIZES"
"""The environment variable that says how long an entry's body, a command's answer and a view are."""

TABLE = """
CREATE TABLE IF NOT EXISTS bare (
    game_id uuid NOT NULL, seq bigint NOT NULL, command_id uuid NOT NULL,
    fingerprint bytea NOT NULL, hash bytea NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (game_id, seq)
)
"""
INSERT = "INSERT INTO bare VALUES ($1, $2, $3, $4, $5, $6)"


class Sizes(msgspec.Struct, frozen=True):
    """Bytes of an entry, of the answer to a command, and of a view of each ruleset: those of the games in play."""

    row: int
    answer: int
    views: dict[str, int]


def padded(size: int) -> bytes:
    """JSON of this many bytes."""
    return b'{"filler":"' + b"x" * max(size - 13, 0) + b'"}'


class Rows:
    """Rows as the log has them, with a body of so many bytes that does not compress. They are made once and numbered:
    whoever inserts them is to pay for inserting them.
    """

    def __init__(self, size: int) -> None:
        self._game, self._rest = uuid4(), (uuid4(), os.urandom(32), os.urandom(32), os.urandom(size))
        self._numbers = count()

    def __next__(self) -> tuple[Any, ...]:
        return self._game, next(self._numbers), *self._rest


@get("/view/{ruleset:str}")
async def view(ruleset: str, state: State) -> Response[bytes]:
    """Answer."""
    return Response(state.views[ruleset], media_type="application/json")


@post("/answer", status_code=200)
async def answer(data: JSONBody[dict[str, Any]], state: State) -> Response[bytes]:
    """Read a command, answer."""
    del data
    return Response(state.answer, media_type="application/json")


@post("/insert", status_code=200)
async def insert(data: JSONBody[dict[str, Any]], state: State) -> Response[bytes]:
    """Read a command, insert a row, answer."""
    del data
    await state.pool.execute(INSERT, *next(state.rows))
    return Response(state.answer, media_type="application/json")


def create() -> Litestar:
    """The application of one worker."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    sizes = msgspec.json.decode(os.environ[SIZES], type=Sizes)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)

    @asynccontextmanager
    async def opened(app: Litestar) -> AsyncIterator[None]:
        size = Settings().database_connections
        async with asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=size, max_size=size) as pool:
            app.state.pool = pool
            yield

    views = {ruleset: padded(size) for ruleset, size in sizes.views.items()}
    state = State({"rows": Rows(sizes.row), "answer": padded(sizes.answer), "views": views})
    return Litestar([view, answer, insert], lifespan=[opened], openapi_config=None, logging_config=None, state=state)


def main() -> None:
    """Serve as `service.app` does."""
    Granian(
        "bench.control:create",
        factory=True,
        address="127.0.0.1",
        port=int(sys.argv[1]),
        interface=Interfaces.ASGI,
        workers=int(sys.argv[2]),
        websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=10_000),
    ).serve()


if __name__ == "__main__":
    main()
