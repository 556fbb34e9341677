"""What follows the feed across games: read models, and whatever else must hear of each entry exactly once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.reactors.news import NewsReader
from service.reactors.results import Results
from service.store.feed import Handler

HANDLERS: Final[Mapping[str, Handler]] = {handler.name: handler for handler in (NewsReader(), Results())}
"""Every reader's work by its name."""
