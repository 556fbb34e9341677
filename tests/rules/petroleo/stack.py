"""What holds for the stack of steps whenever a game of Petróleo waits: nothing is left over from what is void."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events import petroleo as words
from events.words import Step, Waits
from projections.petroleo.state import Board, Petroleo

OF_THE_TURN = (
    words.AdvanceMarker,
    words.AnswerDissolution,
    words.AtConvenience,
    words.BidForCard,
    words.BuyLicenceSquare,
    words.BuyTowerSquare,
    words.ChooseCard,
    words.ChooseDamagedTanker,
    words.ChooseDryTower,
    words.CloseAuction,
    words.DrawCard,
    words.LevyTenth,
    words.ResolveSquare,
    words.SellShareToBankChoice,
    words.SurrenderLicences,
    words.UseCard,
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
    assert isinstance(last, words.EndTurn)
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


def _debtor_can_sell(board: Board, step: words.SettleDebt) -> bool:
    (seat,) = step.awaits
    return bool(board.tankers_of(seat)) and board.companies[seat].cash < step.amount


def _partners(board: Board, step: words.AnswerDissolution | words.SellShareToBankChoice) -> bool:
    (seat,) = step.awaits
    owners = (step.commander, seat) if isinstance(step, words.AnswerDissolution) else (seat, step.partner)
    return any(tanker.id == step.tanker and (tanker.commander, tanker.partner) == owners for tanker in board.tankers)


_CHECKS: Mapping[type, Callable[[Board, Any], bool]] = {
    words.SettleDebt: _debtor_can_sell,
    words.AnswerDissolution: _partners,
    words.SellShareToBankChoice: _partners,
}
