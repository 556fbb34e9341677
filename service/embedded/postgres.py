"""The embedded Postgres: durable, reachable over a socket in its own closed folder, and nothing else."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from signal import SIGINT, SIGQUIT

from service.embedded.account import Account, folder_of
from service.embedded.binaries import postgres_bin
from service.embedded.failures import EmbeddedFailure
from service.embedded.process import PLAIN_ENVIRONMENT, Server, end_leftovers

# The folder we are started in, by a name that needs no right to enter the folders above it: root's Postgres runs as
# `nobody`, who cannot walk through /root.
HERE = "/proc/self/cwd" if sys.platform == "linux" else "."

SETTINGS = {
    "listen_addresses": "",  # no port: whoever may enter the folder may connect, nobody else
    "unix_socket_directories": ".",
    "unix_socket_permissions": "0700",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


def make_database(pgdata: Path, account: Account) -> None:
    """The folder holds a database. It appears in one step, so an interrupted first start leaves no half of one."""
    if pgdata.exists():
        return
    unfinished = pgdata.with_suffix(".new")
    shutil.rmtree(unfinished, ignore_errors=True)
    folder_of(account, unfinished)
    done = subprocess.run(
        [
            str(postgres_bin(account) / "initdb"),
            *("-D", HERE, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-instructions"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),  # the same order on every machine
        ],
        cwd=unfinished,
        env=PLAIN_ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        user=None if account.is_ours else account.uid,
        group=None if account.is_ours else account.gid,
        extra_groups=None if account.is_ours else [],
    )
    if done.returncode != 0:
        raise EmbeddedFailure(f"initdb failed in {unfinished}:\n{done.stdout}{done.stderr}")
    unfinished.rename(pgdata)


def start_postgres(pgdata: Path, log: Path, account: Account, settings: Mapping[str, str]) -> Server:
    """Postgres answers. What a killed one left behind, processes or a lock file, is dealt with."""
    end_leftovers("postgres", pgdata, SIGINT)
    # Its process is gone; its number may by now be another's, which Postgres would take for a living server.
    (pgdata / "postmaster.pid").unlink(missing_ok=True)
    chosen = {**SETTINGS, **settings}
    server = Server(
        "Postgres",
        [str(postgres_bin(account) / "postgres"), "-D", HERE, *(f"--{name}={value}" for name, value in chosen.items())],
        folder=pgdata,
        log=log,
        account=account,
        stop=SIGINT,
    )
    server.wait_until(lambda: _is_ready(pgdata, server.pid), seconds=120)
    return server


def stop_postgres(server: Server) -> None:
    """A fast shutdown; if that hangs, an immediate one, from which the next start recovers."""
    server.stop(force=SIGQUIT)


def _is_ready(pgdata: Path, pid: int) -> bool:
    """What `pg_ctl` asks: the pid file is this server's, and its eighth line says ready."""
    try:
        lines = (pgdata / "postmaster.pid").read_text().split("\n")
    except FileNotFoundError:
        return False
    return lines[0] == str(pid) and len(lines) > 7 and lines[7].strip() == "ready"
