"""The embedded Valkey: a cache that may vanish at any moment, and keeps nothing on disk."""

import socket
from pathlib import Path
from signal import SIGTERM

from service.embedded.account import Account, folder_of
from service.embedded.binaries import valkey_server
from service.embedded.process import Server, end_leftovers

SOCKET = "valkey.sock"

SETTINGS = {
    "port": "0",  # as with Postgres: who may enter the folder may connect
    "unixsocket": SOCKET,
    "unixsocketperm": "700",
    "save": "",
    "appendonly": "no",
    "maxmemory": "256mb",
    "maxmemory-policy": "allkeys-lru",
    "daemonize": "no",
}


def start_valkey(folder: Path, reach: Path, log: Path, account: Account) -> Server:
    """Valkey answers on the socket in this folder, which `reach` is a short enough name for."""
    folder_of(account, folder)
    end_leftovers("valkey-server", folder, SIGTERM)
    (folder / SOCKET).unlink(missing_ok=True)
    options = [word for name, value in SETTINGS.items() for word in (f"--{name}", value)]
    server = Server(
        "Valkey",
        [str(valkey_server(account)), *options],
        folder=folder,
        log=log,
        account=account,
        stop=SIGTERM,
    )
    server.wait_until(lambda: _answers(reach / SOCKET), seconds=30)
    return server


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(1)
        try:
            line.connect(str(path))
            line.sendall(b"PING\r\n")
            return line.recv(16).startswith(b"+PONG")
        except OSError:
            return False
