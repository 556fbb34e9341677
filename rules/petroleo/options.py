"""The legal answers to each question: everything listed is accepted, everything else refused.

Each function knows only the board's public facts and what the asked seat itself holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.petroleo.steps import AnswerDissolution, BidForCard, BuyLicenceSquare, ChooseTankerPartner, UseCard
from projections.game import AnyGame
from projections.petroleo.state import Board
from rules.choices import Amount, Choice, Fields, OneOf, Option, SomeOf, whole
from rules.petroleo import plots
from rules.petroleo.auction import bid_limit
from rules.petroleo.book import PetroleoBook
from rules.petroleo.privileges import Use, cheapest, legal_uses


def buy_licence_square(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D1, PT-155, PT-156, PT-240: one licence, two while doubling is open; the zones may be named."""
    step, board, edition = game.steps[0], game.board, book.edition
    assert isinstance(step, BuyLicenceSquare)
    most = plots.licences_to_have(board, edition, seat, step.terrain, 2 if step.double else 1)
    free = plots.free_zones(board, edition, step.terrain)
    price = plots.licence_price(edition, step.terrain)
    found: list[Option] = []
    for count in range(1, most + 1):
        costs = {"cash": count * price}
        found.append(whole("buy_licence", count=count, costs=costs))
        found.append(_family("buy_licence", {"zone_ids": SomeOf(free, count, count)}, costs, count=count))
    return [*found, whole("decline"), *window(board, book, seat)]


def buy_tower_square(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D2, PT-163: any own bare plot whose tower the company can pay."""
    board, edition = game.board, book.edition
    priced = ((zone, plots.tower_price(edition, zone)) for zone in plots.tower_sites(board, edition, seat))
    cash = board.companies[seat].cash
    found = [whole("buy_tower", zone_id=zone, costs={"cash": price}) for zone, price in priced if price <= cash]
    return [*found, whole("decline"), *window(board, book, seat)]


def surrender_licences(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D3, PT-152: idle plots of one's own."""
    count = book.edition.tariffs.confiscation.licences
    idle = game.board.companies[seat].with_building(None)
    return [_family("surrender", {"zone_ids": SomeOf(idle, count, count)})]


def choose_damaged_tanker(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D4, PT-160: any tanker with an own share."""
    return [whole("damage", tanker_id=tanker.id) for tanker in game.board.tankers_of(seat)]


def choose_dry_tower(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D5, PT-177: any own plot with a tower."""
    return [whole("surrender_tower", zone_id=zone) for zone in game.board.companies[seat].with_building("tower")]


def at_convenience(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D6, PT-181, PT-182: squares 1 to 19, or none."""
    squares = [whole("choose_square", square=square) for square in range(1, 20)]
    return [*squares, whole("decline"), *window(game.board, book, seat)]


def choose_card(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D7, PT-028: any card of one's hand."""
    hand = sorted(game.board.companies[seat].hand)
    return [*(whole("play_card", card_id=card) for card in hand), *window(game.board, book, seat)]


def use_card(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D8, PT-031, PT-102: exercise, offer once (for anything, or from a price on), or forgo."""
    step, board = game.steps[0], game.board
    assert isinstance(step, UseCard)
    found = _exercises(board, book, seat)
    if not step.offered:
        found.append(whole("offer_card", min_bid=1))
        found.append(_family("offer_card", {"min_bid": Amount(1, book.edition.all_cash)}))
    return [*found, whole("forgo"), *window(board, book, seat)]


def bid_for_card(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D9, PT-104, PT-105: pass, or bid what leaves the price of an exercise."""
    step, board = game.steps[0], game.board
    assert isinstance(step, BidForCard)
    most = bid_limit(board.companies[seat].cash, cheapest(board, book.edition, seat, step.kind))
    passing = Option("bid:pass", {"type": "bid", "amount": None})
    return [_family("bid", {"amount": Amount(step.min_bid, most)}), passing]


def use_bought_card(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D10, PT-109, PT-111: exercise or forgo; the card is not offered again (PT-112)."""
    return [*_exercises(game.board, book, seat), whole("forgo")]


def answer_tanker_partnership(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D11, PT-124: take half the tanker, or not; nothing is paid before the holder has picked."""
    return [
        Option("accept", {"type": "answer_partnership", "accept": True}),
        Option("refuse", {"type": "answer_partnership", "accept": False}),
    ]


def choose_tanker_partner(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D12, PT-125, PT-126: one of the acceptors, or nobody."""
    step = game.steps[0]
    assert isinstance(step, ChooseTankerPartner)
    costs = {"cash": book.edition.prices.tanker // 2}
    return [*(whole("choose_partner", partner=other, costs=costs) for other in step.acceptors), whole("abandon")]


def tanker_with_bank(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D13, PT-127: with the bank, or not at all."""
    return [whole("accept_bank", costs={"cash": book.edition.prices.tanker // 2}), whole("abandon")]


def answer_dissolution(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D14, PT-134, PT-135: buy or sell at the price named, as the buyer's cash allows, or refuse."""
    step, companies = game.steps[0], game.board.companies
    assert isinstance(step, AnswerDissolution)
    found = []
    if companies[seat].cash >= step.price:
        found.append(whole("buy_share", costs={"cash": step.price}))
    if companies[step.commander].cash >= step.price:
        found.append(whole("sell_share", costs={"cash": -step.price}))
    return [*found, whole("refuse")]


def sell_share_to_bank_choice(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D15, PT-137: to the bank, or keep."""
    return [whole("sell_to_bank", costs={"cash": -(book.edition.prices.tanker // 2)}), whole("keep")]


def settle_debt(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D16, PT-262, PT-263: sell half of any tanker with an own share, or give up."""
    costs = {"cash": -(book.edition.prices.tanker // 2)}
    sales = [whole("sell_half", tanker_id=tanker.id, costs=costs) for tanker in game.board.tankers_of(seat)]
    return [*sales, whole("declare_bankruptcy")]


def lend_to_bank(game: AnyGame, book: PetroleoBook, seat: int) -> list[Option]:
    """D17, PT-281, PT-287: anything from nothing to all one's cash."""
    return [_family("lend", {"amount": Amount(0, game.board.companies[seat].cash)})]


def window(board: Board, book: PetroleoBook, seat: int) -> list[Option]:
    """PT-131, PT-133, PT-139, PT-140, PT-141, PT-142: what the commander of a tanker may do while one of its own
    questions is open.

    A dissolution is listed at what a half costs, and at any price.
    """
    half = book.edition.prices.tanker // 2
    found: list[Option] = []
    for tanker in board.tankers:
        if tanker.commander != seat:
            continue
        if tanker.partner == "bank":
            if board.companies[seat].cash >= half:
                found.append(whole("buy_bank_half", tanker_id=tanker.id, costs={"cash": half}))
            found.append(whole("sell_half_to_bank", tanker_id=tanker.id, costs={"cash": -half}))
        elif tanker.partner is not None and tanker.id not in board.proposals:
            price = {"price": Amount(0, book.edition.all_cash)}
            found.append(whole("propose_dissolution", tanker_id=tanker.id, price=half))
            found.append(_family("propose_dissolution", price, tanker_id=tanker.id))
    return found


def _exercises(board: Board, book: PetroleoBook, seat: int) -> list[Option]:
    assert board.laid is not None, "the seat holds the privilege of the laid card"
    kind = book.edition.card[board.laid.card].kind
    found: list[Option] = []
    for use in legal_uses(board, book.edition, seat, kind):
        found += _exercise(board, book, use)
    return found


def _exercise(board: Board, book: PetroleoBook, use: Use) -> list[Option]:
    """PT-062, PT-128: a licence may name its zone or not; a partnership costs nothing before it is concluded."""
    costs = {} if use.fields.get("mode") == "partnership" else {"cash": use.price}
    found = [whole("exercise", costs=costs, **use.fields)]
    item = use.fields.get("item")
    if item in ("licence_land", "licence_sea"):
        free = plots.free_zones(board, book.edition, "land" if item == "licence_land" else "sea")
        found.append(_family("exercise", {"zone_id": OneOf(free)}, costs, item=item))
    return found


def _family(kind: str, fields: Mapping[str, Choice], costs: dict[str, int] | None = None, **fixed: Any) -> Option:
    """Answers of one kind that differ in the fields described."""
    name = ":".join([kind, *(str(value) for value in fixed.values()), *fields])
    return Option(name, {"type": kind, **fixed}, Fields(dict(fields)), costs or {})
