"""Event Phase, procedure: OG-65 … OG-89."""

from __future__ import annotations

from events.oil_and_gas.commands import PlayEvent
from events.oil_and_gas.facts import EventPlayed, EventRowCleared, RollOff, TurnLeaderSet
from events.oil_and_gas.steps import EventTurn
from rules.oil_and_gas.book import OilAndGasTable
from rules.oil_and_gas.edition import EventCard, base_of
from rules.oil_and_gas.event_effects import take_effect
from rules.oil_and_gas.hands import require_own_cards
from rules.oil_and_gas.order import give_go


def roll_for_lead(table: OilAndGasTable) -> None:
    """OG-65, OG-66: everybody rolls, those tied for the highest roll again, until one of them leads."""
    leaders, round_ = table.active, 0
    while len(leaders) > 1:
        rolls = {seat: _roll(table, round_, seat) for seat in leaders}
        leaders = tuple(seat for seat, roll in rolls.items() if roll == max(rolls.values()))
        round_ += 1
    table.emit(TurnLeaderSet(leaders[0]))


def play_event(table: OilAndGasTable, step: EventTurn, command: PlayEvent) -> None:
    """OG-68, OG-72, OG-73, OG-74, OG-75, OG-76, OG-77, OG-78, OG-79, OG-80, OG-87, OG-88: one card on one's go, one
    Economy card a turn; it lies in the event row, has its whole effect, and the go passes on.
    """
    require_own_cards(table, (command.card,), "OG-73", "/card")
    base = base_of(command.card)
    card = table.book.edition.event.get(base)
    if card is None:
        table.refuse("OG-73", "not_an_event", field="/card")
    second = card.economy and table.board.economy_played
    table.require(not second, "OG-79", "economy_already_played", field="/card")
    _require_target(table, card, command.target_seat)
    table.emit(EventPlayed(table.seat, command.card, command.target_seat, economy=card.economy))
    for effect in card.effects:
        take_effect(table, effect, base, command.target_seat)
    give_go(table, "event", table.seat)


def clear_row(table: OilAndGasTable) -> None:
    """OG-76: when the phase closes, the events played in it go to the discard pile."""
    if table.board.event_row:
        table.emit(EventRowCleared(tuple(sorted(table.board.event_row))))


def _roll(table: OilAndGasTable, round_: int, seat: int) -> int:
    roll, rng = table.die(f"rolloff/{table.board.turn}/{round_}/{seat}")
    table.emit(RollOff(round_, seat, roll, rng))
    return roll


def _require_target(table: OilAndGasTable, card: EventCard, target: int | None) -> None:
    """OG-83: exactly one other active seat where the card takes from one, nobody where it does not."""
    if not card.targeted:
        table.require(target is None, "OG-83", "target_not_allowed", field="/target_seat")
        return
    table.require(target is not None, "OG-83", "target_required", field="/target_seat")
    other = target != table.seat and target in table.active
    table.require(other, "OG-83", "invalid_target", field="/target_seat")
