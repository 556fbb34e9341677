"""How much the tests of properties try: the same few examples in every run, or new ones and many of them.

`make soak` says `--hypothesis-profile=long`.
"""

from __future__ import annotations

from typing import Final

from hypothesis import HealthCheck, settings

SHORT: Final = "short"
LONG: Final = "long"
TIMES: Final = 20
"""How many times as many examples a long run tries."""

_COMMON: Final = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])


def register() -> None:
    """Make both known, and the short one usual: no clock, no memory of former runs, no luck."""
    settings.register_profile(SHORT, _COMMON, derandomize=True, database=None)
    settings.register_profile(LONG, _COMMON, max_examples=100 * TIMES)
    settings.load_profile(SHORT)


def examples(usual: int) -> settings:
    """Settings with so many examples, more of them in a long run."""
    return settings(max_examples=usual * (TIMES if settings.get_current_profile_name() == LONG else 1))
