"""One data folder, one owner at a time."""

import fcntl
import os
from pathlib import Path

from service.embedded.failures import DataFolderInUse


class FolderLock:
    """A lock on a folder that ends with the process that holds it, however that process ends."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "lock"
        self._file: int | None = None

    def take(self) -> None:
        """The lock is ours, and the file names our process; else `DataFolderInUse` names the other one."""
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(file, 20).strip()
            os.close(file)
            raise DataFolderInUse(self.path.parent, int(holder) if holder.isdigit() else None) from None
        os.truncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode())
        self._file = file

    def release(self) -> None:
        """The next one may take the folder. The file stays: removing it would let two processes lock two files."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
