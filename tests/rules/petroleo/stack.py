"""What holds for the stack of steps whenever a game of Petróleo waits: nothing is left over from what is void."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.petroleo import steps
from events.words import Step, Waits
from projections.petroleo.state import Board, Petroleo

OF_THE_TURN = (
    steps.AdvanceMarker,
    steps.AnswerDissolution,
    steps.AtConvenience,
    steps.BidForCard,
    steps.BuyLicenceSquare,
    steps.BuyTowerSquare,
    steps.ChooseCard,
    steps.ChooseDamagedTanker,
    steps.ChooseDryTower,
    steps.CloseAuction,
    steps.DrawCard,
    steps.LevyTenth,
    steps.ResolveSquare,
    steps.SellShareToBankChoice,
    steps.SurrenderLicences,
    steps.UseCard,
)
"""PT-271, PT-276: what only the active company, still in the game, can have before it."""


def check_stack(game: Petroleo) -> None:
    """PT-266, PT-271 … PT-279, PT-324: only companies in the game are asked, charged or paid; answers are to the
    question that is open, and the turn ends once.
    """
    board, inside = game.board, set(game.active)
    if game.ended:
        assert not game.steps
        return
    question, last = game.steps[0], game.steps[-1]
    assert isinstance(question, Waits)
    assert isinstance(last, steps.EndTurn)
    assert board.on_turn in inside or not any(isinstance(step, OF_THE_TURN) for step in game.steps)
    for step in game.steps:
        assert _named(step) <= inside, step
        if (check := _CHECKS.get(type(step))) is not None:
            assert check(board, step), step
    assert {loan.seat for loan in board.loans} <= inside
    asked = set(getattr(question, "eligible", getattr(question, "asked", ()))) & inside
    answered = {answer.seat for answer in board.answers}
    assert answered == asked - set(question.awaits)


def _named(step: Step) -> set[int]:
    """The seats without which a step would make no sense."""
    named = set(step.awaits) if isinstance(step, Waits) else set()
    for name in ("seat", "holder", "commander", "partner"):
        named |= {getattr(step, name)} if hasattr(step, name) else set()
    named |= set(getattr(step, "acceptors", ()))
    return named | {payment.seat for payment in getattr(step, "payments", ())}


def _debtor_can_sell(board: Board, step: steps.SettleDebt) -> bool:
    (seat,) = step.awaits
    return bool(board.tankers_of(seat)) and board.companies[seat].cash < step.amount


def _partners(board: Board, step: steps.AnswerDissolution | steps.SellShareToBankChoice) -> bool:
    (seat,) = step.awaits
    owners = (step.commander, seat) if isinstance(step, steps.AnswerDissolution) else (seat, step.partner)
    return any(tanker.id == step.tanker and (tanker.commander, tanker.partner) == owners for tanker in board.tankers)


_CHECKS: Mapping[type, Callable[[Board, Any], bool]] = {
    steps.SettleDebt: _debtor_can_sell,
    steps.AnswerDissolution: _partners,
    steps.SellShareToBankChoice: _partners,
}
