"""Which rule a refusal names where no function of the game was asked: the wrong seat, the wrong time."""

from __future__ import annotations

from collections.abc import Mapping

from events.petroleo import commands, steps
from events.words import Waits
from rules.rulebook import Citations, Cite

CITES = Citations(
    wrong_phase=("PT-020", "illegal_choice"),
    stale_decision=("PT-146", "stale_decision"),
    not_awaited=("PT-014", "not_awaited"),
    game_over=("PT-301", "game_over"),
    not_a_player=("PT-266", "not_a_player"),
    seats=("PT-001", "seats_out_of_range"),
)

UNASKED: Mapping[type[Waits], Cite] = {
    step: (rule, "not_awaited")
    for step, rule in (
        (steps.BidForCard, "PT-104"),
        (steps.UseBoughtCard, "PT-109"),
        (steps.AnswerTankerPartnership, "PT-124"),
        (steps.ChooseTankerPartner, "PT-125"),
        (steps.TankerWithBank, "PT-127"),
        (steps.AnswerDissolution, "PT-134"),
        (steps.SellShareToBankChoice, "PT-137"),
        (steps.SettleDebt, "PT-262"),
        (steps.LendToBank, "PT-281"),
    )
}
"""Who is asked: of the questions that are not simply the active company's in its turn (PT-014)."""

OWN_QUESTIONS: tuple[type[Waits], ...] = (
    steps.BuyLicenceSquare,
    steps.BuyTowerSquare,
    steps.AtConvenience,
    steps.ChooseCard,
    steps.UseCard,
)
"""PT-141: while one of these is open, the active company may deal with the tankers it commands."""

_MANDATORY = (
    (steps.SurrenderLicences, "PT-152"),
    (steps.ChooseDamagedTanker, "PT-160"),
    (steps.ChooseDryTower, "PT-177"),
)
_OTHERS = (*(step for step, _ in _MANDATORY), *UNASKED)
_BEFORE_THE_BANK = (steps.UseCard, steps.UseBoughtCard, steps.AnswerTankerPartnership)
_DEALS = (commands.ProposeDissolution, commands.BuyBankHalf, commands.SellHalfToBank)

BARRED: Mapping[tuple[type, type], Cite] = {
    pair: (rule, "illegal_choice")
    for pair, rule in (
        *(((step, commands.Decline), rule) for step, rule in _MANDATORY),
        ((steps.ChooseCard, commands.Forgo), "PT-028"),
        ((steps.UseCard, commands.PlayCard), "PT-029"),
        ((steps.UseBoughtCard, commands.OfferCard), "PT-112"),
        *(((step, commands.AcceptBank), "PT-123") for step in _BEFORE_THE_BANK),
        ((steps.ChooseTankerPartner, commands.AcceptBank), "PT-126"),
        *(((step, deal), "PT-141") for step in _OTHERS for deal in _DEALS),
    )
}
"""Rules that forbid a command at a question that does not take it; of others the order of a turn does (PT-020)."""
