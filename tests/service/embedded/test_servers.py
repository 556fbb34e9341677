"""The embedded servers, for real: each test starts what it talks about."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM, Signals
from typing import NoReturn

import asyncpg
import psutil
import pytest
from redis import Redis

from service.embedded import DataFolderInUse, EmbeddedServers, ServerDied, binaries
from service.embedded import servers as embedded_servers
from service.embedded.account import Account, can_enter
from tests.processes import all_gone, lives

HOLDER = """
import sys, time
from pathlib import Path
from service.embedded import EmbeddedServers
with EmbeddedServers(Path(sys.argv[1])) as embedded:
    print(*embedded.pids.values(), flush=True)
    time.sleep(60)
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every account may enter, which `tmp_path` is not."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


@pytest.fixture
def holder(data: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """Another process that runs servers in `data`, and their pids."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(data)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, [int(pid) for pid in process.stdout.readline().split()]
        process.kill()


async def _ask(url: str | None, query: str) -> object:
    connection = await asyncpg.connect(url, timeout=300)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def _until(holds: Callable[[], bool]) -> None:
    for _ in range(3000):
        if holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it never came to that")


async def test_both_servers_answer_and_the_log_is_durable(data: Path) -> None:
    async with EmbeddedServers(data) as embedded:
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "data_checksums"):
            assert await _ask(embedded.database_url, f"SHOW {setting}") == "on"
        assert await _ask(embedded.database_url, "SHOW listen_addresses") == ""
        assert embedded.redis_url is not None
        with Redis.from_url(embedded.redis_url) as cache:
            assert cache.set("k", "v")
            assert cache.config_get("maxmemory-policy", "save") == {"maxmemory-policy": "allkeys-lru", "save": ""}
    assert all_gone(list(embedded.pids.values()))


async def test_rows_stay_and_the_cache_does_not(data: Path) -> None:
    with EmbeddedServers(data) as first:
        await _ask(first.database_url, "CREATE TABLE kept AS SELECT 42 AS answer")
        with Redis.from_url(str(first.redis_url)) as cache:
            cache.set("k", "v")
    with EmbeddedServers(data) as second:
        assert await _ask(second.database_url, "SELECT answer FROM kept") == 42
        with Redis.from_url(str(second.redis_url)) as cache:
            assert cache.get("k") is None


def test_one_server_can_be_left_out(data: Path) -> None:
    with EmbeddedServers(data, postgres=False) as embedded:
        assert embedded.database_url is None
        assert list(embedded.pids) == ["valkey"]


def test_a_second_start_on_the_folder_is_refused_and_says_who_has_it(data: Path) -> None:
    servers = EmbeddedServers(data, postgres=False)
    with servers as first:
        with pytest.raises(DataFolderInUse, match=f"{data} is in use by process {os.getpid()}") as refused:
            EmbeddedServers(data, postgres=False).start()
        assert refused.value.pid == os.getpid()
        assert servers.start() == first


async def test_killed_servers_come_back_with_their_rows(data: Path) -> None:
    servers = EmbeddedServers(data)
    with servers as first:
        await _ask(first.database_url, "CREATE TABLE kept AS SELECT 42 AS answer")
        for pid in first.pids.values():
            os.kill(pid, SIGKILL)
        assert all_gone(list(first.pids.values()))
        again = servers.start()
        assert not set(again.pids.values()) & set(first.pids.values())
        assert await _ask(again.database_url, "SELECT answer FROM kept") == 42


async def test_killed_servers_come_back_by_themselves_where_they_are_looked_after(data: Path) -> None:
    servers = EmbeddedServers(data)
    with servers.kept() as first:
        await _ask(first.database_url, "CREATE TABLE kept AS SELECT 42 AS answer")
        for pid in first.pids.values():
            os.kill(pid, SIGKILL)
        assert all_gone(list(first.pids.values()))
        await _until(lambda: not set(first.pids.values()) & {server.pid for server in servers._servers.values()})
        again = servers._found()
        assert await _ask(again.database_url, "SELECT answer FROM kept") == 42
        with Redis.from_url(str(again.redis_url)) as cache:
            assert cache.ping()
    assert all_gone(list(again.pids.values()))


async def test_a_server_that_cannot_come_back_yet_is_tried_again(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_servers, "GLANCE", 0.01)
    in_vain: list[None] = []

    def start(*_: object) -> NoReturn:
        in_vain.append(None)
        raise OSError("the disk is full")

    servers = EmbeddedServers(data, postgres=False)
    with servers.kept() as first:
        with monkeypatch.context() as patch:
            patch.setattr(embedded_servers, "start_valkey", start)
            os.kill(first.pids["valkey"], SIGKILL)
            await _until(lambda: len(in_vain) > 1)
        await _until(lambda: servers._servers["valkey"].pid != first.pids["valkey"])


@pytest.mark.parametrize("signal", [SIGINT, SIGKILL, SIGTERM])
def test_however_the_owner_ends_no_server_stays(
    data: Path, holder: tuple[subprocess.Popen[str], list[int]], signal: Signals
) -> None:
    process, pids = holder
    assert len(pids) == 2
    process.send_signal(signal)
    assert all_gone([process.pid, *pids])
    assert "database system is shut down" in (data / "postgres.log").read_text()


async def test_the_folder_of_a_killed_owner_can_be_taken_at_once(
    data: Path, holder: tuple[subprocess.Popen[str], list[int]]
) -> None:
    process, pids = holder
    await _ask(f"postgresql://postgres@/postgres?host={data}/postgres", "CREATE TABLE kept AS SELECT 42 AS answer")
    process.kill()
    process.wait()
    with EmbeddedServers(data) as embedded:
        assert await _ask(embedded.database_url, "SELECT answer FROM kept") == 42
        assert not any(map(lives, pids))


def test_a_pid_file_that_names_a_stranger_does_no_harm(data: Path) -> None:
    with EmbeddedServers(data, valkey=False):
        pidfile = (data / "postgres" / "postmaster.pid").read_text()
    stranger = str(os.getppid())
    (data / "postgres" / "postmaster.pid").write_text("\n".join([stranger, *pidfile.split("\n")[1:]]))
    with EmbeddedServers(data, valkey=False) as embedded:
        assert lives(embedded.pids["postgres"])
    assert lives(int(stranger))


async def test_a_path_too_long_for_a_socket_is_no_obstacle(data: Path) -> None:
    with EmbeddedServers(data / ("long folder " * 9)) as embedded:
        assert await _ask(embedded.database_url, "SELECT 1") == 1
        with Redis.from_url(str(embedded.redis_url)) as cache:
            assert cache.ping()


async def test_settings_reach_postgres(data: Path) -> None:
    with EmbeddedServers(data, valkey=False, postgres_settings={"synchronous_commit": "off"}) as embedded:
        assert await _ask(embedded.database_url, "SHOW synchronous_commit") == "off"


def test_a_server_that_cannot_start_says_why_and_frees_the_folder(data: Path) -> None:
    with pytest.raises(ServerDied, match="no_such_setting"):
        EmbeddedServers(data, valkey=False, postgres_settings={"no_such_setting": "1"}).start()
    with EmbeddedServers(data, postgres=False):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lend another account")
def test_as_root_the_servers_run_as_someone_else(data: Path) -> None:
    with EmbeddedServers(data) as embedded:
        assert all(psutil.Process(pid).uids().effective != 0 for pid in embedded.pids.values())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lend another account")
async def test_root_lends_the_programs_where_the_other_account_cannot_reach_the_wheels(
    data: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binaries, "can_enter", lambda _account, _folder: False)
    monkeypatch.setattr(binaries, "LENT", open_folder / "lent")
    with EmbeddedServers(data) as embedded:
        assert await _ask(embedded.database_url, "SELECT 1") == 1
        assert all(psutil.Process(pid).exe().startswith(str(open_folder)) for pid in embedded.pids.values())


def test_an_account_passes_only_where_every_folder_lets_it(tmp_path: Path) -> None:
    stranger = Account(uid=12345, gid=12345)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    assert can_enter(stranger, Path("/"))
    assert not can_enter(stranger, closed)


def test_a_fork_of_the_starter_stops_nothing(data: Path) -> None:
    servers = EmbeddedServers(data, postgres=False)
    with servers as embedded:
        servers._starter = os.getpid() + 1
        servers.stop()
        assert lives(embedded.pids["valkey"])
        servers._starter = os.getpid()
