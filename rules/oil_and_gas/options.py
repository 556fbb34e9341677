"""The legal answers to each question: complete commands where they are few, families of them where not.

Whatever is yielded here is accepted, and nothing else is; only what the seat may know is looked at (OG-174, H-4).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, get_args

from msgspec import to_builtins

from events.oil_and_gas.codes import AnyCard, CardNamed, CardOfType, CardType, Phase
from projections.oil_and_gas.state import TOKEN_KINDS, Company, Offer, OilAndGas, counts_of
from rules.choices import (
    Choice,
    Counts,
    Either,
    Fields,
    ListOf,
    OneFromEach,
    OneOf,
    Option,
    Parts,
    SomeOf,
    match_each,
    whole,
)
from rules.oil_and_gas.book import OilAndGasBook
from rules.oil_and_gas.conversions import payment_shapes
from rules.oil_and_gas.edition import base_of, type_of
from rules.oil_and_gas.hands import holds_tokens
from rules.oil_and_gas.market import matches, may_propose
from rules.oil_and_gas.melds import SINGLE, TYPES
from rules.oil_and_gas.order import phases_after

MOST_TOKENS = 2**31
"""The largest number of tokens that a command can name at all."""

MOST_REQUESTS = 200
"""The longest list of requests that a command can hold at all."""


def company_actions(game: OilAndGas, book: OilAndGasBook, seat: int) -> list[Option]:
    """OG-36, OG-37, OG-38, OG-39, OG-40, OG-41, OG-42, OG-43, OG-44: another card while it can be paid and drawn; or
    finish, naming the excess, if there is one.
    """
    company = game.board.companies[seat]
    edition = book.edition
    options = []
    if (
        company.extra_cards < edition.extra_cards
        and company.profit >= edition.extra_card_price
        and (game.board.deck or game.board.discard)
    ):
        options.append(whole("buy_extra_card", costs={"profit": edition.extra_card_price}))
    excess = max(0, len(company.hand) - edition.hand_limit)
    if excess:
        return [*options, *_finishes("company", discard=SomeOf(_sorted(company), excess, excess))]
    return [*options, *_finishes("company", {"discard": []})]


def market_actions(game: OilAndGas, book: OilAndGasBook, seat: int) -> list[Option]:
    """OG-48, OG-49, OG-50, OG-51, OG-52, OG-53, OG-54, OG-55, OG-56, OG-57, OG-58, OG-59, OG-60, OG-61, OG-62: answer
    the offers made to the seat, take back its own, make new ones; or finish.
    """
    board = game.board
    company = board.companies[seat]
    options: list[Option] = []
    for offer in board.offers:
        if offer.addressee == seat:
            options += [*_acceptance(company, offer), whole("decline_trade", offer=offer.number)]
        if offer.proposer == seat:
            options.append(whole("withdraw_trade", offer=offer.number))
    partners = tuple(other for other in game.awaited if other != seat)
    if partners and may_propose(board, seat, book):
        options += _proposals(company, partners, book)
    return [*options, *_finishes("market")]


def event_turn(game: OilAndGas, book: OilAndGasBook, seat: int) -> list[Option]:
    """OG-68, OG-73, OG-78, OG-83: one event of the own hand, at most one Economy card a turn among all; or pass."""
    options = []
    for card in _sorted(game.board.companies[seat]):
        event = book.edition.event.get(base_of(card))
        if event is None or (event.economy and game.board.economy_played):
            continue
        others = [other for other in game.active if other != seat]
        targets: list[int | None] = [*others] if event.targeted else [None]
        options += [whole("play_event", card=card, target_seat=target) for target in targets]
    return [*options, *_finishes("event")]


def conversion_actions(game: OilAndGas, book: OilAndGasBook, seat: int) -> list[Option]:
    """OG-110, OG-111, OG-112, OG-113, OG-114, OG-115, OG-116: every payment without a superfluous card, one family for
    each shape; or finish.
    """
    phase = game.board.phase
    assert phase is not None, "a running game waits inside a phase"
    conversion = book.edition.conversion[phase]
    cards = [card for card in _sorted(game.board.companies[seat]) if type_of(card) == conversion.type]
    doubles = tuple(card for card in cards if book.edition.card_of(card).weight == 2)
    singles = tuple(card for card in cards if card not in doubles)
    options = []
    for twos, ones in payment_shapes(conversion.need):
        if twos <= len(doubles) and ones <= len(singles):
            parts = ((doubles, twos), (singles, ones))
            payment = Parts(tuple(SomeOf(group, n, n) for group, n in parts if n))
            name = f"convert_cards:{twos}x2+{ones}x1"
            fields = Fields({"cards": payment})
            options.append(Option(name, {"type": "convert_cards"}, fields, {"cards": twos + ones}))
    return [*options, *_finishes(phase)]


def profit_turn(game: OilAndGas, book: OilAndGasBook, seat: int) -> list[Option]:
    """OG-134, OG-135, OG-136, OG-137, OG-138, OG-139, OG-140: every meld of the own cards and tokens, one family for
    each way to fill the slots; or finish.
    """
    company = game.board.companies[seat]
    cards = {type_: tuple(card for card in _sorted(company) if type_of(card) == type_) for type_ in TYPES}
    slots = [
        [source for source, there in (("card", cards[type_]), ("token", company.tokens[kind])) if there]
        for type_, kind in zip(TYPES[: SINGLE + 1], TOKEN_KINDS, strict=False)
    ]
    return [*(_meld(company, cards, sources) for sources in product(*slots)), *_finishes("profit")]


def _meld(company: Company, cards: dict[str, tuple[str, ...]], sources: tuple[str, ...]) -> Option:
    """One way to fill the slots. With cards for gasoline there may be tokens too; with `token` there are no cards."""
    *core, gasoline = sources
    by_card = gasoline == "card"
    parts = [SomeOf(cards[type_], 1, 1) for type_, source in zip(TYPES, core, strict=False) if source == "card"]
    parts += [SomeOf(cards["G"], 1, len(cards["G"]))] if by_card else []
    parts += [SomeOf(cards["P"], 0, len(cards["P"]))]
    single: dict[str, int] = {kind: 1 for kind, source in zip(TOKEN_KINDS, core, strict=False) if source == "token"}
    most = single | {kind: n for kind in TOKEN_KINDS[SINGLE:] if (n := company.tokens[kind])}
    least = single if by_card else single | {"gasoline": 1}
    fields: dict[str, Choice] = {"cards": Parts(tuple(parts)), "tokens": Counts(most, least=least)}
    return Option("make_meld:" + "+".join(sources), {"type": "make_meld"}, Fields(fields))


def _finishes(phase: Phase, fixed: dict[str, Any] | None = None, discard: SomeOf | None = None) -> list[Option]:
    """OG-179: finish the phase, or several at once."""
    command = {"type": "finish_phase", **(fixed or {})}
    fields: dict[str, Choice] = {} if discard is None else {"discard": discard}
    costs = {} if discard is None else {"cards": discard.least}
    plain = Option("finish_phase", {**command, "through_phase": None}, Fields(fields) if fields else None, costs)
    later = phases_after(phase)
    if not later:
        return [plain]
    through = Fields({**fields, "through_phase": OneOf(later)})
    return [plain, Option("finish_phase:through", command, through, costs)]


def _acceptance(company: Company, offer: Offer) -> list[Option]:
    """OG-54, OG-55: nothing where the seat cannot meet what is asked."""
    groups = tuple(tuple(card for card in _sorted(company) if matches(card, request)) for request in offer.want.cards)
    if not holds_tokens(company, counts_of(offer.want.tokens)) or match_each(groups) is None:
        return []
    fields = Fields({"cards": OneFromEach(groups)})
    costs = {"cards": len(groups)} | counts_of(offer.want.tokens)
    return [Option(f"accept_trade:{offer.number}", {"type": "accept_trade", "offer": offer.number}, fields, costs)]


def _proposals(company: Company, partners: tuple[int, ...], book: OilAndGasBook) -> list[Option]:
    """OG-49, OG-50, OG-51, OG-52, OG-53: each side holds a card or more, or tokens alone, which makes four families."""
    held = {kind: n for kind, n in (*company.tokens.items(), ("profit", company.profit)) if n}
    hand = _sorted(company)
    requests = _requests(book.bases)
    any_tokens = dict.fromkeys((*TOKEN_KINDS, "profit"), MOST_TOKENS)
    give: dict[str, dict[str, Choice]] = {}
    if hand:
        give["cards"] = {"cards": SomeOf(hand, 1, len(hand)), "tokens": Counts(held)}
    if held:
        give["tokens"] = {"cards": SomeOf((), 0, 0), "tokens": Counts(held, or_none=False)}
    want: dict[str, dict[str, Choice]] = {
        "cards": {"cards": ListOf(requests, 1, MOST_REQUESTS), "tokens": Counts(any_tokens)},
        "tokens": {"cards": ListOf(requests, 0, 0), "tokens": Counts(any_tokens, or_none=False)},
    }
    return [
        Option(
            f"propose_trade:{gives}:{wants}",
            {"type": "propose_trade"},
            Fields({"to_seat": OneOf(partners), "give": Fields(give[gives]), "want": Fields(want[wants])}),
        )
        for gives in give
        for wants in want
    ]


@cache
def _requests(bases: frozenset[str]) -> Choice:
    """OG-53: any card, a card of one type, or one base card."""
    types = tuple(CardOfType(type_) for type_ in get_args(CardType))
    named = tuple(CardNamed(base) for base in sorted(bases))
    return Either(tuple(OneOf(tuple(map(to_builtins, of))) for of in ((AnyCard(),), types, named)))


def _sorted(company: Company) -> tuple[str, ...]:
    return tuple(sorted(company.hand))
