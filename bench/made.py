"""What results are made with: commit, time, machine."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


def git(*words: str) -> str:
    """What git says, here; nothing where there is no git."""
    command = ["git", *words]
    return subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False).stdout


def commit() -> str:
    """The commit that this is, and whether it was changed since."""
    return git("describe", "--always", "--dirty").strip() or "unknown"


def now() -> str:
    """The time, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())


def machine() -> str:
    """Processor, cores, how busy they are, system."""
    shared = f"{os.cpu_count()} cores shared by service, database, client and whatever else ran"
    load = f"load at the end of the run: {os.getloadavg()[0]:.1f}"
    return f"{_processor()}, {shared} ({load}); {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
