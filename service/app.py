"""The service as a server runs it: settings from the environment, the desk, the site around it."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import multiprocessing
import os
import resource
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

from granian import Granian
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from litestar import Litestar

from service.composition import compose
from service.handling.desk import Desk
from service.http.limits import open_gate
from service.http.site import Front, site
from service.settings import Settings, read_settings

PR_SET_PDEATHSIG: Final = 1

STOPPING: Final = (signal.SIGINT, signal.SIGTERM)

AGAIN: Final = 0.5
"""Seconds after which a worker that was told to stop and has not begun to is told again."""

Handlers = Mapping[signal.Signals, Any]
"""What is done at a signal, as `signal` takes it."""

PATIENCE: Final = 10_000
"""Milliseconds that a client may take to send its headers."""

CONNECTIONS: Final = 10_000
"""Connections that a worker takes at the same time, streams among them. Those beyond wait in the kernel's queue."""

QUEUE: Final = 4096
"""Connections that may wait there."""

OTHER_FILES: Final = 256
"""Files that a worker has open besides its connections: databases, logs, modules while they are read."""


def create() -> Front:
    """The application of one worker."""
    _end_with_parent()
    _collect_seldom()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    return application(read_settings(os.environ))


def application(
    settings: Settings, composed: Callable[[Settings], AbstractAsyncContextManager[Desk]] = compose
) -> Front:
    """The application with these settings; what it needs is opened when it starts, and closed when it stops."""

    @asynccontextmanager
    async def opened(app: Litestar) -> AsyncIterator[None]:
        servers = _ending_at_once()
        async with composed(settings) as desk:
            app.state.desk, app.state.gate = desk, open_gate(settings)
            await app.state.gate.open()
            measuring = asyncio.create_task(app.state.meter.leave(desk, app.state.gate), name="measures")
            try:
                with _ending_streams(desk, servers):
                    yield
            finally:
                measuring.cancel()
                await asyncio.gather(measuring, return_exceptions=True)
                await app.state.gate.close()

    return Front(site(None, settings, [opened]))


def _ending_at_once() -> Handlers:
    """Have a worker that is told to stop while it starts end at once: the server hears nothing before it serves, and
    nothing was promised to anybody yet. The handlers that there were.
    """
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: signal.signal(number, signal.SIG_DFL) for number in STOPPING}


@contextmanager
def _ending_streams(desk: Desk, servers: Handlers) -> Iterator[None]:
    """When the process is told to stop, streams end at once and name their place: they would outlive its patience.

    The server's own handlers, which the event loop calls, are called beside that; again and again until it stops, as
    it may not have begun to listen.
    """
    loop = asyncio.get_running_loop()

    def told(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(desk.end_streams)
        handler = servers[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)
        loop.call_soon_threadsafe(loop.call_later, AGAIN, signal.raise_signal, number)

    for number in servers:
        signal.signal(number, told)
    try:
        yield
    finally:
        for number, handler in servers.items():
            signal.signal(number, handler)


def _collect_seldom() -> None:
    """Look for cycles seldom, and never in what was imported. Games in memory are many objects and no cycles: looking
    through them as often as Python would by itself costs a twentieth of a move, and makes some moves wait.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _end_with_parent() -> None:
    """Have the kernel end this worker when its parent is killed, so that the next start finds the port free.

    At once, not politely: the embedded database ends with the parent too, and a polite stop would wait for it. What
    was acknowledged is in the log.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        parent = multiprocessing.parent_process()
        if parent is not None and os.getppid() != parent.pid:
            sys.exit("the server ended before its worker began")


def _workers_end_when_told() -> None:
    """Have a worker that has just been forked end when it is told to stop.

    Until it has handlers of its own it has its parent's, which would note the signal where nobody looks: a worker told
    to stop while it starts would run on until it is killed. Signals wait while it is forked, so none comes before.
    """

    def at_once() -> None:
        for number in STOPPING:
            signal.signal(number, signal.SIG_DFL)
        heard()

    def heard() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)

    def waiting() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)

    os.register_at_fork(before=waiting, after_in_parent=heard, after_in_child=at_once)


def serve(host: str, port: int, workers: int, application: str = "service.app:create") -> None:
    """Serve until SIGINT or SIGTERM. Workers read their settings from the environment; one that dies is replaced."""
    _workers_end_when_told()
    with TemporaryDirectory(prefix="gusher-metrics-") as os.environ["GUSHER_MEASURES"]:
        Granian(
            application,
            factory=True,
            address=host,
            port=port,
            interface=Interfaces.ASGI,
            workers=workers,
            websockets=False,
            respawn_failed_workers=True,
            workers_kill_timeout=read_settings(os.environ).grace,
            backlog=QUEUE,
            backpressure=_connections(),
            http1_settings=HTTP1Settings(header_read_timeout=PATIENCE),
        ).serve()


def _connections() -> int:
    """How many connections a worker may hold: as many as it may have files open, which is raised as far as may be.

    Left to itself the server would share 1,024 among its workers, and that many readers of streams would keep
    everybody else out.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return CONNECTIONS
    files = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(files - OTHER_FILES, 1)
