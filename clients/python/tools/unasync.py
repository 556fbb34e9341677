"""Make `synchronous.py` of `asynchronous.py`: the same client, without waiting words. One source, two clients."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "gusher_client"

_CHANGES = (
    (r"AsyncGenerator\[(.+?), None\]", r"Generator[\1, None, None]"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(Gusher|Table|Iterator|Generator|BaseTransport)\b", r"\1"),
    (r"httpx\.AsyncClient\b", "httpx.Client"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|closing|read|iter_bytes)\b", r"\1"),
    (r"\basyncio\b", "time"),
    (r"(?m)^( *)for (\w+) in (.+):\n\1    yield \2\n(?!\1    )", r"\1yield from \3\n"),
)


def synchronous(source: str) -> str:
    """The module without waiting words, formatted: some of its lines have become short enough to be one."""
    for pattern, replacement in _CHANGES:
        source = re.sub(pattern, replacement, source)
    _, _, rest = source.partition("\n")
    made = '"""The client without `await`: made of `asynchronous.py` by `tools/unasync.py`."""\n' + rest
    formatter = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PACKAGE / "synchronous.py"), "-"]
    return subprocess.run(formatter, input=made, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    (PACKAGE / "synchronous.py").write_text(synchronous((PACKAGE / "asynchronous.py").read_text()))
