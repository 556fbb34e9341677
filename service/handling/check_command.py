"""Would this command be accepted? Asked without a trace, and without a look at what the game still hides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from events.words import Command
from projections.chance import KeyedChance
from rules.decide import decide
from rules.refusal import RuleViolation
from rules.ruleset import options_for
from rules.table import Secret
from service.auth.caller import Caller
from service.failures import Refused
from service.handling.access import account_of, acting_seat, readable
from service.handling.desk import Desk
from service.handling.words import read_command

NOT_A_COMMAND = "00000000-0000-0000-0000-000000000000"


class Checked(Struct, frozen=True):
    """The command would be accepted at this version. `costs` is what it certainly takes from the seat, by unit."""

    version: int
    seat: int
    decision_id: int | None
    option: str | None
    costs: dict[str, int]


async def check_command(
    desk: Desk, caller: Caller, game: str, command: Mapping[str, Any], *, seat: int | None = None
) -> Checked:
    """What `submit_command` would say, decided with other dice than the game's. Raises `Failure` or `Refused`.

    Of the consequences only the certain price is told: an event could show the card that the command would draw.
    """
    hot = await readable(desk, caller, game)
    account_of(caller, "play")
    acting = acting_seat(caller, await hot.players(desk.store), seat)
    now, waiting = hot.game, hot.game.waiting
    decision_id = None if waiting is None else waiting.decision
    unrelated = Secret(KeyedChance(desk.entropy(32)), "0" * 64)
    asked = read_command(hot.ruleset, command, NOT_A_COMMAND)
    try:
        decide(now, asked, f"seat:{acting}", hot.book, unrelated)
    except RuleViolation as error:
        raise Refused(error, now.version, decision_id) from error
    fields = _spelled_out(asked)
    option = next((one for one in options_for(now, hot.book, acting) if one.admits(fields)), None)
    if option is None:
        return Checked(now.version, acting, decision_id, None, {})
    return Checked(now.version, acting, decision_id, option.id, option.costs)


def _spelled_out(command: Command) -> dict[str, Any]:
    """The members that options speak of, also those that were left out for their default."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(command))
    return {name: value for name, value in plain.items() if name not in ("id", "decision_id")}
