"""What the service is compared with: bare endpoints of the same framework on the same kind of server.

`python -m bench.control PORT WORKERS` serves them. They read and answer JSON of the same size as a move's, and one of
them inserts a row of the same size as an entry's; beyond that they do nothing of what the service does.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
    """Bytes of an entry's body, of the answer to a command, of a view."""

    row: int = 900
    answer: int = 1500
    view: int = 4000


def padded(size: int) -> bytes:
    """JSON of this many bytes."""
    return b'{"filler":"' + b"x" * max(size - 13, 0) + b'"}'


def row(size: int) -> tuple[Any, ...]:
    """A row as the log has them, with a body of so many bytes."""
    return uuid4(), 1, uuid4(), os.urandom(32), os.urandom(32), os.urandom(size)


@get("/bare")
async def bare_get(state: State) -> Response[bytes]:
    """Answer."""
    return Response(state.view, media_type="application/json")


@post("/bare", status_code=200)
async def bare_post(data: JSONBody[dict[str, Any]], state: State) -> Response[bytes]:
    """Read a command, answer."""
    del data
    return Response(state.answer, media_type="application/json")


@post("/insert", status_code=200)
async def insert(data: JSONBody[dict[str, Any]], state: State) -> Response[bytes]:
    """Read a command, insert a row, answer."""
    del data
    await state.pool.execute(INSERT, *row(state.sizes.row))
    return Response(state.answer, media_type="application/json")


def create() -> Litestar:
    """The application of one worker."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    sizes = msgspec.json.decode(os.environ[SIZES], type=Sizes)

    @asynccontextmanager
    async def opened(app: Litestar) -> AsyncIterator[None]:
        async with asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=2, max_size=10) as pool:
            app.state.pool = pool
            yield

    state = State({"sizes": sizes, "answer": padded(sizes.answer), "view": padded(sizes.view)})
    return Litestar(
        [bare_get, bare_post, insert], lifespan=[opened], openapi_config=None, logging_config=None, state=state
    )


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
