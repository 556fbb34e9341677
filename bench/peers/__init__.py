"""Others that keep games or events, on the same machine in the same run. What they need is installed by the bench into
a folder of its own, `bench/peers/.installed`; one that cannot be installed is left out with a word about why.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bench.figures import Figure

TARGETS: Final[Mapping[str, float]] = {}


def measure(folder: Path, say) -> list[Figure]:
    return []
