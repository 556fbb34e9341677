import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bench.wire import BrokenTalk, Line, request

Served = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


@asynccontextmanager
async def serving(talk: Served) -> AsyncIterator[int]:
    """A server's port; in the end it has been talked to."""
    talks: list[asyncio.Task[None]] = []

    async def talk_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await talk(reader, writer)
        writer.close()
        await writer.wait_closed()

    def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.create_task(talk_and_close(reader, writer)))

    server = await asyncio.start_server(met, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    await asyncio.gather(*talks)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers with the path that was asked for, in two pieces."""
    while line := await reader.readline():
        path = line.split()[1]
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(path), path[:3]))
        await writer.drain()
        await asyncio.sleep(0)
        writer.write(path[3:])


async def test_answers_stand_in_the_order_of_their_requests() -> None:
    paths = [f"/games/{number}" for number in range(50)]
    async with serving(echo) as port:
        line = Line(port, 4)
        burst = await line.ask([request("GET", path) for path in paths])
        line.close()
    assert [answer.body.decode() for answer in burst.answers] == paths
    assert {answer.status for answer in burst.answers} == {200}
    assert all(0 < answer.seconds <= burst.seconds for answer in burst.answers)


async def test_one_connection_has_one_request_under_way() -> None:
    under_way, most = 0, 0

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal under_way, most
        while await reader.readline():
            await reader.readuntil(b"\r\n\r\n")
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            under_way -= 1
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    async with serving(slow) as port:
        line = Line(port, 3)
        burst = await line.ask([request("GET", "/")] * 30)
        line.close()
    assert len(burst.answers) == 30
    assert 1 <= most <= 3


async def test_a_server_that_hangs_up_is_no_answer() -> None:
    async def rude(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()

    async with serving(rude) as port:
        with pytest.raises(BrokenTalk):
            await Line(port, 1).ask([request("GET", "/")])
