"""Tables of Peak Oil to begin a scenario with. Barrels that are nowhere else are in the box; seats count from 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from events.entry import Entry
from events.peak_oil.codes import Place, Technology
from events.peak_oil.steps import (
    CheckSpots,
    CloseOpportunity,
    CloseTurn,
    FinalReassigns,
    LeaveSpot,
    PeakEntry,
    PeakOption,
    PeakReassign,
    ResolveSpot,
    Step1Choose,
    Step2Reassign,
    Step3Optional,
    StepThree,
    StepTwo,
)
from events.table import CreateGame, StartGame, TakeSeat
from events.words import Step
from projections.chance import Chance, seed_commit
from projections.fold import fold_entry
from projections.game import SeatState
from projections.peak_oil.evolve import EVOLVE
from projections.peak_oil.state import Board, Chip, Hq, PeakOil, Window, agents_by_place
from rules.catalogue import rulesets
from rules.lobby import create_game
from rules.peak_oil.book import PeakOilBook
from rules.peak_oil.edition import SPOTS, PeakOilEdition
from rules.peak_oil.setup import lay_out
from rules.refusal import RuleViolation
from tests.scenario import SEED, Scenario, Script

RULESET = rulesets()["peak-oil"]
GAME = "0190f3c0-0000-7000-8000-000000000003"
DECISION = 7
"""The open question of every table made here."""

BLANK = {"BEL": "RC01", "SUE": "RC02", "ADE": "RC03", "MAL": "RC05", "CAR": "RC06", "GIB": "RC09"}
"""Risk spots whose chips lie on their blank side, face 1, unless a test says otherwise; NAT is blank, CGH a skull."""

TRIGGERED = {"marker": 0, "trigger": "bag_empty"}


def edition() -> PeakOilEdition:
    """The built-in edition."""
    found = RULESET.edition("house").edition
    assert isinstance(found, PeakOilEdition)
    return found


def book(seats: int = 5, **options: Any) -> PeakOilBook:
    """The rules of a game with these options."""
    found = RULESET.book(edition(), RULESET.read_options(options), seats)
    assert isinstance(found, PeakOilBook)
    return found


def pulls(bag: tuple[int, int, int], *what: str | int) -> Script:
    """Chance that pulls these barrels out of such a bag, one after the other: `b`, `r` or `y`.

    A number stands for so many black that are searched for in between, `|` for a window's end, when reds return.
    """
    black, red, yellow = bag
    words = []
    for one in what:
        if isinstance(one, int):
            black -= one
        elif one == "|":
            red = bag[1]
        else:
            words.append({"b": 0, "r": black, "y": black + red}[one])
            black, red, yellow = black - (one == "b"), red - (one == "r"), yellow - (one == "y")
        assert min(black, red, yellow) >= 0, "no such barrel in the bag"
    return Script().below("pull", *words)


def a_table(
    seats: int = 5,
    *,
    bag: tuple[int, int, int] = (15, 2, 2),
    pulled: Sequence[str | int] = (),
    spots: Mapping[str, Sequence[int]] | None = None,
    hq: Mapping[int, Mapping[str, Any]] | None = None,
    regions: Mapping[str, int] | None = None,
    market: str = "",
    technologies: Mapping[Technology, int] | None = None,
    risks: Mapping[str, tuple[str, int]] | None = None,
    demand: Mapping[str, tuple[str, int]] | None = None,
    track: Sequence[int | None] | None = None,
    active: int | None = 0,
    steps: Sequence[Step] = (),
    options: Mapping[str, Any] | None = None,
    **board: Any,
) -> Scenario:
    """A running game at the beginning of a turn of `active`, or wherever `steps` say.

    `spots` has agents by seat, the rest of a seat's two are in HQ, two in the reserve; `hq` changes single HQs.
    Everything else is empty: market, technologies, Regions, decks. Risk spots show blank sides, Refineries 4, 4, 3.
    """
    chosen = book(seats, **(options or {}))
    laid: Board = EVOLVE[type(lay_out(chosen, seats))](Board(seats=(Hq(),) * seats), lay_out(chosen, seats))
    here = {spot: tuple(_padded((spots or {}).get(spot, ()), seats)) for spot in laid.spots}
    stuck = tuple(track or [None] * len(laid.track))
    state = replace(
        laid,
        active=active,
        seats=tuple(
            _hq(seat, (hq or {}).get(seat, {}), sum(agents[seat] for agents in here.values()) + stuck.count(seat))
            for seat in range(seats)
        ),
        spots=here,
        bag_black=bag[0],
        bag_red=bag[1],
        bag_yellow=bag[2],
        regions={region: (regions or {}).get(region, 0) for region in laid.regions},
        market={slot: int(slot in market.split()) for slot in laid.market},
        technologies={slot: (technologies or {}).get(slot, 0) for slot in laid.technologies},
        risks=_risks(risks or {}),
        refineries={
            place: Chip(*(demand or {}).get(place, lying))
            for place, lying in {"SIN": ("RF2", 0), "ROT": ("RF1", 0), "PHI": ("RF3", 0)}.items()
        },
        track=stuck,
        **{"phase": "turns", "turn": 9, **board},
    )
    if active is not None and "window" not in board:
        state = replace(state, window=Window(start=agents_by_place(state, active)))
    state = replace(state, security=5 - sum(one.security for one in state.seats))
    asked = steps or (Step1Choose(awaits=(active or 0,), decision=DECISION), StepTwo(), StepThree(), CloseTurn())
    game = _game(_with_box(state, chosen), tuple(asked), chosen)
    return Scenario(RULESET, game, pulls(bag, *pulled) if pulled else None)


def at_step_two(**table: Any) -> Scenario:
    """A table at the second step of a turn."""
    active = table.get("active", 0)
    return a_table(steps=(Step2Reassign(awaits=(active,), decision=DECISION), StepThree(), CloseTurn()), **table)


def at_step_three(**table: Any) -> Scenario:
    """A table at the third step of a turn."""
    active = table.get("active", 0)
    return a_table(steps=(Step3Optional(awaits=(active,), decision=DECISION), CloseTurn()), **table)


def at_final_reassign(*seats: int, **table: Any) -> Scenario:
    """Final reassigns of these seats, in this order."""
    asked = PeakReassign(awaits=seats[:1], decision=DECISION)
    steps = (asked, FinalReassigns(seats[1:]))
    return a_table(steps=steps, active=None, phase="final_reassign", **{**TRIGGERED, **table})


def at_opportunity(spot: Any, *seats: int, then: Sequence[Any] | None = None, **table: Any) -> Scenario:
    """The Peak Oil phase: the first of these seats has its opportunity on a spot, the others follow."""
    seat = seats[0]
    asked: Step = PeakOption(spot, awaits=(seat,), decision=DECISION)
    if spot == "GRY" and table.get("options", {}).get("variant") != "crude":
        asked = PeakEntry(1, awaits=(seat,), decision=DECISION)
    rest = SPOTS[SPOTS.index(spot) + 1 :] if then is None else tuple(then)
    steps = (asked, LeaveSpot(spot), CloseOpportunity(), ResolveSpot(spot, seats[1:]), CheckSpots(rest))
    return a_table(steps=steps, active=seat, checking=spot, phase="peak_oil", **{**TRIGGERED, **table})


def a_lobby(seats: int, script: Chance | None = None, **options: Any) -> Scenario:
    """A table where every seat is taken and nothing has begun."""
    command = RULESET.check_creation(CreateGame("peak-oil", "house", options, seats))
    event = create_game(
        command,
        rules_version=RULESET.version,
        edition_digest=RULESET.edition("house").digest,
        seed_commit=seed_commit(GAME, bytes.fromhex(SEED)),
    )
    game = fold_entry(None, Entry(GAME, 1, 1, "host", command, (event,)), RULESET.projection)
    scenario = Scenario(RULESET, game, script)
    for seat in range(seats):
        scenario.when(seat, TakeSeat(seat))
    return scenario


def a_start(seats: int, script: Chance | None = None, **options: Any) -> Scenario:
    """A game that has just begun."""
    return a_lobby(seats, script, **options).when("host", StartGame())


def refused(seats: int, **options: Any) -> tuple[str, str, str | None]:
    """How the creation of such a game is refused: rule, reason, and the member of the command that is at fault."""
    with pytest.raises(RuleViolation) as refusal:
        RULESET.check_creation(CreateGame("peak-oil", "house", options, seats))
    return refusal.value.rule, refusal.value.reason, refusal.value.field


def answers(scenario: Scenario, seat: int | None = None) -> list[str]:
    """The ids of what the seat awaited may answer."""
    asked = scenario.game.awaited[0] if seat is None else seat
    return [option.id for option in scenario.options(asked)]


def black_of(board: Board, seat: int = 0) -> int:
    """The black barrels in an HQ."""
    return board.seats[seat].black


def where(board: Board, seat: int = 0) -> dict[Place, int]:
    """Where a seat's agents in play are."""
    places: tuple[Place, ...] = ("HQ", *board.spots)
    return {place: n for place, n in zip(places, agents_by_place(board, seat), strict=True) if n}


def _padded(agents: Sequence[int], seats: int) -> list[int]:
    return [*agents, *[0] * (seats - len(agents))]


def _hq(seat: int, changes: Mapping[str, Any], elsewhere: int) -> Hq:
    held = sum(thing.agents for thing in changes.get("held", ()))
    agents = changes.get("agents", max(0, 2 - elsewhere - held))
    made: dict[str, Any] = {"reserve": 4 - agents - elsewhere - held, "portfolio": f"PP{seat + 1}", **changes}
    return Hq(**made | {"agents": agents})


def _risks(given: Mapping[str, tuple[str, int]]) -> dict[str, Chip]:
    lying = {place: (chip, 1) for place, chip in BLANK.items()} | {"NAT": ("RC10", 0), "CGH": ("RC07", 0)}
    return {place: Chip(*given.get(place, lying[place])) for place in (spot.id for spot in edition().risk_spots)}


def _with_box(board: Board, chosen: PeakOilBook) -> Board:
    """PO-340 … PO-342: whatever is nowhere else is in the box."""
    extra, total = chosen.options_chosen.extra_barrels, chosen.edition.barrels
    in_hqs = sum(hq.black + sum(thing.black for thing in hq.held) for hq in board.seats)
    lying = sum((*board.regions.values(), *board.market.values(), *board.technologies.values()))
    aside = board.window
    return replace(
        board,
        box_black=total.black + extra.black - board.bag_black - aside.aside_black - in_hqs - lying,
        box_red=total.red + extra.red - board.bag_red - aside.aside_red,
        box_yellow=total.yellow + extra.yellow - board.bag_yellow,
    )


def _game(board: Board, steps: tuple[Any, ...], chosen: PeakOilBook) -> PeakOil:
    return PeakOil(
        id=GAME,
        ruleset=RULESET.name,
        rules_version=RULESET.version,
        edition="house",
        edition_digest=RULESET.edition("house").digest,
        options=to_builtins(chosen.options_chosen),
        seed_commit=seed_commit(GAME, bytes.fromhex(SEED)),
        seats=tuple(SeatState(taken=True) for _ in board.seats),
        board=board,
        version=DECISION,
        at=DECISION,
        status="running",
        steps=steps,
    )
