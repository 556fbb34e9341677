"""Tables of Petróleo to begin a scenario with: companies A, B, C … are seats 0, 1, 2 …, and A is active.

Unless said otherwise: three companies with 200 M and the edition `house-48`, doubling spent, nothing nationalised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from events.entry import Entry
from events.petroleo.codes import Kind
from events.petroleo.commands import Forgo
from events.petroleo.steps import AdvanceMarker, ChooseCard, EndTurn, StepWord, UseCard
from events.table import CreateGame, StartGame, TakeSeat
from events.words import Waits
from projections.chance import seed_commit
from projections.fold import fold_entry
from projections.game import SeatState
from projections.petroleo.state import Board, Building, Company, Laid, Loan, Petroleo, Plot, Tanker
from rules.catalogue import rulesets
from rules.lobby import create_game
from rules.petroleo.edition import PetroleoEdition
from tests.scenario import SEED, Scenario, Script

RULESET = rulesets()["petroleo"]
GAME = "0190f3c0-0000-7000-8000-000000000002"
DECISION = 7
"""The open question of every table made here."""

A, B, C = 0, 1, 2
FULL = " ".join(f"L{n:02}" for n in range(1, 31))
"""The plots of a company that has no token left."""

CARD_OF: dict[Kind, str] = {
    "tower_or_licence": "c01",
    "gas": "c15",
    "oil6": "c24",
    "oil4": "c33",
    "oil2": "c42",
    "tanker": "c51",
    "truck": "c56",
}
"""A card of each kind that every game has."""


def edition(name: str = "house-48") -> PetroleoEdition:
    """A built-in edition."""
    found = RULESET.edition(name).edition
    assert isinstance(found, PetroleoEdition)
    return found


class Side(Struct, frozen=True):
    """A company before cards are dealt to it."""

    company: Company
    hand: tuple[str, ...] | None


def co(plots: str = "", *, cash: int = 200, trucks: int = 0, hand: str | None = None, **more: Any) -> Side:
    """A company. `L01 S01:tower L02:oil6` are its plots; it holds five cards unless they are named."""
    laid_out = []
    for word in plots.split():
        zone, _, building = word.partition(":")
        found: Building | None = building or None  # type: ignore[assignment] # a test names what there is
        laid_out.append(Plot(zone, found))
    company = Company(
        cash=cash,
        plots=tuple(sorted(laid_out, key=lambda plot: plot.zone)),
        trucks=("?",) * trucks,
        tokens=30,
        **more,
    )
    return Side(company, None if hand is None else tuple(hand.split()))


def a_table(
    sides: Sequence[Side],
    steps: tuple[StepWord, ...],
    *,
    on_turn: int = A,
    tankers: str = "",
    loans: Sequence[tuple[int, int]] = (),
    laid: Laid | None = None,
    name: str = "house-48",
    options: dict[str, Any] | None = None,
    deck: int | None = None,
    script: Script | None = None,
    **board: Any,
) -> Scenario:
    """A running game. `TK1:0 TK2:0+1 TK3:2+bank` are tankers by owner; money and towers add up unless given."""
    data = edition(name)
    companies, rest = _dealt(sides, data, laid)
    board.setdefault("bank", data.all_cash - sum(company.cash for company in companies))
    towers = sum(company.count("tower") for company in companies)
    board.setdefault("towers", data.pieces.tower - towers)
    state = Board(
        companies=companies,
        turn=board.pop("turn", 5),
        on_turn=on_turn,
        deck=rest if deck is None else rest[:deck],
        laid=laid,
        tankers=tuple(_tanker(word) for word in tankers.split()),
        loans=tuple(Loan(seat, amount) for seat, amount in loans),
        **board,
    )
    return Scenario(RULESET, _game(state, steps, name, options or {}), script)


def choosing(*sides: Side, **more: Any) -> Scenario:
    """A is to lay a card (D7)."""
    steps = (_open(ChooseCard(awaits=(A,))), UseCard(awaits=(A,)), AdvanceMarker(), EndTurn())
    return a_table(sides or three(), steps, **more)


def using(kind: Kind, *sides: Side, card: str | None = None, offered: bool = False, **more: Any) -> Scenario:
    """A has laid a card of this kind and is asked what becomes of it (D8)."""
    laid = Laid(more.get("on_turn", A), card or CARD_OF[kind])
    steps = (_open(UseCard(offered, awaits=(more.get("on_turn", A),))), AdvanceMarker(), EndTurn())
    return a_table(sides or three(), steps, laid=laid, **more)


def resolving(square: int, *sides: Side, name: str = "house-48", **more: Any) -> Scenario:
    """The last company forgoes a card that moves the marker one cell, onto this square; A's turn begins there."""
    sides = sides or three()
    cell = edition(name).track.index(square)
    last = len(sides) - 1
    steps = (_open(UseCard(awaits=(last,))), AdvanceMarker(), EndTurn())
    marker = (cell - 1) % len(edition(name).track)
    scenario = a_table(sides, steps, on_turn=last, laid=Laid(last, "c01"), marker=marker, name=name, **more)
    return scenario.when(last, Forgo())


def paying(*sides: Side, **more: Any) -> Scenario:
    """A lets a card lapse that moves the marker from cell 47 onto the year-end cell: everybody is paid."""
    return using("tower_or_licence", *sides, marker=47, **more).when(A, Forgo())


def three(**company: Any) -> tuple[Side, Side, Side]:
    """Three companies alike."""
    return co(**company), co(**company), co(**company)


def a_lobby(seats: int, script: Script | None = None, name: str = "house-48", **options: Any) -> Scenario:
    """A table where every seat is taken and nothing has begun."""
    command = RULESET.check_creation(CreateGame("petroleo", name, options, seats))
    event = create_game(
        command,
        rules_version=RULESET.version,
        edition_digest=RULESET.edition(name).digest,
        seed_commit=seed_commit(GAME, bytes.fromhex(SEED)),
    )
    game = fold_entry(None, Entry(GAME, 1, 1, "host", command, (event,)), RULESET.projection)
    scenario = Scenario(RULESET, game, script)
    for seat in range(seats):
        scenario.when(seat, TakeSeat(seat))
    return scenario


def a_start(seats: int, script: Script | None = None, name: str = "house-48", **options: Any) -> Scenario:
    """A game that has just begun."""
    return a_lobby(seats, script, name, **options).when("host", StartGame())


def cash(scenario: Scenario) -> tuple[int, ...]:
    """What each company has in cash."""
    return tuple(company.cash for company in scenario.board.companies)


def offers(scenario: Scenario, seat: int) -> set[str]:
    """The ids of the options of a seat."""
    return {option.id for option in scenario.options(seat)}


def kinds(scenario: Scenario, seat: int) -> set[str]:
    """The command types among the options of a seat."""
    return {option.command["type"] for option in scenario.options(seat)}


def decision(scenario: Scenario) -> int:
    """The public id of the open question."""
    assert scenario.game.waiting is not None
    return scenario.game.waiting.decision


def _open(step: Waits) -> Any:
    """The step as the question that is open."""
    return replace(step, decision=DECISION)


def _tanker(word: str) -> Tanker:
    name, _, owners = word.partition(":")
    commander, _, partner = owners.partition("+")
    return Tanker(name, int(commander), "bank" if partner == "bank" else int(partner) if partner else None)


def _dealt(
    sides: Sequence[Side], data: PetroleoEdition, laid: Laid | None
) -> tuple[tuple[Company, ...], tuple[str, ...]]:
    """Trucks get their numbers and companies without a named hand five cards; the rest is the deck, by id."""
    named = {card for side in sides for card in side.hand or ()}
    free = [card for card in data.deck_for(len(sides)) if card not in named and (laid is None or card != laid.card)]
    trucks = iter(data.truck_ids)
    companies = []
    for side in sides:
        company = side.company
        hand = side.hand
        if hand is None:
            hand, free = tuple(free[:5]), free[5:]
        own = tuple(next(trucks) for _ in company.trucks)
        companies.append(replace(company, hand=hand, trucks=own))
    return tuple(companies), tuple(free)


def _game(board: Board, steps: tuple[StepWord, ...], name: str, options: dict[str, Any]) -> Petroleo:
    return Petroleo(
        id=GAME,
        ruleset=RULESET.name,
        rules_version=RULESET.version,
        edition=name,
        edition_digest=RULESET.edition(name).digest,
        options=to_builtins(RULESET.read_options(options)),
        seed_commit=seed_commit(GAME, bytes.fromhex(SEED)),
        seats=tuple(SeatState(taken=True, resigned=company.left) for company in board.companies),
        board=board,
        version=DECISION,
        at=DECISION,
        status="running",
        steps=steps,
    )
