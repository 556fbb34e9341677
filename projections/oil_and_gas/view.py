"""The board as one viewer may see it: started from nothing, each fact added because this viewer may know it.

Register section 4; H-1: of other hands and of the deck there are numbers only, never an id of any kind.
"""

from __future__ import annotations

from msgspec import Struct

from events.oil_and_gas.codes import Cards, Goods, Phase, Wanted
from events.words import Amount, Count, Seat
from projections.oil_and_gas.state import Board, Company, Offer, OilAndGas


class CompanyView(Struct, frozen=True):
    """A seat's company. `hand` and the standing finish `through_phase` are its own secret: null for everybody else."""

    seat: Seat
    profit: Count
    tokens: dict[str, int]
    hand_size: Count
    hand: Cards | None
    extra_cards: Count
    finished: bool
    through_phase: Phase | None
    conversions: Count
    proposals: Count


class OfferView(Struct, frozen=True, rename={"from_": "from"}):
    """An open offer. `give` and `want` are known to the two seats only: null for everybody else."""

    offer: Count
    from_: Seat
    to: Seat
    give: Goods | None
    want: Wanted | None


class BoardView(Struct, frozen=True):
    """Everything on and around the table. Cards are listed by id; only `event_row` and the opened `deck` have an order.

    `order` is the order of play from the Event Phase on, `deck` null until the game has ended.
    """

    turn: Count
    phase: Phase | None
    companies: tuple[CompanyView, ...]
    deck_size: Count
    deck: Cards | None
    discard: Cards
    event_row: Cards
    shuffles: Count
    offers: tuple[OfferView, ...]
    offers_made: Count
    leader: Seat | None
    order: tuple[Seat, ...]
    modifier: Amount
    economy_played: bool
    events_played: Count


def view(game: OilAndGas, viewer: int | None, edition: object) -> BoardView:
    """OG-30, OG-166, OG-187: the board for one seat, or for a spectator (None); once the game has ended, all of it."""
    board = game.board
    return BoardView(
        turn=board.turn,
        phase=board.phase,
        companies=tuple(
            _company(seat, company, opened=game.ended or seat == viewer) for seat, company in enumerate(board.companies)
        ),
        deck_size=len(board.deck),
        deck=board.deck if game.ended else None,
        discard=tuple(sorted(board.discard)),
        event_row=board.event_row,
        shuffles=board.shuffles,
        offers=tuple(
            _offer(offer, opened=game.ended or viewer in (offer.proposer, offer.addressee)) for offer in board.offers
        ),
        offers_made=board.offers_made,
        leader=board.leader,
        order=_order(board),
        modifier=board.modifier,
        economy_played=board.economy_played,
        events_played=board.events_played,
    )


def _company(seat: int, company: Company, *, opened: bool) -> CompanyView:
    return CompanyView(
        seat=seat,
        profit=company.profit,
        tokens=company.tokens,
        hand_size=len(company.hand),
        hand=tuple(sorted(company.hand)) if opened else None,
        extra_cards=company.extra_cards,
        finished=company.finished,
        through_phase=company.through if opened else None,
        conversions=company.conversions,
        proposals=company.proposals,
    )


def _offer(offer: Offer, *, opened: bool) -> OfferView:
    """OG-187: that there is an offer is public; what it offers and asks is not."""
    give, want = (offer.give, offer.want) if opened else (None, None)
    return OfferView(offer.number, offer.proposer, offer.addressee, give, want)


def _order(board: Board) -> tuple[int, ...]:
    """OG-186: the order of play stands; seats that have left are merely left out."""
    return tuple(seat for seat in board.order if not board.companies[seat].resigned)
