"""Every operation: what the documents describe, and what the site serves beside them."""

from __future__ import annotations

from typing import Final

from service.http import accounts, branches, disputes, feed, games, log, operations, play, results, rulesets, seats

ROUTES: Final = [
    route
    for room in (rulesets, accounts, games, seats, play, log, feed, results, branches, disputes, operations)
    for route in room.ROUTES
]
