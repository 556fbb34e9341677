"""The codes of Peak Oil and the small things that its words are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from events.words import Count, Seat, Word

Region = Literal["VEN", "LIB", "NIG", "GUL", "RUS"]
Spot = Literal["EXP", "DEV", "VEN", "LIB", "NIG", "GUL", "RUS", "INV", "GRY"]
Place = Literal["HQ", "EXP", "DEV", "VEN", "LIB", "NIG", "GUL", "RUS", "INV", "GRY"]
Source = Literal["HQ", "VEN", "LIB", "NIG", "GUL", "RUS"]
Refinery = Literal["SIN", "ROT", "PHI"]
Technology = Literal["ETH", "SPM", "AGR", "TID", "HYD"]
Colour = Literal["black", "red", "yellow"]
Reason = Literal["tie", "ship", "drill"]
Standing = Literal["majority", "tied", "peak"]
"""How an action is taken: by majority, tied after a pull, or at an opportunity of the Peak Oil phase."""

OptionName = Literal[
    "recruit",
    "dispatch",
    "drill",
    "whitewash",
    "research",
    "start_ups",
    "technologies",
    "crude_whitewash",
    "black_market",
    "consultants",
    "marketing",
    "ship",
]
InHand = Literal["pull", "cargo"]
"""What a barrel on its way to the Black Market was: one just pulled, or part of a cargo."""

Display = Literal["oil_fields", "start_ups"]
Phase = Literal["setup", "turns", "final_reassign", "peak_oil", "finished"]
SecurityKind = Literal["swap_refinery", "swap_risk", "flip_refinery", "flip_risk"]
ChipKind = Literal["refinery", "risk"]
Face = Annotated[int, Meta(ge=0, le=1)]
Level = Annotated[int, Meta(ge=1, le=3)]
Cards = Annotated[tuple[Word, ...], Meta(max_length=200)]


class Barrels(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of barrels by colour."""

    black: Count = 0
    red: Count = 0
    yellow: Count = 0


class RegionBarrels(Struct, frozen=True, forbid_unknown_fields=True):
    """Black barrels that came to one Region."""

    region: Region
    black: Count


class TechnologyBarrels(Struct, frozen=True, forbid_unknown_fields=True):
    """Black barrels that came to one technology."""

    technology: Technology
    black: Count


class PlacedChip(Struct, frozen=True, forbid_unknown_fields=True):
    """A chip on its place."""

    place: Word
    chip: Word


class SeatScore(Struct, frozen=True, forbid_unknown_fields=True):
    """What one seat scores, and the cards it turns up for it."""

    seat: Seat
    start_up_score: int
    consultant_score: int
    pr_score: int
    total: int
    portfolio: Word
    start_ups: Cards
    face_down: Word | None
