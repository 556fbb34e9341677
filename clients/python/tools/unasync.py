"""Make `synchronous` of `asynchronous`: the same client, without waiting words. One source, two clients."""

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
    (r"\bAsync(Branch|Connection|Gusher|Table|Iterator|Generator|BaseTransport)\b", r"\1"),
    (r"httpx\.AsyncClient\b", "httpx.Client"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|closing|read|iter_bytes)\b", r"\1"),
    (r"\basyncio\b", "time"),
    (r"\bgusher_client\.asynchronous\b", "gusher_client.synchronous"),
    (r"(?m)^( *)for (\w+) in (.+):\n\1    yield \2\n(?!\1    )", r"\1yield from \3\n"),
)


SOURCE, MADE = PACKAGE / "asynchronous", PACKAGE / "synchronous"


def synchronous(module: Path) -> str:
    """The module without waiting words, formatted: some of its lines have become short enough to be one."""
    source = module.read_text()
    for pattern, replacement in _CHANGES:
        source = re.sub(pattern, replacement, source)
    _, _, rest = source.partition("\n")
    made = f'"""Made of `asynchronous/{module.name}` by `tools/unasync.py`, without `await`."""\n{rest}'
    for words in (["check", "--select", "I", "--fix"], ["format"]):
        tidying = [sys.executable, "-m", "ruff", *words, "--quiet", "--stdin-filename", str(MADE / module.name), "-"]
        made = subprocess.run(tidying, input=made, capture_output=True, text=True, check=True).stdout
    return made


def main() -> None:
    """Write every module of the package."""
    MADE.mkdir(exist_ok=True)
    for module in sorted(SOURCE.glob("*.py")):
        (MADE / module.name).write_text(synchronous(module))


if __name__ == "__main__":
    main()
