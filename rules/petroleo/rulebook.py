"""The rules in force: which function answers what, and the ruleset as it is on offer. PT-001, PT-016, PT-017."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.petroleo import commands, steps
from projections.petroleo.evolve import PROJECTION
from projections.petroleo.story import tell
from projections.petroleo.view import view
from rules.edition import Editions
from rules.petroleo import (
    auction,
    bank,
    deadlines,
    leaving,
    options,
    partnership,
    payments,
    privileges,
    setup,
    squares,
    tankers,
    turn,
    year_end,
)
from rules.petroleo.book import PetroleoBook, PetroleoOptions
from rules.petroleo.citations import BARRED, CITES, OWN_QUESTIONS, UNASKED
from rules.petroleo.edition import PetroleoEdition, check_edition
from rules.petroleo.redraw import redraw
from rules.refusal import RuleViolation
from rules.ruleset import Ruleset

Answer = Callable[[Any, Any, Any], None]

ANSWERS: Mapping[tuple[type, type], Answer] = {
    (steps.BuyLicenceSquare, commands.BuyLicence): squares.buy_licence,
    (steps.BuyLicenceSquare, commands.Decline): squares.decline,
    (steps.BuyTowerSquare, commands.BuyTower): squares.buy_tower,
    (steps.BuyTowerSquare, commands.Decline): squares.decline,
    (steps.SurrenderLicences, commands.Surrender): squares.surrender,
    (steps.ChooseDamagedTanker, commands.Damage): squares.damage,
    (steps.ChooseDryTower, commands.SurrenderTower): squares.surrender_tower,
    (steps.AtConvenience, commands.ChooseSquare): squares.choose_square,
    (steps.AtConvenience, commands.Decline): squares.decline,
    (steps.ChooseCard, commands.PlayCard): turn.play_card,
    (steps.UseCard, commands.Exercise): privileges.exercise,
    (steps.UseCard, commands.OfferCard): auction.offer_card,
    (steps.UseCard, commands.Forgo): privileges.forgo,
    (steps.BidForCard, commands.Bid): auction.bid,
    (steps.UseBoughtCard, commands.Exercise): privileges.exercise,
    (steps.UseBoughtCard, commands.Forgo): privileges.forgo,
    (steps.AnswerTankerPartnership, commands.AnswerPartnership): partnership.answer_partnership,
    (steps.ChooseTankerPartner, commands.ChoosePartner): partnership.choose_partner,
    (steps.ChooseTankerPartner, commands.Abandon): partnership.abandon,
    (steps.TankerWithBank, commands.AcceptBank): partnership.accept_bank,
    (steps.TankerWithBank, commands.Abandon): partnership.abandon,
    (steps.AnswerDissolution, commands.BuyShare): tankers.buy_share,
    (steps.AnswerDissolution, commands.SellShare): tankers.sell_share,
    (steps.AnswerDissolution, commands.Refuse): tankers.refuse,
    (steps.SellShareToBankChoice, commands.SellToBank): tankers.sell_after_refusal,
    (steps.SellShareToBankChoice, commands.Keep): tankers.keep,
    (steps.SettleDebt, commands.SellHalf): payments.sell_half,
    (steps.SettleDebt, commands.DeclareBankruptcy): payments.declare_bankruptcy,
    (steps.LendToBank, commands.Lend): bank.lend,
}

WINDOW: Mapping[tuple[type, type], Answer] = {
    (step, command): handler
    for step in OWN_QUESTIONS
    for command, handler in (
        (commands.ProposeDissolution, tankers.propose_dissolution),
        (commands.BuyBankHalf, tankers.buy_bank_half),
        (commands.SellHalfToBank, tankers.sell_half_to_bank),
    )
}


def book(edition: PetroleoEdition, chosen: PetroleoOptions, seats: int) -> PetroleoBook:
    """PT-001, PT-016, PT-017: the rules of a game for two to six; a second year-end is for four players or fewer."""
    if chosen.second_year_end and seats > 4:
        field = "/options/second_year_end"
        raise RuleViolation("PT-017", "illegal_choice", field=field, option="second_year_end", most_seats=4)
    return PetroleoBook(
        projection=PROJECTION,
        cites=CITES,
        edition=edition,
        options_chosen=chosen,
        start=setup.start,
        lobby={commands.ChooseCompany: setup.choose_company},
        runs={
            steps.OpenTurn: turn.open_turn,
            steps.ResolveSquare: squares.resolve_square,
            steps.PayYearEnd: year_end.pay_year_end,
            steps.Charge: payments.charge,
            steps.CollectDebt: payments.collect_debt,
            steps.LevyTenth: squares.levy_tenth,
            steps.PayOut: bank.pay_out,
            steps.DrawCard: turn.draw_card,
            steps.CloseAuction: auction.close_auction,
            steps.ClosePartnership: partnership.close_partnership,
            steps.AdvanceMarker: year_end.advance_marker,
            steps.EndTurn: turn.end_turn,
        },
        answers={**ANSWERS, **WINDOW},
        defaults=deadlines.DEFAULTS,
        resign=leaving.resign,
        options={
            steps.BuyLicenceSquare: options.buy_licence_square,
            steps.BuyTowerSquare: options.buy_tower_square,
            steps.SurrenderLicences: options.surrender_licences,
            steps.ChooseDamagedTanker: options.choose_damaged_tanker,
            steps.ChooseDryTower: options.choose_dry_tower,
            steps.AtConvenience: options.at_convenience,
            steps.ChooseCard: options.choose_card,
            steps.UseCard: options.use_card,
            steps.BidForCard: options.bid_for_card,
            steps.UseBoughtCard: options.use_bought_card,
            steps.AnswerTankerPartnership: options.answer_tanker_partnership,
            steps.ChooseTankerPartner: options.choose_tanker_partner,
            steps.TankerWithBank: options.tanker_with_bank,
            steps.AnswerDissolution: options.answer_dissolution,
            steps.SellShareToBankChoice: options.sell_share_to_bank_choice,
            steps.SettleDebt: options.settle_debt,
            steps.LendToBank: options.lend_to_bank,
        },
        unasked=UNASKED,
        barred=BARRED,
    )


EDITIONS = Editions("rules.petroleo", PetroleoEdition, check_edition)

RULESET = Ruleset(
    name="petroleo",
    title="Petróleo",
    version=1,
    least_seats=2,
    most_seats=6,
    register="PT",
    projection=PROJECTION,
    options=PetroleoOptions,
    default_edition="compact-20",
    editions=EDITIONS,
    book=book,
    view=view,
    tell=tell,
    redraw=redraw,
)
