"""Tables of Oil and Gas to begin a scenario with. Base ids stand for copy 1; seats A, B, C, D are 0, 1, 2, 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from events.oil_and_gas.codes import Phase
from events.oil_and_gas.steps import ClosePhase
from events.table import StartGame, TakeSeat
from projections.chance import seed_commit
from projections.game import SeatState
from projections.oil_and_gas.state import Board, Company, OilAndGas, no_tokens
from rules.catalogue import rulesets
from rules.oil_and_gas.edition import OilAndGasEdition
from rules.oil_and_gas.order import QUESTIONS, SERIAL
from tests.playouts import GAME, Setup, created
from tests.scenario import SEED, Scenario, Script

RULESET = rulesets()["oil-and-gas"]
DECISION = 7
"""The open question of every table made here."""


def edition() -> OilAndGasEdition:
    """The built-in edition."""
    found = RULESET.edition("standard").edition
    assert isinstance(found, OilAndGasEdition)
    return found


def cards(text: str) -> tuple[str, ...]:
    """`X01 V04.2` as instances: `X01.1`, `V04.2`."""
    return tuple(word if "." in word else f"{word}.1" for word in text.split())


def a_table(
    phase: Phase,
    *hands: str,
    profit: int | Sequence[int] = 10,
    tokens: Mapping[int, Mapping[str, int]] | None = None,
    deck: str | None = None,
    discard: str = "",
    finished: Sequence[int] = (),
    resigned: Sequence[int] = (),
    go: int | None = None,
    leader: int = 0,
    turn: int = 1,
    script: Script | None = None,
    options: dict[str, Any] | None = None,
    companies: Mapping[int, Mapping[str, Any]] | None = None,
    **board: Any,
) -> Scenario:
    """A running game inside a phase, in which every seat has acted this turn.

    Without `deck`, all cards that are nowhere else are in it, in ascending order.
    """
    seats = range(len(hands))
    if phase == "profit" and go is not None:
        finished = (*finished, *(seat for seat in seats if (seat - leader) % len(hands) < (go - leader) % len(hands)))
    held = [
        Company(
            hand=cards(hand),
            profit=profit if isinstance(profit, int) else profit[seat],
            tokens=no_tokens() | dict((tokens or {}).get(seat, {})),
            finished=seat in finished or seat in resigned,
            resigned=seat in resigned,
            **{"acted_turn": turn, **(companies or {}).get(seat, {})},
        )
        for seat, hand in enumerate(hands)
    ]
    lying = [card for company in held for card in company.hand] + [*cards(discard), *board.get("event_row", ())]
    order = tuple(seat for seat in (*seats[leader:], *seats[:leader]) if seat not in resigned)
    awaits = tuple(seat for seat in seats if not held[seat].finished)
    serial = phase in SERIAL
    state = Board(
        companies=tuple(held),
        turn=turn,
        phase=phase,
        deck=_rest(len(hands), lying) if deck is None else cards(deck),
        discard=cards(discard),
        shuffles=1,
        leader=leader,
        order=order,
        **board,
    )
    asked = (leader if go is None else go,) if serial else awaits
    return Scenario(
        RULESET,
        _game(state, (QUESTIONS[phase](awaits=asked, decision=DECISION), ClosePhase(phase)), options or {}),
        script,
    )


def a_start(seats: int, script: Script | None = None, **options: Any) -> Scenario:
    """A game that has just begun."""
    table = created(RULESET, Setup(seats, options), script or Script())
    for seat in range(seats):
        table.when(seat, TakeSeat(seat))
    return table.when("host", StartGame())


def _rest(seats: int, lying: Sequence[str]) -> tuple[str, ...]:
    all_cards = edition().instances(edition().copies_for(seats))
    return tuple(card for card in all_cards if card not in lying)


def _game(board: Board, steps: tuple[Any, ...], options: dict[str, Any]) -> OilAndGas:
    return OilAndGas(
        id=GAME,
        ruleset=RULESET.name,
        rules_version=RULESET.version,
        edition="standard",
        edition_digest=RULESET.edition("standard").digest,
        options=to_builtins(RULESET.read_options(options)),
        seed_commit=seed_commit(GAME, bytes.fromhex(SEED)),
        seats=tuple(
            SeatState(taken=True, resigned=c.resigned, left_at=1 if c.resigned else 0) for c in board.companies
        ),
        board=board,
        version=DECISION,
        at=DECISION,
        status="running",
        steps=steps,
    )
