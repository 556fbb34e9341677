"""The fold of Peak Oil: one function per event, no opinion about legality."""

from __future__ import annotations

from collections.abc import Mapping

from events.peak_oil.commands import Command
from events.peak_oil.facts import EventWord
from events.table import GameCreated
from events.words import Event
from projections.peak_oil.acting import ACTING
from projections.peak_oil.barrels import BARRELS
from projections.peak_oil.setting_up import SETTING_UP
from projections.peak_oil.state import Board, Hq, PeakOil
from projections.peak_oil.turns import TURNS
from projections.projection import Projection
from projections.table import Evolve


def begin(event: GameCreated) -> Board:
    """An empty table."""
    return Board(seats=(Hq(),) * event.seats)


EVOLVE: Mapping[type[Event], Evolve] = {**SETTING_UP, **TURNS, **BARRELS, **ACTING}

PROJECTION = Projection(
    ruleset="peak-oil",
    game=PeakOil,
    commands=Command,
    events=EventWord,
    begin=begin,
    evolve=EVOLVE,
)
