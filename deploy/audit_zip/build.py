"""`make audit-zip`: one file, `gusher-audit.pyz`, with which anybody who has Python can audit an export.

It holds the pure packages with their editions, and msgspec's wheels for every system below, downloaded in the version
and with the hashes of requirements.lock. The same source makes the same bytes.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("events", "projections", "rules", "audit")
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS: Final = (
    "manylinux_2_28_x86_64",
    "manylinux_2_28_aarch64",
    "musllinux_1_2_x86_64",
    "musllinux_1_2_aarch64",
    "macosx_11_0_arm64",
    "macosx_10_15_x86_64",
    "win_amd64",
    "win_arm64",
)
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive: today's would make every archive another one."""


def main() -> None:
    """Build the file and say what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "gusher-audit.pyz")
    parser.add_argument("--wheels", type=Path, default=ROOT / "build" / "audit-zip", help="where downloads are kept")
    parser.add_argument("--here", action="store_true", help="for this Python on this machine only")
    asked = parser.parse_args()
    wheels = sorted(_wheels(asked.wheels, here=asked.here))
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    with asked.out.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, data in (*_sources(), *((f"wheels/{wheel.name}", wheel.read_bytes()) for wheel in wheels)):
                _add(archive, name, data)
    asked.out.chmod(0o755)
    sys.stdout.write(f"{asked.out}: {asked.out.stat().st_size / 1e6:.1f} MB, msgspec for {len(wheels)} systems\n")


def _sources() -> Iterator[tuple[str, bytes]]:
    yield "__main__.py", (ROOT / "deploy" / "audit_zip" / "start.py").read_bytes()
    yield "LICENSE", (ROOT / "LICENSE").read_bytes()
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*")):
            if file.suffix in {".py", ".json"}:
                yield file.relative_to(ROOT).as_posix(), file.read_bytes()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, LONG_AGO)
    info.external_attr = 0o644 << 16
    # A wheel is packed already.
    info.compress_type = zipfile.ZIP_STORED if name.endswith(".whl") else zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


def _wheels(folder: Path, *, here: bool) -> Iterable[Path]:
    """The wheels of msgspec; what is not there yet is downloaded."""
    folder.mkdir(parents=True, exist_ok=True)
    pinned = folder / "requirements.txt"
    pinned.write_text(_pinned((ROOT / "requirements.lock").read_text()))
    wanted = [("", "")] if here else [(python, system) for python in PYTHONS for system in SYSTEMS]
    return {_download(folder, pinned, python, system) for python, system in wanted}


def _pinned(lock: str) -> str:
    """The lines of the lock file that pin msgspec."""
    found = re.search(r"^msgspec==.*\n(?:    --hash=.*\n)+", lock, flags=re.MULTILINE)
    assert found is not None, "requirements.lock does not pin msgspec"
    return found[0]


def _download(folder: Path, pinned: Path, python: str, system: str) -> Path:
    place = folder / (f"{python}-{system}" if python else f"here-{sys.implementation.cache_tag}")
    place.mkdir(exist_ok=True)
    version = pinned.read_text().partition("==")[2].split()[0]
    kept = list(place.glob(f"msgspec-{version}-*.whl"))
    if not kept:
        chosen = ["--python-version", python, "--platform", system, "--implementation", "cp"] if python else []
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--require-hashes", "-r", str(pinned), "-d", str(place), *chosen], check=True)
        kept = list(place.glob(f"msgspec-{version}-*.whl"))
    (wheel,) = kept
    return wheel


if __name__ == "__main__":
    main()
