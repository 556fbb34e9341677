"""Who the servers run as. Postgres refuses to run as root, so root lends them another account."""

import os
import pwd
from pathlib import Path
from typing import NamedTuple

from service.embedded.failures import DataFolderNotOurs


class Account(NamedTuple):
    """A user and its group."""

    uid: int
    gid: int

    @property
    def is_ours(self) -> bool:
        """No change of user is needed to run as this account."""
        return self.uid == os.geteuid()


def account_for(data: Path, pgdata: Path) -> Account:
    """Whoever owns the database or the folder; `nobody` where that is root."""
    if pgdata.exists():
        return _owner_of_database(pgdata)
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    owner = data.stat()
    if owner.st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid)


def _owner_of_database(pgdata: Path) -> Account:
    found = pgdata.stat()
    if os.geteuid() not in (0, found.st_uid):
        raise DataFolderNotOurs(pgdata, pgdata.owner())
    return Account(found.st_uid, found.st_gid)


def folder_of(account: Account, path: Path) -> Path:
    """A folder that exists, belongs to this account, and is closed to everyone else."""
    path.mkdir(mode=0o700, exist_ok=True)
    if not account.is_ours:
        os.chown(path, account.uid, account.gid)
    return path


def can_enter(account: Account, folder: Path) -> bool:
    """Every folder on the way lets this account pass.

    Groups and access lists are not asked: a wrong no only costs a copy.
    """
    return all(
        found.st_mode & (0o100 if found.st_uid == account.uid else 0o001)
        for found in (step.stat() for step in (folder, *folder.parents))
    )
