"""The rules in force: which function answers what, and the ruleset as it is on offer. PT-001, PT-016, PT-017."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from events import petroleo as words
from events.words import Waits
from projections.petroleo.evolve import PROJECTION
from projections.petroleo.story import tell
from projections.petroleo.view import view
from rules.edition import read_edition
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
from rules.petroleo.edition import PetroleoEdition, check_edition
from rules.petroleo.redraw import redraw
from rules.refusal import RuleViolation
from rules.rulebook import Citations
from rules.ruleset import LoadedEdition, Ruleset

CITES = Citations(
    wrong_phase=("PT-020", "illegal_choice"),
    stale_decision=("PT-146", "stale_decision"),
    not_awaited=("PT-104", "not_awaited"),
    game_over=("PT-301", "game_over"),
    not_a_player=("PT-266", "not_a_player"),
    seats=("PT-001", "seats_out_of_range"),
)

Answer = Callable[[Any, Any, Any], None]

ANSWERS: Mapping[tuple[type, type], Answer] = {
    (words.BuyLicenceSquare, words.BuyLicence): squares.buy_licence,
    (words.BuyLicenceSquare, words.Decline): squares.decline,
    (words.BuyTowerSquare, words.BuyTower): squares.buy_tower,
    (words.BuyTowerSquare, words.Decline): squares.decline,
    (words.SurrenderLicences, words.Surrender): squares.surrender,
    (words.ChooseDamagedTanker, words.Damage): squares.damage,
    (words.ChooseDryTower, words.SurrenderTower): squares.surrender_tower,
    (words.AtConvenience, words.ChooseSquare): squares.choose_square,
    (words.AtConvenience, words.Decline): squares.decline,
    (words.ChooseCard, words.PlayCard): turn.play_card,
    (words.UseCard, words.Exercise): privileges.exercise,
    (words.UseCard, words.OfferCard): auction.offer_card,
    (words.UseCard, words.Forgo): privileges.forgo,
    (words.BidForCard, words.Bid): auction.bid,
    (words.UseBoughtCard, words.Exercise): privileges.exercise,
    (words.UseBoughtCard, words.Forgo): privileges.forgo,
    (words.AnswerTankerPartnership, words.AnswerPartnership): partnership.answer_partnership,
    (words.ChooseTankerPartner, words.ChoosePartner): partnership.choose_partner,
    (words.ChooseTankerPartner, words.Abandon): partnership.abandon,
    (words.TankerWithBank, words.AcceptBank): partnership.accept_bank,
    (words.TankerWithBank, words.Abandon): partnership.abandon,
    (words.AnswerDissolution, words.BuyShare): tankers.buy_share,
    (words.AnswerDissolution, words.SellShare): tankers.sell_share,
    (words.AnswerDissolution, words.Refuse): tankers.refuse,
    (words.SellShareToBankChoice, words.SellToBank): tankers.sell_after_refusal,
    (words.SellShareToBankChoice, words.Keep): tankers.keep,
    (words.SettleDebt, words.SellHalf): payments.sell_half,
    (words.SettleDebt, words.DeclareBankruptcy): payments.declare_bankruptcy,
    (words.LendToBank, words.Lend): bank.lend,
}

OWN_QUESTIONS: tuple[type[Waits], ...] = (
    words.BuyLicenceSquare,
    words.BuyTowerSquare,
    words.AtConvenience,
    words.ChooseCard,
    words.UseCard,
)
"""PT-141: while one of these is open, the active company may deal with the tankers it commands."""

WINDOW: Mapping[tuple[type, type], Answer] = {
    (step, command): handler
    for step in OWN_QUESTIONS
    for command, handler in (
        (words.ProposeDissolution, tankers.propose_dissolution),
        (words.BuyBankHalf, tankers.buy_bank_half),
        (words.SellHalfToBank, tankers.sell_half_to_bank),
    )
}


def book(edition: PetroleoEdition, chosen: PetroleoOptions, seats: int) -> PetroleoBook:
    """PT-001, PT-016, PT-017: the rules of a game for two to six; a second year-end is for four players or fewer."""
    if chosen.second_year_end and seats > 4:
        raise RuleViolation("PT-017", "illegal_choice", option="second_year_end", most_seats=4)
    return PetroleoBook(
        projection=PROJECTION,
        cites=CITES,
        edition=edition,
        options_chosen=chosen,
        start=setup.start,
        lobby={words.ChooseCompany: setup.choose_company},
        runs={
            words.OpenTurn: turn.open_turn,
            words.ResolveSquare: squares.resolve_square,
            words.PayYearEnd: year_end.pay_year_end,
            words.Charge: payments.charge,
            words.CollectDebt: payments.collect_debt,
            words.LevyTenth: squares.levy_tenth,
            words.PayOut: bank.pay_out,
            words.DrawCard: turn.draw_card,
            words.CloseAuction: auction.close_auction,
            words.ClosePartnership: partnership.close_partnership,
            words.AdvanceMarker: year_end.advance_marker,
            words.EndTurn: turn.end_turn,
        },
        answers={**ANSWERS, **WINDOW},
        defaults=deadlines.DEFAULTS,
        resign=leaving.resign,
        options={
            words.BuyLicenceSquare: options.buy_licence_square,
            words.BuyTowerSquare: options.buy_tower_square,
            words.SurrenderLicences: options.surrender_licences,
            words.ChooseDamagedTanker: options.choose_damaged_tanker,
            words.ChooseDryTower: options.choose_dry_tower,
            words.AtConvenience: options.at_convenience,
            words.ChooseCard: options.choose_card,
            words.UseCard: options.use_card,
            words.BidForCard: options.bid_for_card,
            words.UseBoughtCard: options.use_bought_card,
            words.AnswerTankerPartnership: options.answer_tanker_partnership,
            words.ChooseTankerPartner: options.choose_tanker_partner,
            words.TankerWithBank: options.tanker_with_bank,
            words.AnswerDissolution: options.answer_dissolution,
            words.SellShareToBankChoice: options.sell_share_to_bank_choice,
            words.SettleDebt: options.settle_debt,
            words.LendToBank: options.lend_to_bank,
        },
    )


def load_edition(file: str, text: str) -> LoadedEdition:
    """An edition file of this game, checked. Raises `InvalidEdition`."""
    edition, digest = read_edition(file, text, PetroleoEdition, check_edition)
    return LoadedEdition(edition, digest)


@cache
def built_in() -> Mapping[str, LoadedEdition]:
    """The editions that come with the game."""
    found = (file for file in files("rules.petroleo").joinpath("editions").iterdir() if file.name.endswith(".json"))
    loaded = (load_edition(file.name, file.read_text("utf-8")) for file in found)
    return {one.edition.edition: one for one in loaded}


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
    editions=built_in,
    read_edition=load_edition,
    book=book,
    view=view,
    tell=tell,
    redraw=redraw,
)
