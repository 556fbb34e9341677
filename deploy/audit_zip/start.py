"""What `gusher-audit.pyz` does first: unpack the msgspec it carries for this Python, then audit.

Everything else in the file is read straight from it; a compiled module has to lie in a folder. Such a folder in the
user's cache is held against the file every time, so that nobody can slip another one in.
"""

from __future__ import annotations

import atexit
import os
import platform
import shutil
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

OLDEST = (3, 11)
UNUSABLE = 64
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
FAMILIES = {"Windows": "win", "Darwin": "macosx"}
SYSTEM = platform.system()


def main() -> int:
    """Audit what the command line names."""
    if sys.version_info < OLDEST:
        return _give_up("This needs Python 3.11 or newer; it runs on " + platform.python_version())
    archive = Path(__file__).resolve().parent
    with zipfile.ZipFile(archive) as opened:
        wheel = next((name for name in opened.namelist() if _fits(name)), None)
        if wheel is not None:
            sys.path.insert(0, str(_unpacked(opened, wheel)))
    try:
        from audit.command import main as audit
    except ModuleNotFoundError as error:
        if error.name != "msgspec":
            raise
        return _give_up(
            f"This carries no msgspec for Python {platform.python_version()} on {sysconfig.get_platform()}. "
            "Install it (`python -m pip install msgspec`) and run this again."
        )
    return audit(prog=archive.name)


def _give_up(words: str) -> int:
    sys.stderr.write(words + "\n")
    return UNUSABLE


def _fits(name: str) -> bool:
    """Whether this is a wheel for the Python and the machine that run this."""
    if not (name.startswith("wheels/") and name.endswith(".whl")):
        return False
    _, _, python, abi, platforms = name[: -len(".whl")].split("-")
    own = f"cp{sys.version_info.major}{sys.version_info.minor}"
    threads = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    if sys.implementation.name != "cpython" or (python, abi) != (own, own + threads):
        return False
    return any(tag.startswith(_family()) and _machine_of(tag) == _machine() for tag in platforms.split("."))


def _family() -> str:
    if SYSTEM == "Linux":
        return "manylinux" if platform.libc_ver()[0] == "glibc" else "musllinux"
    return FAMILIES.get(SYSTEM, SYSTEM)


def _machine() -> str:
    # On Windows a Python may be made for another processor than the machine's.
    own = sysconfig.get_platform().partition("-")[2] if SYSTEM == "Windows" else platform.machine()
    return MACHINES.get(own.lower(), own.lower())


def _machine_of(tag: str) -> str:
    found = next((name for name in ("x86_64", "aarch64", "amd64", "arm64") if tag.endswith(name)), "")
    return MACHINES.get(found, found)


def _unpacked(archive: zipfile.ZipFile, wheel: str) -> Path:
    """A folder with the wheel's files: in the user's cache, or one for this run alone."""
    with archive.open(wheel) as data, zipfile.ZipFile(data) as packed:
        kept = _cache() / "gusher-audit" / Path(wheel).stem
        try:
            if not _holds(kept, packed):
                _put(packed, kept)
            if _holds(kept, packed):
                return kept
        except OSError:
            pass
        fresh = Path(tempfile.mkdtemp(prefix="gusher-audit-"))
        atexit.register(shutil.rmtree, fresh, ignore_errors=True)
        packed.extractall(fresh)
        return fresh


def _cache() -> Path:
    if SYSTEM == "Windows":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if SYSTEM == "Darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _holds(folder: Path, packed: zipfile.ZipFile) -> bool:
    """Whether the folder has exactly the wheel's files, byte for byte."""
    if not folder.is_dir():
        return False
    wanted = {name for name in packed.namelist() if not name.endswith("/")}
    found = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if not file.is_dir()}
    return found == wanted and all((folder / name).read_bytes() == packed.read(name) for name in wanted)


def _put(packed: zipfile.ZipFile, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=folder.parent))
    try:
        packed.extractall(fresh)
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


if __name__ == "__main__":
    # Compiled files beside the unpacked ones would be files that the wheel does not have.
    sys.dont_write_bytecode = True
    sys.exit(main())
