"""The rules in force: which function answers what, and the ruleset as it is on offer. OG-01 … OG-11."""

from __future__ import annotations

from collections.abc import Mapping

from events.oil_and_gas.commands import (
    AcceptTrade,
    BuyExtraCard,
    ConvertCards,
    DeclineTrade,
    FinishPhase,
    MakeMeld,
    PlayEvent,
    ProposeTrade,
    WithdrawTrade,
)
from events.oil_and_gas.steps import (
    ClosePhase,
    CompanyActions,
    EventTurn,
    MarketActions,
    OpenPhase,
    OpenTurn,
    ProfitTurn,
)
from projections.oil_and_gas.evolve import PROJECTION
from projections.oil_and_gas.story import tell
from projections.oil_and_gas.view import view
from rules.edition import Editions
from rules.oil_and_gas import company, conversions, event_phase, leaving, market, melds, options, setup, turn
from rules.oil_and_gas.book import OilAndGasBook, OilAndGasOptions
from rules.oil_and_gas.edition import CONVERSION_PHASES, OilAndGasEdition, check_edition
from rules.oil_and_gas.order import QUESTIONS
from rules.oil_and_gas.redraw import redraw
from rules.oil_and_gas.shapes import check_words
from rules.rulebook import Citations, Cite
from rules.ruleset import Ruleset

CONVERSIONS = tuple(QUESTIONS[phase] for phase in CONVERSION_PHASES)
"""The questions of the six phases in which cards are converted (OG-110)."""

CITES = Citations(
    wrong_phase=("OG-21", "wrong_phase"),
    stale_decision=("OG-176", "stale_decision"),
    not_awaited=("OG-68", "not_awaited"),
    game_over=("OG-166", "game_over"),
    not_a_player=("OG-22", "not_a_player"),
    seats=("OG-01", "seats_out_of_range"),
)


TRADES = (ProposeTrade, AcceptTrade, DeclineTrade, WithdrawTrade)

BARRED: Mapping[tuple[type, type], Cite] = {
    (question, command): (rule, "wrong_phase")
    for rule, own, commands in (
        ("OG-40", CompanyActions, (BuyExtraCard,)),
        ("OG-47", MarketActions, TRADES),
        ("OG-73", EventTurn, (PlayEvent,)),
    )
    for question in QUESTIONS.values()
    if question is not own
    for command in commands
}
"""Rules that keep a command inside one phase by name; of others it is the order of the phases (OG-21)."""


def book(edition: OilAndGasEdition, chosen: OilAndGasOptions, seats: int) -> OilAndGasBook:
    """The rules of one game, on an engine that keeps its promises.

    Refusals: OG-21, OG-166, OG-174, OG-175, OG-176. One entry a command, folded in order: OG-167, OG-168, OG-170,
    OG-178. Chance by label, its outcome in the event, its seed opened at the end: OG-169, OG-171, OG-172, OG-183.
    """
    return OilAndGasBook(
        projection=PROJECTION,
        cites=CITES,
        edition=edition,
        chosen=chosen,
        cards=frozenset(edition.instances(edition.copies_for(seats))),
        bases=frozenset((*edition.card, *edition.event)),
        start=setup.start,
        runs={OpenTurn: turn.open_turn, OpenPhase: turn.open_phase, ClosePhase: turn.close_phase},
        answers={
            (CompanyActions, BuyExtraCard): company.buy_extra_card,
            (MarketActions, ProposeTrade): market.propose_trade,
            (MarketActions, AcceptTrade): market.accept_trade,
            (MarketActions, DeclineTrade): market.decline_trade,
            (MarketActions, WithdrawTrade): market.withdraw_trade,
            (EventTurn, PlayEvent): event_phase.play_event,
            (ProfitTurn, MakeMeld): melds.make_meld,
            **{(question, ConvertCards): conversions.convert_cards for question in CONVERSIONS},
            **{(question, FinishPhase): turn.finish_phase for question in QUESTIONS.values()},
        },
        defaults=dict.fromkeys(QUESTIONS.values(), turn.expire),
        resign=leaving.resign,
        options={
            CompanyActions: options.company_actions,
            MarketActions: options.market_actions,
            EventTurn: options.event_turn,
            ProfitTurn: options.profit_turn,
            **dict.fromkeys(CONVERSIONS, options.conversion_actions),
        },
        unasked={
            CompanyActions: ("OG-40", "already_finished"),
            MarketActions: ("OG-62", "already_finished"),
            ProfitTurn: ("OG-133", "not_awaited"),
            **dict.fromkeys(CONVERSIONS, ("OG-110", "already_finished")),
        },
        barred=BARRED,
        check=check_words,
    )


EDITIONS = Editions("rules.oil_and_gas", OilAndGasEdition, check_edition)

RULESET = Ruleset(
    name="oil-and-gas",
    title="Oil and Gas",
    version=1,
    least_seats=2,
    most_seats=6,
    register="OG",
    projection=PROJECTION,
    options=OilAndGasOptions,
    default_edition="standard",
    editions=EDITIONS,
    book=book,
    view=view,
    tell=tell,
    redraw=redraw,
    conflicts=frozenset({"trade_not_open"}),
)
