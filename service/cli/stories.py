"""How a game is told to those who play it elsewhere: the words of `gusher replay`, for facts that come from an API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gusher_client import Header, View
from rules.catalogue import rulesets
from rules.edition import LoadedEdition
from rules.ruleset import Ruleset
from service.http.words import view_of


class Story:
    """The words of one game and edition."""

    def __init__(self, ruleset: Ruleset, edition: LoadedEdition) -> None:
        self._ruleset, self._edition = ruleset, edition

    def sentence(self, event: Mapping[str, Any]) -> str | None:
        """An event as a sentence, None where there is nothing to tell. Raises `LookupError` for one that is not known
        in this shape: a newer service may say more than this program can tell.
        """
        return self._ruleset.tell(event, self._edition.edition)

    def picture(self, view: View) -> str:
        """The board, drawn; empty where the game has no picture, or shows what this program cannot draw."""
        if self._ruleset.picture is None or view.status == "lobby":
            return ""
        try:
            board = msgspec.convert(msgspec.to_builtins(view), view_of(self._ruleset)).board
        except msgspec.ValidationError:
            return ""
        return self._ruleset.picture(board)


def story_of(header: Header) -> Story | None:
    """The words of a game; None where this program has not the very edition that is played."""
    ruleset = rulesets().get(header.ruleset)
    edition = None if ruleset is None else ruleset.editions.built_in.get(header.edition)
    if ruleset is None or edition is None or edition.digest != header.edition_digest:
        return None
    return Story(ruleset, edition)
