"""The service with one address more, at which a worker says what it holds: tasks, streams, places for streams."""

from __future__ import annotations

import asyncio
import gc
import os
from typing import Any

import msgspec
from msgspec import Struct

import service.app

ADDRESS = "/counts"


class Counts(Struct, frozen=True):
    """What one worker holds."""

    pid: int
    tasks: int
    streams: int
    places: int


def install() -> None:
    """From now on workers are made with that address. Before `serve`, which forks them."""
    create = service.app.create

    def counted() -> Any:
        front: Any = create()

        async def answer(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] != "http" or scope["path"] != ADDRESS:
                await front(scope, receive, send)
                return
            gc.collect()
            state = front.app.state
            held = Counts(os.getpid(), len(asyncio.all_tasks()), state.desk.live.open, state.gate.leases.held)
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": msgspec.json.encode(held), "more_body": False})

        return answer

    service.app.create = counted
