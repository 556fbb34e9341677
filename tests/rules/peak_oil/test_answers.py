"""Every command there is, asked at moments of random games: what is listed is accepted, and nothing else is; and what
one member alone spoils is told with that member.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, get_args

import pytest

from events.peak_oil.codes import Place, SecurityKind, Source, Spot, Technology
from events.peak_oil.commands import Command, PlaceTechnology, Ship, TakeAction
from events.peak_oil.steps import SecondTechnology, ShipLoad
from events.table import TableCommand
from events.words import json_name
from rules.peak_oil.options import ANSWERS
from tests.playouts import created, is_listed, played, refusal
from tests.rules.peak_oil.playing import PLAYING, play
from tests.rules.peak_oil.tables import RULESET, a_table, edition
from tests.scenario import Scenario, Script

CHIPS = [*edition().risk_chip, *(spot.id for spot in edition().risk_spots), "SIN", "ROT", "PHI", "HQ"]

VALUES: Mapping[str, Sequence[Any]] = {
    "from_": get_args(Place),
    "to": get_args(Place),
    "spot": get_args(Spot),
    "source": get_args(Source),
    **dict.fromkeys(("technology", "from_technology", "to_technology"), get_args(Technology)),
    **dict.fromkeys(("redirect_from", "redirect_to"), (*get_args(Technology), None)),
    "route": [*edition().route, "R99"],
    "card": [*edition().field, *edition().start_up, *edition().effects, "PP1", "RC01"],
    "kind": get_args(SecurityKind),
    "places": [(), *((one,) for one in CHIPS), *product(CHIPS[-12:], repeat=2), ("SIN", "ROT", "PHI")],
}
"""What each field of a command may hold, and some of what it may not."""


def every_command() -> Iterator[Command]:
    """All answers to all questions, with every value of every field."""
    for kind in set(get_args(Command)) - set(get_args(TableCommand)):
        fields = [name for name in kind.__struct_fields__ if name in VALUES]
        for values in product(*(VALUES[name] for name in fields)):
            yield kind(**{name: value for name, value in zip(fields, values, strict=True) if value is not None})


def moments() -> Iterator[Scenario]:
    """Random games of both variants, stopped a few times at each question; and two questions that are rare in them."""
    loading = a_table(spots={"GUL": [1]}, hq={0: {"security": 1}}, regions={"GUL": 3})
    yield loading.when(0, TakeAction("GUL")).when(0, Ship("R10")).waits_for(ShipLoad, 0)
    lobbying = a_table(spots={"INV": [1]}, hq={0: {"consultants": ("CN1-1", "CN2-4"), "black": 2}})
    yield lobbying.when(0, TakeAction("INV")).when(0, PlaceTechnology("ETH")).waits_for(SecondTechnology, 0)
    seen: Counter[tuple[str, str]] = Counter()
    for number, setup in enumerate(PLAYING.setups):
        for scenario in played(created(RULESET, setup, Script(bytes([number]))), number, play):
            if scenario.game.status == "running":
                asked = type(scenario.game.waiting).__name__, setup.options.get("variant", "base")
                seen[asked] += 1
                if seen[asked] in {1, 9, 81}:
                    yield scenario


@pytest.mark.rule("PO-230", "PO-370")
def test_of_all_commands_exactly_those_listed_are_accepted() -> None:
    commands, questions = list(every_command()), set()
    for scenario in moments():
        (seat,) = scenario.game.awaited
        options = scenario.options(seat)
        questions.add(type(scenario.game.waiting))
        accepted: dict[type[Command], list[Command]] = defaultdict(list)
        refused: list[tuple[Command, str | None]] = []
        for command in commands:
            said = refusal(scenario.game, scenario, seat, command)
            assert (said is None) == is_listed(options, command), (command, scenario.game.waiting)
            if said is None:
                accepted[type(command)].append(command)
            else:
                refused.append((command, said[2]))
        for command, field in refused:
            cures = {at for other in accepted[type(command)] if (at := only_member(command, other))}
            assert not cures or field in cures, (command, field, cures)
    assert set(ANSWERS) == questions


def only_member(one: Command, other: Command) -> str | None:
    """Where two commands of a kind differ, if it is in one member."""
    differing = [name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)]
    return f"/{json_name(differing[0])}" if len(differing) == 1 else None
