"""A cluster of six Valkeys, three primaries with a replica each, as real processes on loopback."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Any

from redis import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError

from service.embedded.account import account_for, folder_of
from service.embedded.binaries import valkey_server
from service.embedded.process import Server

SLOTS = 16384
PRIMARIES = 3

SETTINGS = {
    "cluster-enabled": "yes",
    "cluster-node-timeout": "2000",
    "bind": "127.0.0.1",
    "save": "",
    "appendonly": "no",
    "repl-diskless-sync-delay": "0",
    "daemonize": "no",
}


class Valkeys:
    """Where the six are. The first three begin as primaries, the other three as their replicas."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        account = account_for(folder, folder / "0")
        self.ports = _free_ports(2 * PRIMARIES)
        self.servers: dict[int, Server] = {}
        for number, (port, bus) in enumerate(self.ports.items()):
            home = folder / str(number)
            folder_of(account, home)
            settings = {**SETTINGS, "port": str(port), "cluster-port": str(bus)}
            words = [word for name, value in settings.items() for word in (f"--{name}", value)]
            program = str(valkey_server(account))
            self.servers[port] = Server(
                "Valkey", [program, *words], folder=home, log=folder / "log", account=account, stop=SIGTERM
            )

    @property
    def url(self) -> str:
        """The address of a node that runs."""
        return f"redis://127.0.0.1:{self.running()[-1]}"

    def running(self) -> list[int]:
        """The ports of those that run."""
        return [port for port, server in self.servers.items() if server.runs]

    def join(self) -> None:
        """They are one cluster, and each primary has its replica."""
        ports = list(self.ports)
        for port in ports:
            _until(partial(_ask, port, "PING"))
        for port in ports[1:]:
            _ask(ports[0], "CLUSTER MEET", "127.0.0.1", port, self.ports[port])
        share = -(-SLOTS // PRIMARIES)
        for number, port in enumerate(ports[:PRIMARIES]):
            last = min((number + 1) * share, SLOTS) - 1
            _ask(port, "CLUSTER ADDSLOTSRANGE", number * share, last)
        for number, port in enumerate(ports[PRIMARIES:]):
            primary = _ask(ports[number], "CLUSTER MYID")
            _until(partial(_knows, port, primary))
            _ask(port, "CLUSTER REPLICATE", primary)
        self.wait()

    def wait(self) -> None:
        """Every slot is served by a node that runs, as each of these sees it, and replicas have caught up."""
        _until(lambda: all(self._settled(port) for port in self.running()))

    def owner_of(self, key: str) -> int:
        """The port of the primary that the key lies on."""
        return self._owner(key_slot(key.encode()))

    def kill(self, port: int) -> None:
        """That server ends as in a power cut."""
        os.kill(self.servers[port].pid, SIGKILL)
        _until(lambda: not self.servers[port].runs)

    def stop(self) -> None:
        """All of them have ended."""
        for server in self.servers.values():
            server.stop()

    def _owner(self, slot: int) -> int:
        served = _ask(self.running()[-1], "CLUSTER SLOTS")
        return next(int(primary[1]) for first, last, primary, *_ in served if first <= slot <= last)

    def _settled(self, port: int) -> bool:
        state, replication = _ask(port, "CLUSTER INFO"), _ask(port, "INFO", "replication")
        caught_up = replication["role"] == "master" or replication["master_link_status"] == "up"
        known = int(state["cluster_known_nodes"]) == len(self.ports)
        served = {int(primary[1]) for _first, _last, primary, *_ in _ask(port, "CLUSTER SLOTS")}
        return bool(caught_up and known and state["cluster_state"] == "ok" and served <= set(self.running()))


def _ask(port: int, *words: object) -> Any:
    with Redis(port=port, decode_responses=True, socket_timeout=5) as client:
        return client.execute_command(*words)


def _knows(port: int, node: str) -> bool:
    return any(one["node_id"] == node for one in _ask(port, "CLUSTER NODES").values())


def _until(ready: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not _holds(ready):
        assert time.monotonic() < give_up, "the cluster is not ready"
        time.sleep(0.05)


def _holds(ready: Callable[[], bool]) -> bool:
    try:
        return ready()
    except (RedisError, OSError):
        return False


def _free_ports(number: int) -> dict[int, int]:
    """So many ports, and as many for their talk among themselves."""
    probes = [socket.socket() for _ in range(2 * number)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return dict(zip(ports[:number], ports[number:], strict=True))


@contextmanager
def valkeys(folder: Path) -> Iterator[Valkeys]:
    """Six that are one cluster, ended afterwards."""
    cluster = Valkeys(folder)
    try:
        cluster.join()
        yield cluster
    finally:
        cluster.stop()
