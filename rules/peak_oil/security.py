"""Security chips: PO-230 … PO-237."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.peak_oil.commands import UseSecurity
from events.peak_oil.facts import SecurityUsed
from events.peak_oil.steps import ChooseOption, LoadTanker, ShipLoad, Step3Optional, StepThree, UseOptions
from events.words import Step, Waits
from rules.peak_oil import hooks
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover

_ASKED_AGAIN: Mapping[type[Waits], Callable[[Any], Step]] = {
    ChooseOption: lambda step: UseOptions(step.spot, step.standing, step.used),
    ShipLoad: lambda step: LoadTanker(step.route),
    Step3Optional: lambda _step: StepThree(),
}
"""Questions that may be gone once the chip is used: they are asked anew, if there is still something to ask."""


def usable(at: At, seat: int) -> bool:
    """PO-230, PO-236: whether the seat, on turn, could return a Security chip."""
    return bool(at.board.seats[seat].security) and not hooks.forbidden(at, seat, "security")


def security_barred(at: At, seat: int, command: UseSecurity) -> Barred:
    """PO-230, PO-231, PO-232: why a Security chip may not be used like this."""
    on = at.board.refineries if command.kind.endswith("_refinery") else at.board.risks
    wanted = 2 if command.kind.startswith("swap_") else 1
    if len(command.places) != wanted or any(place not in on for place in command.places):
        return "PO-231", "bad_args", "/places"
    if len(set(command.places)) != wanted:
        return "PO-232", "same_position", "/places"
    if not at.board.seats[seat].security:
        return "PO-230", "no_security_chip"
    if hooks.forbidden(at, seat, "security"):
        return "PO-127", "option_blocked"
    return None


def use_security(table: PeakOilTable, step: Waits, command: UseSecurity) -> None:
    """PO-230, PO-231, PO-233: one chip back to the reserve, one swap or flip; then the question stands as before."""
    seat = mover(table)
    allow(table, security_barred(table, seat, command))
    table.emit(SecurityUsed(seat, command.kind, command.places))
    again = _ASKED_AGAIN.get(type(step))
    table.next(step if again is None else again(step))
