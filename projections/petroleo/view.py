"""The board as one viewer may see it: started from nothing, each fact added because this viewer may know it.

Register section 4: of other hands and of the deck there are numbers only; a laid card shows what the table has seen.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from events.petroleo.codes import Kind, Party
from events.words import Count, Seat, Word
from projections.petroleo.state import Board, Building, Company, Laid, Petroleo


class PrintedCard(Protocol):
    """What is printed on a card."""

    @property
    def kind(self) -> Kind: ...

    @property
    def advance(self) -> int: ...


class Printed(Protocol):
    """What a view needs of an edition: its cards by id."""

    @property
    def card(self) -> dict[str, PrintedCard]: ...


class PlotView(Struct, frozen=True):
    """A zone with a licence, and the building on it, if any."""

    zone: Word
    building: Building | None


class CompanyView(Struct, frozen=True):
    """A seat's company. `hand` is its own secret: null for everybody else.

    `licences` are tokens in stock; `covered` is the number of reservoirs and trucks that show a red marker now.
    """

    seat: Seat
    company: Word | None
    cash: Count
    hand_size: Count
    hand: tuple[Word, ...] | None
    drawn: Count
    laid: Count
    plots: tuple[PlotView, ...]
    trucks: tuple[Word, ...]
    licences: Count
    nationalised: bool
    covered: Count
    double_available: bool
    left: bool


class TankerView(Struct, frozen=True):
    """A tanker in the port; a partner `bank` shows a green marker, no partner means that the commander owns it all."""

    id: Word
    commander: Seat
    partner: Party | None


class LaidView(Struct, frozen=True):
    """A card laid. What the viewer may not know of it is null."""

    seat: Seat
    card: Word | None
    kind: Kind | None
    advance: Count | None


class LoanView(Struct, frozen=True):
    """What the bank owes a company."""

    seat: Seat
    amount: Count


class BoardView(Struct, frozen=True):
    """Everything on and around the board. `deck` is null until the game has ended, its first card then the top one.

    `own_answer` is what the viewer itself has answered to a sealed question that is still open: a bid (null: passed),
    an acceptance, a loan. It is null too where there is none, and `answered` lists the seats that have.
    """

    turn: Count
    on_turn: Seat
    marker: Count
    year_ends: Count
    bank: Count
    emitted: Count
    towers: Count
    deck_size: Count
    deck: tuple[Word, ...] | None
    companies: tuple[CompanyView, ...]
    tankers: tuple[TankerView, ...]
    loans: tuple[LoanView, ...]
    laid: LaidView | None
    played: tuple[LaidView, ...]
    proposals: tuple[Word, ...]
    departed: tuple[Seat, ...]
    answered: tuple[Seat, ...]
    own_answer: int | bool | None


def view(game: Petroleo, viewer: int | None, edition: Printed) -> BoardView:
    """PT-309, PT-320, PT-321, PT-322, PT-323, PT-324: the board for a seat, or for a spectator (None); once the game
    has ended, all of it.
    """
    board, ended = game.board, game.ended
    return BoardView(
        turn=board.turn,
        on_turn=board.on_turn,
        marker=board.marker,
        year_ends=board.year_ends,
        bank=board.bank,
        emitted=board.emitted,
        towers=board.towers,
        deck_size=len(board.deck),
        deck=board.deck if ended else None,
        companies=tuple(
            [
                _company(board, seat, company, opened=ended or seat == viewer)
                for seat, company in enumerate(board.companies)
            ]
        ),
        tankers=tuple([TankerView(tanker.id, tanker.commander, tanker.partner) for tanker in board.tankers]),
        loans=tuple([LoanView(loan.seat, loan.amount) for loan in board.loans]),
        laid=None if board.laid is None else _laid(board.laid, edition, opened=ended or board.laid.seat == viewer),
        played=tuple([_laid(card, edition, opened=ended or card.seat == viewer) for card in board.played]),
        proposals=board.proposals,
        departed=board.departed,
        answered=tuple(answer.seat for answer in board.answers),
        own_answer=next((answer.value for answer in board.answers if answer.seat == viewer), None),
    )


def _company(board: Board, seat: int, company: Company, *, opened: bool) -> CompanyView:
    """PT-221, PT-228, PT-320, PT-323: everything but the hand is public."""
    built = sum([plot.building not in (None, "tower") for plot in company.plots])
    return CompanyView(
        seat=seat,
        company=company.company,
        cash=company.cash,
        hand_size=len(company.hand),
        hand=tuple(sorted(company.hand)) if opened else None,
        drawn=company.drawn,
        laid=company.laid,
        plots=tuple([PlotView(plot.zone, plot.building) for plot in company.plots]),
        trucks=company.trucks,
        licences=board.tokens_in_stock(seat),
        nationalised=company.nationalised,
        covered=built + len(company.trucks) if company.nationalised else 0,
        double_available=company.double_available,
        left=company.left,
    )


def _laid(laid: Laid, edition: Printed, *, opened: bool) -> LaidView:
    """PT-309, PT-322: who laid a card knows it, and in the end everybody does; its kind is public once exercised or
    offered, its advance once the marker moved by it.
    """
    if opened:
        card = edition.card[laid.card]
        return LaidView(laid.seat, laid.card, card.kind, card.advance)
    return LaidView(laid.seat, laid.card if laid.kind else None, laid.kind, laid.advance)
