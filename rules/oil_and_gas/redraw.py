"""What is hidden, drawn anew for a what-if game: H-1, OG-30, OG-179, OG-187."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.oil_and_gas.codes import AnyCard, Goods, Phase, Purse, Wanted
from projections.oil_and_gas.state import Board, Company, Offer, OilAndGas
from rules.choices import Below
from rules.oil_and_gas.order import phases_after
from rules.redraw import remixed


def redraw(game: OilAndGas, viewer: int | None, known: frozenset[str], edition: object, below: Below) -> OilAndGas:
    """Other hands, another deck, other goods in the offers of others, other standing finishes; all numbers the same.

    What an open offer shows the viewer stays where it is.
    """
    board = game.board
    fixed = known.union(*(offer.give.cards for offer in board.offers if _shown_to(viewer, offer)))
    others = [seat for seat in range(len(board.companies)) if seat != viewer]
    deck, *hands = remixed([board.deck, *(board.companies[seat].hand for seat in others)], fixed, below)
    companies = list(board.companies)
    for seat, hand in zip(others, hands, strict=True):
        companies[seat] = replace(companies[seat], hand=hand, through=_standing(board, companies[seat], below))
    offers = tuple(
        offer if _shown_to(viewer, offer) else _other_goods(offer, companies, below) for offer in board.offers
    )
    return replace(game, board=replace(board, companies=tuple(companies), deck=deck, offers=offers))


def _shown_to(viewer: int | None, offer: Offer) -> bool:
    """OG-187: the goods of an offer are known to the two seats only."""
    return viewer in (offer.proposer, offer.addressee)


def _standing(board: Board, company: Company, below: Below) -> Phase | None:
    """OG-179: who is done with the open phase may be done with later ones too; nobody else can tell."""
    if not company.finished or board.phase is None:
        return None
    open_to_it = (None, *phases_after(board.phase))
    return open_to_it[below(len(open_to_it))]


def _other_goods(offer: Offer, companies: Sequence[Company], below: Below) -> Offer:
    """OG-51, OG-52: something that the proposer holds, for any card."""
    proposer = companies[offer.proposer]
    if proposer.hand:
        give = Goods((proposer.hand[below(len(proposer.hand))],), Purse())
    else:
        kinds = [kind for kind, number in proposer.tokens.items() if number]
        give = Goods((), Purse(**{kinds[below(len(kinds))]: 1}) if kinds else Purse(profit=1))
    return replace(offer, give=give, want=Wanted((AnyCard(),), Purse()))
