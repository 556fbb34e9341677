"""What happens at a table in sentences, and who is who there.

All facts come from the service. The words are those that were handed in for the game, or else those of the API.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from gusher_client import Entry, Header, View
from gusher_client.model import Seat
from service.cli.joining.words import Words

_SEAT = re.compile(r"\b[Ss]eat (\d{1,2})\b")
_CODE = re.compile(r"\b[A-Z]{2,3}\d?-[A-Z0-9-]+\b|\bPP\d+\b")
_SETTING_UP = "game_started"
_UNTOLD = frozenset({"awaiting", "deck_shuffled"})


class Story(Protocol):
    """The words of one game."""

    def sentence(self, event: Mapping[str, Any]) -> str | None:
        """An event as a sentence, None where there is nothing to tell. Raises `LookupError` where it is not known."""
        ...

    def picture(self, view: View) -> str:
        """The board, drawn; empty where it cannot be."""
        ...


Stories = Callable[[Header], Story | None]
"""The words of a game, None where there are none of its own."""


class Speech:
    """How one game is told to one person."""

    def __init__(self, header: Header, edition: Mapping[str, Any], story: Story | None) -> None:
        self.words = Words(edition)
        self.names = names_of(header.seats, header.yours)
        self.bots = frozenset(seat.seat for seat in header.seats if seat.bot is not None)
        self._story = story

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
        drawn = "" if self._story is None else self._story.picture(view)
        if not drawn:
            return []
        return [_SEAT.sub(lambda found: f"{found[1]} {self.name(int(found[1]))}", drawn), "", *self._legend(drawn)]

    def _legend(self, drawn: str) -> list[str]:
        """What the codes in a picture stand for, once each, in order."""
        codes = dict.fromkeys(_CODE.findall(drawn))
        return [f"{code}  {said}" for code in codes if (said := self.words.about(code))]

    def _sentence(self, event: Mapping[str, Any]) -> str | None:
        if self._story is None:
            return self._plain(event)
        try:
            return self._story.sentence(event)
        except LookupError:
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
