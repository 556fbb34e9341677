"""What can keep the embedded servers from running, said to the person who started them."""

from pathlib import Path


class EmbeddedFailure(Exception):
    """The embedded servers cannot run; the message says what to do."""


class DataFolderInUse(EmbeddedFailure):
    """Another process runs its servers in this folder."""

    def __init__(self, path: Path, pid: int | None) -> None:
        self.path = path
        self.pid = pid
        holder = "another process" if pid is None else f"process {pid}"
        super().__init__(f"{path} is in use by {holder}. Stop that one first, or give another data folder.")


class DataFolderNotOurs(EmbeddedFailure):
    """The database files belong to another user."""

    def __init__(self, path: Path, owner: str) -> None:
        self.path = path
        self.owner = owner
        super().__init__(f"{path} belongs to {owner}. Run as {owner} or as root, or give another data folder.")


class ServerDied(EmbeddedFailure):
    """A server ended, or was not ready in time; the message ends with the last lines of its log."""

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self.log = log
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        super().__init__(f"{name} did not start. The end of {log}:\n" + "\n".join(lines[-12:]))
