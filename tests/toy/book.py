"""Wildcat: the rules. WC-01 two to four seats, WC-02 a bid is a card in hand, WC-03 one to three dice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.table import DecisionExpired, GameStarted, SeatResigned
from projections.game import AnyGame
from rules.choices import Amount, Below, Fields, OneOf, Option
from rules.edition import Edition, Editions, LoadedEdition
from rules.redraw import remixed
from rules.rulebook import Citations, Rulebook
from rules.ruleset import Ruleset
from rules.table import Table
from tests.toy import words
from tests.toy.fold import PROJECTION, Board


class WildcatEdition(Edition, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many cards there are, and how many a hand holds."""

    cards: Annotated[int, Meta(ge=8, le=60)]
    hand: Annotated[int, Meta(ge=1, le=3)]


class WildcatOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """How many rounds are played, and whether a driller may make a remark."""

    rounds: Annotated[int, Meta(ge=1, le=20)] = 3
    remarks: bool = False


class WildcatBook(Rulebook, frozen=True, kw_only=True):
    """The rules of one game."""

    edition: WildcatEdition
    rounds: int
    remarks: bool


WildcatTable = Table[Board, WildcatBook]


def start(table: WildcatTable) -> None:
    """WC-01: shuffle, deal, open the first round."""
    table.emit(GameStarted(len(table.game.seats)))
    cards = sorted(f"c{n:02}" for n in range(1, table.book.edition.cards + 1))
    order, rng = table.shuffle("deck", cards)
    table.emit(words.DeckShuffled(order, rng))
    for seat in table.active:
        table.emit(words.CardsDealt(seat, table.book.edition.hand, table.board.deck[: table.book.edition.hand]))
    table.next(words.OpenRound())


def open_round(table: WildcatTable, step: words.OpenRound) -> None:
    """A round, or the end."""
    if table.board.rounds == table.book.rounds or not table.board.deck:
        _finish(table, "rounds_played")
    else:
        table.next(words.Bids(awaits=table.active), words.RevealBids(), words.OpenRound())


def bid_card(table: WildcatTable, step: words.Bids, command: words.BidCard) -> None:
    """WC-02: a bid is a card in hand."""
    table.require(command.card in table.board.hands[table.seat], "WC-02", "not_in_hand")
    _bid(table, step, table.seat, command.card)


def _bid(table: WildcatTable, step: words.Bids, seat: int, card: str) -> None:
    table.emit(words.BidSealed(seat, card))
    left = tuple(other for other in step.awaits if other != seat)
    if left:
        table.next(replace(step, awaits=left))


def reveal_bids(table: WildcatTable, step: words.RevealBids) -> None:
    """The highest card drills; who bid draws again."""
    seats = [seat for seat in table.active if table.board.bids[seat]]
    if not seats:
        return
    winner = max(seats, key=lambda seat: table.board.bids[seat])
    table.emit(words.BidsRevealed(tuple(table.board.bids[seat] for seat in seats), winner))
    for seat in seats:
        if table.board.deck:
            table.emit(words.CardsDealt(seat, 1, table.board.deck[:1]))
    table.next(words.Drilling(awaits=(winner,)))


def drill_well(table: WildcatTable, step: words.Drilling, command: words.DrillWell) -> None:
    """WC-03: one to three dice; a 1 among them and the well is dry."""
    table.require(1 <= command.dice <= 3, "WC-03", "bad_dice")
    _drill(table, table.seat, command.dice)


def drill_loudly(table: WildcatTable, step: words.Drilling, command: words.DrillLoudly) -> None:
    """WC-04: as WC-03, with a remark, where the game is created with remarks."""
    table.require(table.book.remarks, "WC-04", "no_remarks")
    table.require(1 <= command.dice <= 3, "WC-03", "bad_dice")
    _drill(table, table.seat, command.dice)


def _drill(table: WildcatTable, seat: int, dice: int) -> None:
    rolls, rng = table.choose("dice", dice, (1, 1, 2, 3, 4, 5, 6))
    table.emit(words.WellDrilled(seat, rolls, 0 if 1 in rolls else sum(rolls), rng))


def expire_bid(table: WildcatTable, step: words.Bids, seat: int) -> None:
    """At the deadline the lowest card is bid."""
    table.emit(DecisionExpired(seat, "bids"))
    _bid(table, step, seat, min(table.board.hands[seat]))


def expire_drill(table: WildcatTable, step: words.Drilling, seat: int) -> None:
    """At the deadline one die is rolled."""
    table.emit(DecisionExpired(seat, "drilling"))
    _drill(table, seat, 1)


def resign(table: WildcatTable, seat: int, cause: str) -> None:
    """A seat leaves; the last one left has won."""
    table.emit(SeatResigned(seat, cause))
    table.release(seat)
    if len(table.active) == 1:
        _finish(table, "resignation")


def _finish(table: WildcatTable, reason: str) -> None:
    oil = table.board.oil
    ranks = sorted({oil[seat] for seat in table.active}, reverse=True)
    places = [tuple(seat for seat in table.active if oil[seat] == rank) for rank in ranks]
    gone = [(seat,) for seat in range(len(oil)) if seat not in table.active]
    table.finish(places[0], reason, [*places, *gone], oil)


def bid_options(game: AnyGame, book: WildcatBook, seat: int) -> list[Option]:
    """One of the cards in hand."""
    cards = tuple(sorted(game.board.hands[seat]))
    return [Option("bid", {"type": "bid_card"}, Fields({"card": OneOf(cards)}))]


def drill_options(game: AnyGame, book: WildcatBook, seat: int) -> list[Option]:
    """One to three dice, with a remark where remarks are made."""
    quiet = Option("drill", {"type": "drill_well"}, Fields({"dice": Amount(1, 3)}))
    loud = Fields({"dice": Amount(1, 3), "remark": OneOf((None, "hush"))})
    return [quiet, Option("drill_loudly", {"type": "drill_loudly"}, loud)] if book.remarks else [quiet]


def book(edition: WildcatEdition, chosen: WildcatOptions, seats: int) -> WildcatBook:
    """The rules of one game."""
    return WildcatBook(
        projection=PROJECTION,
        cites=CITES,
        edition=edition,
        rounds=chosen.rounds,
        remarks=chosen.remarks,
        start=start,
        runs={words.OpenRound: open_round, words.RevealBids: reveal_bids},
        answers={
            (words.Bids, words.BidCard): bid_card,
            (words.Drilling, words.DrillWell): drill_well,
            (words.Drilling, words.DrillLoudly): drill_loudly,
        },
        defaults={words.Bids: expire_bid, words.Drilling: expire_drill},
        resign=resign,
        options={words.Bids: bid_options, words.Drilling: drill_options},
    )


CITES = Citations(
    wrong_phase=("WC-10", "wrong_phase"),
    stale_decision=("WC-11", "stale_decision"),
    not_awaited=("WC-12", "not_awaited"),
    game_over=("WC-13", "game_over"),
    not_a_player=("WC-14", "not_a_player"),
    seats=("WC-01", "seats_out_of_range"),
)


def edition_text(name: str = "standard", **changes: Any) -> str:
    """An edition file."""
    plain = {
        "ruleset": "wildcat",
        "edition": name,
        "title": "Wildcat",
        "about": "",
        "provenance": {"cards": "house", "hand": "house"},
    }
    return json.dumps({**plain, "cards": 24, "hand": 2, **changes}, indent=1)


class _Editions(Editions):
    """The game is in no package: its one edition is made here."""

    @cached_property
    def built_in(self) -> Mapping[str, LoadedEdition]:
        return {"standard": self.read("standard.json", edition_text())}


EDITIONS = _Editions("", WildcatEdition, lambda _edition: None)


def _view(game: AnyGame, seat: int | None, edition: Any) -> Struct:
    hands: tuple[Any, ...] = game.board.hands
    shown = tuple(hand if n == seat else () for n, hand in enumerate(hands))
    board: Board = game.board
    return replace(board, hands=shown, deck=(), bids=("",) * len(hands))


def _redraw(game: AnyGame, viewer: int | None, known: frozenset[str], edition: Any, below: Below) -> AnyGame:
    board: Board = game.board
    others = [seat for seat in range(len(board.hands)) if seat != viewer]
    bids = tuple(board.bids[seat] for seat in others)
    deck, under, *hands = remixed([board.deck, bids, *(board.hands[seat] for seat in others)], {"", *known}, below)
    dealt, laid = dict(zip(others, hands, strict=True)), dict(zip(others, under, strict=True))
    return replace(
        game,
        board=replace(
            board,
            deck=deck,
            hands=tuple(dealt.get(seat, hand) for seat, hand in enumerate(board.hands)),
            bids=tuple(laid.get(seat, bid) for seat, bid in enumerate(board.bids)),
        ),
    )


def _tell(event: Mapping[str, Any], edition: Any) -> str | None:
    return str(event["type"])


WILDCAT = Ruleset(
    name="wildcat",
    title="Wildcat",
    version=1,
    least_seats=2,
    most_seats=4,
    register="WC",
    projection=PROJECTION,
    options=WildcatOptions,
    default_edition="standard",
    editions=EDITIONS,
    book=book,
    view=_view,
    tell=_tell,
    redraw=_redraw,
)
