"""What happens at a table in sentences, and who is who there.

All facts come from the service. Where this program knows the game and its edition, it tells them in the words of
`gusher replay` and draws the board; any other game is told in the words of the API.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gusher_client import Entry, Header, View
from gusher_client.model import Seat
from rules.catalogue import rulesets
from rules.ruleset import LoadedEdition, Ruleset
from service.cli.joining.words import Words
from service.http.words import view_of

_SEAT = re.compile(r"\b[Ss]eat (\d{1,2})\b")
_CODE = re.compile(r"\b[A-Z]{2,3}\d?-[A-Z0-9-]+\b|\bPP\d+\b")
_SETTING_UP = "game_started"
_UNTOLD = frozenset({"awaiting", "deck_shuffled"})


class Speech:
    """How one game is told to one person."""

    def __init__(self, header: Header, edition: Mapping[str, Any]) -> None:
        self.words = Words(edition)
        self.names = names_of(header.seats, header.yours)
        self.bots = frozenset(seat.seat for seat in header.seats if seat.bot is not None)
        self._ruleset, self._edition = _known(header)

    def name(self, seat: int) -> str:
        """What somebody at the table is called."""
        return self.names.get(seat, f"seat {seat}")

    def named(self, text: str) -> str:
        """The text with names where it speaks of seats."""
        return _SEAT.sub(lambda found: self.name(int(found[1])), text)

    def told(self, entry: Entry) -> list[str]:
        """What happened, a sentence each. How the table was set up is seen on the board, and not told."""
        events = [event for event in entry.events if event["type"] not in _UNTOLD]
        if any(event["type"] == _SETTING_UP for event in events):
            return ["The game begins."]
        return [self.named(sentence) for event in events if (sentence := self._sentence(event))]

    def picture(self, view: View) -> list[str]:
        """The board as a picture with a legend; nothing for a game that has none."""
        ruleset = self._ruleset
        if ruleset is None or ruleset.picture is None or view.status == "lobby":
            return []
        try:
            board = msgspec.convert(msgspec.to_builtins(view), view_of(ruleset)).board
        except msgspec.ValidationError:
            # A newer service may show what this program cannot draw.
            return []
        drawn = ruleset.picture(board)
        return [_SEAT.sub(lambda found: f"{found[1]} {self.name(int(found[1]))}", drawn), "", *self._legend(drawn)]

    def _legend(self, drawn: str) -> list[str]:
        """What the codes in a picture stand for, once each, in order."""
        codes = dict.fromkeys(_CODE.findall(drawn))
        return [f"{code}  {said}" for code in codes if (said := self.words.about(code))]

    def _sentence(self, event: Mapping[str, Any]) -> str | None:
        if self._ruleset is None or self._edition is None:
            return self._plain(event)
        try:
            return self._ruleset.tell(event, self._edition.edition)
        except LookupError:
            # A newer service may leave out, or call otherwise, what this program's words are made of.
            return self._plain(event)

    def _plain(self, event: Mapping[str, Any]) -> str:
        who = "" if event.get("seat") is None else f"Seat {event['seat']}: "
        return who + self.words.sentence({name: value for name, value in event.items() if name != "seat"})


def names_of(seats: Sequence[Seat], yours: Sequence[int]) -> dict[int, str]:
    """A name for every seat that is taken: that of the account, or that of a house bot."""
    found = {}
    for seat in seats:
        if seat.bot is not None:
            found[seat.seat] = f"bot {seat.seat}"
        elif seat.name is not None:
            found[seat.seat] = seat.name
        if seat.seat in yours:
            found[seat.seat] = f"{found.get(seat.seat, 'you')} (you)"
    return found


def _known(header: Header) -> tuple[Ruleset | None, LoadedEdition | None]:
    """The game and its edition as this program has them, where they are the very ones that are played."""
    ruleset = rulesets().get(header.ruleset)
    edition = None if ruleset is None else ruleset.editions().get(header.edition)
    if edition is None or edition.digest != header.edition_digest:
        return None, None
    return ruleset, edition
