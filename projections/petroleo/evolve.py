"""The fold of Petróleo: one function per event, no opinion about legality."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from events.petroleo import commands, facts
from events.table import GameCreated, SeatLeft
from events.words import Event
from projections.petroleo.state import Board, Building, Company, Laid, Loan, Petroleo, Plot, SealedAnswer, Tanker
from projections.projection import Projection
from projections.table import Evolve

_by_zone = attrgetter("zone")
_by_id = attrgetter("id")
_by_seat = attrgetter("seat")


def begin(event: GameCreated) -> Board:
    """An empty board: no money, no card."""
    return Board(companies=(Company(),) * event.seats)


def _with(board: Board, seat: int, **changes: Any) -> tuple[Company, ...]:
    companies = list(board.companies)
    companies[seat] = replace(companies[seat], **changes)
    return tuple(companies)


def _paid(board: Board, seat: int, amount: int, **changes: Any) -> Board:
    """The seat has paid the bank, and changed besides."""
    cash = board.companies[seat].cash - amount
    return replace(board, bank=board.bank + amount, companies=_with(board, seat, cash=cash, **changes))


def _with_tanker(board: Board, tanker: Tanker) -> tuple[Tanker, ...]:
    others = (other for other in board.tankers if other.id != tanker.id)
    return tuple(sorted((*others, tanker), key=_by_id))


def _answered(board: Board, seat: int, value: int | bool | None) -> Board:  # noqa: FBT001 - an acceptance is one of the answers
    return replace(board, answers=tuple(sorted((*board.answers, SealedAnswer(seat, value)), key=_by_seat)))


# ---- setup and turn


def _company_chosen(board: Board, event: facts.CompanyChosen) -> Board:
    return replace(board, companies=_with(board, event.seat, company=event.company))


def _seat_left(board: Board, event: SeatLeft) -> Board:
    return replace(board, companies=_with(board, event.seat, company=None))


def _started(board: Board, event: facts.GameStarted) -> Board:
    companies = tuple(
        replace(company, cash=event.cash, tokens=event.licences, double_available=True) for company in board.companies
    )
    return replace(board, companies=companies, bank=event.bank, towers=event.towers, on_turn=event.start_seat)


def _shuffled(board: Board, event: facts.DeckShuffled) -> Board:
    return replace(board, deck=event.order)


def _dealt(board: Board, event: facts.CardsDealt) -> Board:
    dealt = set(event.cards)
    deck = tuple(card for card in board.deck if card not in dealt)
    return replace(board, deck=deck, companies=_with(board, event.seat, hand=event.cards))


def _turn_started(board: Board, event: facts.TurnStarted) -> Board:
    return replace(board, turn=event.turn, on_turn=event.seat, proposals=())


def _turn_ended(board: Board, event: facts.TurnEnded) -> Board:
    return board if board.laid is None else replace(board, laid=None, played=(*board.played, board.laid))


# ---- squares


def _unchanged(board: Board, event: Event) -> Board:
    """The fact is worth telling, and changes nothing by itself."""
    return board


def _double_spent(board: Board, event: facts.DoubleSpent) -> Board:
    return replace(board, companies=_with(board, event.seat, double_available=False))


def _nationalised(board: Board, event: facts.Nationalised) -> Board:
    return replace(board, companies=_with(board, event.seat, nationalised=True))


def _denationalised(board: Board, event: facts.Denationalised) -> Board:
    return replace(board, companies=_with(board, event.seat, nationalised=False))


def _without_plots(board: Board, seat: int, zones: tuple[str, ...]) -> tuple[Company, ...]:
    return _with(board, seat, plots=tuple(plot for plot in board.companies[seat].plots if plot.zone not in zones))


def _surrendered(board: Board, event: facts.LicencesSurrendered) -> Board:
    return replace(board, companies=_without_plots(board, event.seat, event.zones))


def _dried(board: Board, event: facts.WellRanDry) -> Board:
    return replace(board, companies=_without_plots(board, event.seat, (event.zone,)), towers=board.towers + 1)


# ---- plots and vehicles


def _licences_bought(board: Board, event: facts.LicencesBought) -> Board:
    plots = (*board.companies[event.seat].plots, *(Plot(zone) for zone in event.zones))
    return _paid(board, event.seat, event.price, plots=tuple(sorted(plots, key=_by_zone)))


def _built(board: Board, seat: int, zone: str, building: Building) -> tuple[Plot, ...]:
    plots = board.companies[seat].plots
    return tuple(replace(plot, building=building) if plot.zone == zone else plot for plot in plots)


def _tower_bought(board: Board, event: facts.TowerBought) -> Board:
    plots = _built(board, event.seat, event.zone, "tower")
    return replace(_paid(board, event.seat, event.price, plots=plots), towers=board.towers - 1)


def _reservoir_built(board: Board, event: facts.ReservoirBuilt) -> Board:
    plots = _built(board, event.seat, event.zone, event.kind)
    return replace(_paid(board, event.seat, event.price, plots=plots), towers=board.towers + 1)


def _truck_bought(board: Board, event: facts.TruckBought) -> Board:
    trucks = tuple(sorted((*board.companies[event.seat].trucks, event.truck)))
    return _paid(board, event.seat, event.price, trucks=trucks)


def _tanker_bought(board: Board, event: facts.TankerBought) -> Board:
    board = _paid(board, event.commander, event.price)
    if isinstance(event.partner, int):
        board = _paid(board, event.partner, event.price)
    return replace(board, tankers=_with_tanker(board, Tanker(event.tanker, event.commander, event.partner)))


def _proposed(board: Board, event: facts.DissolutionProposed) -> Board:
    return replace(board, proposals=(*board.proposals, event.tanker))


def _share_transferred(board: Board, event: facts.ShareTransferred) -> Board:
    if isinstance(event.buyer, int):
        board = _paid(board, event.buyer, event.price)
        if isinstance(event.seller, int):
            board = _paid(board, event.seller, -event.price)
    if event.commander is None:
        return replace(board, tankers=tuple(tanker for tanker in board.tankers if tanker.id != event.tanker))
    return replace(board, tankers=_with_tanker(board, Tanker(event.tanker, event.commander, event.partner)))


# ---- money


def _charged(board: Board, event: facts.Charged) -> Board:
    return _paid(board, event.seat, event.amount)


def _received(board: Board, event: facts.Received) -> Board:
    return _paid(board, event.seat, -event.amount)


def _year_end_passed(board: Board, event: facts.YearEndPassed) -> Board:
    return replace(board, year_ends=event.count)


def _year_end_paid(board: Board, event: facts.YearEndPaid) -> Board:
    for payment in event.payments:
        board = _paid(board, payment.seat, -payment.amount)
    return board


def _set_off(board: Board, event: facts.ClaimSetOff) -> Board:
    left = event.amount
    loans: list[Loan] = []
    for loan in board.loans:
        met = min(left, loan.amount) if loan.seat == event.seat else 0
        left -= met
        if met < loan.amount:
            loans.append(replace(loan, amount=loan.amount - met))
    return replace(board, loans=tuple(loans))


def _loan_offered(board: Board, event: facts.LoanOffered) -> Board:
    return _answered(board, event.seat, event.amount)


def _question_closed(board: Board, event: Event) -> Board:
    return replace(board, answers=())


def _loan_taken(board: Board, event: facts.LoanTaken) -> Board:
    board = _paid(board, event.seat, event.amount - event.interest)
    return replace(board, loans=(*board.loans, Loan(event.seat, event.amount)))


def _loan_repaid(board: Board, event: facts.LoanRepaid) -> Board:
    return replace(_paid(board, event.seat, -event.amount), loans=board.loans[1:])


def _emission(board: Board, event: facts.BankEmission) -> Board:
    return replace(board, bank=board.bank + event.amount, emitted=board.emitted + event.amount)


# ---- cards


def _drawn(board: Board, event: facts.CardDrawn) -> Board:
    company = board.companies[event.seat]
    companies = _with(board, event.seat, hand=(*company.hand, event.card), drawn=company.drawn + 1)
    return replace(board, deck=board.deck[1:], companies=companies)


def _laid(board: Board, event: facts.CardLaid) -> Board:
    company = board.companies[event.seat]
    hand = tuple([card for card in company.hand if card != event.card])
    companies = _with(board, event.seat, hand=hand, laid=company.laid + 1)
    return replace(board, laid=Laid(event.seat, event.card), companies=companies)


def _revealed(board: Board, event: facts.CardRevealed) -> Board:
    return replace(board, laid=Laid(event.seat, event.card, event.kind, event.advance))


def _advanced(board: Board, event: facts.MarkerAdvanced) -> Board:
    assert board.laid is not None, "the marker moves by a laid card"
    return replace(board, marker=event.cell, laid=replace(board.laid, advance=event.advance))


def _bid(board: Board, event: facts.BidPlaced) -> Board:
    return _answered(board, event.seat, event.amount)


def _card_sold(board: Board, event: facts.CardSold) -> Board:
    return _paid(_paid(board, event.buyer, event.price), event.seller, -event.price)


def _partnership_answered(board: Board, event: facts.PartnershipAnswered) -> Board:
    return _answered(board, event.seat, event.accept)


# ---- departures


def _closed(board: Board, event: facts.CompanyClosed) -> Board:
    seat = event.seat
    tankers = [
        Tanker(tanker.id, tanker.partner if tanker.commander == seat else tanker.commander, "bank")  # type: ignore[arg-type] # of two companies the other one
        if tanker.id in event.halves
        else tanker
        for tanker in board.tankers
        if tanker.id not in event.tankers
    ]
    return replace(
        _paid(board, seat, event.cash, plots=(), trucks=(), tokens=0, left=True),
        towers=board.towers + event.towers,
        tankers=tuple(tankers),
        loans=tuple(loan for loan in board.loans if loan.seat != seat),
        answers=tuple(answer for answer in board.answers if answer.seat != seat),
        departed=(*board.departed, seat),
    )


EVOLVE: Mapping[type[Event], Evolve] = {
    SeatLeft: _seat_left,
    facts.CompanyChosen: _company_chosen,
    facts.GameStarted: _started,
    facts.DeckShuffled: _shuffled,
    facts.CardsDealt: _dealt,
    facts.TurnStarted: _turn_started,
    facts.SquareResolved: _unchanged,
    facts.DoubleSpent: _double_spent,
    facts.LicencesBought: _licences_bought,
    facts.TowerBought: _tower_bought,
    facts.LicencesSurrendered: _surrendered,
    facts.WellRanDry: _dried,
    facts.TankerDamaged: _unchanged,
    facts.Nationalised: _nationalised,
    facts.Denationalised: _denationalised,
    facts.Charged: _charged,
    facts.ClaimSetOff: _set_off,
    facts.DebtOpened: _unchanged,
    facts.Received: _received,
    facts.CardDrawn: _drawn,
    facts.CardLaid: _laid,
    facts.CardRevealed: _revealed,
    facts.PrivilegeLost: _unchanged,
    facts.ReservoirBuilt: _reservoir_built,
    facts.TruckBought: _truck_bought,
    facts.TankerBought: _tanker_bought,
    facts.AuctionOpened: _unchanged,
    facts.BidPlaced: _bid,
    facts.AuctionClosed: _question_closed,
    facts.CardSold: _card_sold,
    facts.PartnershipAsked: _unchanged,
    facts.PartnershipAnswered: _partnership_answered,
    facts.PartnershipClosed: _question_closed,
    facts.DissolutionProposed: _proposed,
    facts.DissolutionAnswered: _unchanged,
    facts.ShareTransferred: _share_transferred,
    facts.MarkerAdvanced: _advanced,
    facts.YearEndPassed: _year_end_passed,
    facts.YearEndPaid: _year_end_paid,
    facts.LoanRequested: _unchanged,
    facts.LoanOffered: _loan_offered,
    facts.LoanQuestionClosed: _question_closed,
    facts.LoanTaken: _loan_taken,
    facts.LoanRepaid: _loan_repaid,
    facts.BankEmission: _emission,
    facts.CompanyClosed: _closed,
    facts.QuestionVoided: _question_closed,
    facts.TurnEnded: _turn_ended,
    facts.CapitalCounted: _unchanged,
}

PROJECTION = Projection(
    ruleset="petroleo",
    game=Petroleo,
    commands=commands.Command,
    events=facts.EventWord,
    begin=begin,
    evolve=EVOLVE,
)
