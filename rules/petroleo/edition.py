"""The cards, track and numbers of Petróleo, checked when an edition file is read."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from msgspec import Meta, Struct

from events.petroleo.codes import Kind, Square, Terrain
from rules.edition import Edition, Rejected

Positive = Annotated[int, Meta(ge=1, le=10**6)]
NotNegative = Annotated[int, Meta(ge=0, le=10**6)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Interest = Annotated[int, Meta(ge=0, le=99)]
"""PT-282: it is paid at once, so at 100 % no loan, however large, would leave the bank anything."""

CardId = Annotated[str, Meta(pattern=r"^c[0-9]{2}(?![\s\S])")]
CompanyId = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,15}(?![\s\S])")]

MOST_ADVANCE = 99
KINDS: tuple[Kind, ...] = ("tower_or_licence", "gas", "oil6", "oil4", "oil2", "tanker", "truck")


class CompanyData(Struct, frozen=True, forbid_unknown_fields=True):
    """A company to run."""

    id: CompanyId
    name: str
    colour: str


class CardData(Struct, frozen=True, forbid_unknown_fields=True):
    """A card's privilege. It is in the deck of a game with at least `min_players` seats."""

    id: CardId
    kind: Kind
    min_players: Annotated[int, Meta(ge=2, le=6)]


class Card(Struct, frozen=True):
    """PT-080: what is printed on a card; `advance` moves the marker."""

    id: str
    kind: Kind
    advance: int


class GivenRow(Struct, frozen=True, forbid_unknown_fields=True):
    """How many cards of these kinds a game of so many seats uses: the rows that the rulebook's table has."""

    players: Annotated[int, Meta(ge=2, le=6)]
    tower_or_licence: NotNegative
    gas: NotNegative
    oil6: NotNegative
    oil4: NotNegative


class RestoredRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The same for the kinds whose rows the table lacks, though there are such cards."""

    players: Annotated[int, Meta(ge=2, le=6)]
    oil2: NotNegative
    tanker: NotNegative
    truck: NotNegative


class Pieces(Struct, frozen=True, forbid_unknown_fields=True):
    """What lies in the box: `licences` are tokens for each company."""

    tower: Positive
    gas: NotNegative
    oil6: NotNegative
    oil4: NotNegative
    oil2: NotNegative
    tanker: Annotated[int, Meta(ge=0, le=9)]
    truck: Annotated[int, Meta(ge=0, le=9)]
    licences: Annotated[int, Meta(ge=1, le=100)]
    red_markers: NotNegative
    green_markers: NotNegative


class Zones(Struct, frozen=True, forbid_unknown_fields=True):
    """How many exploration zones of each terrain there are: `L01` and so on, `S01` and so on."""

    land: Annotated[int, Meta(ge=1, le=99)]
    sea: Annotated[int, Meta(ge=1, le=99)]


class Prices(Struct, frozen=True, forbid_unknown_fields=True):
    """What the bank asks, which is also what a piece is worth at the end. A tanker's price is even: it has halves."""

    licence_land: Positive
    licence_sea: Positive
    tower_land: Positive
    tower_sea: Positive
    oil6: Positive
    oil4: Positive
    oil2: Positive
    gas: Positive
    truck: Positive
    tanker: Annotated[int, Meta(ge=2, le=10**6, multiple_of=2)]


class Profits(Struct, frozen=True, forbid_unknown_fields=True):
    """What a piece earns at a year-end."""

    oil6: NotNegative
    oil4: NotNegative
    oil2: NotNegative
    gas: NotNegative
    truck: NotNegative
    tanker: Annotated[int, Meta(ge=0, le=10**6, multiple_of=2)]


class PerOil(Struct, frozen=True, forbid_unknown_fields=True):
    """An amount for each oil reservoir, by size."""

    oil2: NotNegative
    oil4: NotNegative
    oil6: NotNegative


class IncomeTax(Struct, frozen=True, forbid_unknown_fields=True):
    """Square 8: an amount for each piece, then a share of the cash that is left."""

    oil2: NotNegative
    oil4: NotNegative
    oil6: NotNegative
    truck: NotNegative
    tanker: Annotated[int, Meta(ge=0, le=10**6, multiple_of=2)]
    tower: NotNegative
    levy_percent: Percent


class Confiscation(Struct, frozen=True, forbid_unknown_fields=True):
    """Square 2: how many idle plots, and from which year-end passage on."""

    from_passage: NotNegative
    licences: Positive


class Tariffs(Struct, frozen=True, forbid_unknown_fields=True):
    """What the squares demand and pay."""

    confiscation: Confiscation
    tanker_storm: Annotated[int, Meta(ge=0, le=10**6, multiple_of=2)]
    oil_tax: PerOil
    income_tax: IncomeTax
    oil_fire: NotNegative
    tower_storm: NotNegative
    gas_tax: NotNegative
    truck_accident: NotNegative
    price_rise: PerOil
    well_fire: NotNegative
    gas_fire: NotNegative
    price_fall: PerOil


class PetroleoEdition(Edition, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A whole edition."""

    companies: Annotated[tuple[CompanyData, ...], Meta(min_length=6)]
    start_cash: Positive
    all_cash: Positive
    plays: Positive
    loan_interest_percent: Interest
    pieces: Pieces
    zones: Zones
    prices: Prices
    profits: Profits
    tariffs: Tariffs
    track: Annotated[tuple[Square, ...], Meta(min_length=2)]
    decks_given: tuple[GivenRow, ...]
    decks_restored: tuple[RestoredRow, ...]
    cards: tuple[CardData, ...]
    advances: dict[str, int]

    @cached_property
    def card(self) -> dict[str, Card]:
        """Cards by id."""
        return {card.id: Card(card.id, card.kind, self.advances[card.id]) for card in self.cards}

    @cached_property
    def price(self) -> dict[str, int]:
        """Prices by item."""
        return {name: getattr(self.prices, name) for name in Prices.__struct_fields__}

    @cached_property
    def profit(self) -> dict[str, int]:
        """Annual profits by piece."""
        return {name: getattr(self.profits, name) for name in Profits.__struct_fields__}

    @cached_property
    def zone_ids(self) -> dict[Terrain, tuple[str, ...]]:
        """PT-061: every zone by terrain, ascending."""
        return {
            "land": tuple(f"L{n:02}" for n in range(1, self.zones.land + 1)),
            "sea": tuple(f"S{n:02}" for n in range(1, self.zones.sea + 1)),
        }

    @cached_property
    def terrain(self) -> dict[str, Terrain]:
        """PT-061: the terrain of every zone."""
        return {zone: terrain for terrain, zones in self.zone_ids.items() for zone in zones}

    @cached_property
    def tanker_ids(self) -> tuple[str, ...]:
        """PT-093: tankers by id, which is also their berth."""
        return tuple(f"TK{n}" for n in range(1, self.pieces.tanker + 1))

    @cached_property
    def truck_ids(self) -> tuple[str, ...]:
        """PT-093: trucks by id, which is also their bay."""
        return tuple(f"TR{n}" for n in range(1, self.pieces.truck + 1))

    @property
    def opposite_cell(self) -> int:
        """PT-048: the cell half a lap from the year-end cell."""
        return len(self.track) // 2

    def deck_for(self, seats: int) -> tuple[str, ...]:
        """PT-005, PT-007: the cards of a game of so many seats, by id."""
        return tuple(sorted(card.id for card in self.cards if card.min_players <= seats))


def check_edition(edition: PetroleoEdition) -> None:
    """What the shape of the file cannot say. Raises `Rejected` with the path of the value at fault."""
    _require_distinct([card.id for card in edition.cards], "$.cards", ".id")
    _require_distinct([company.id for company in edition.companies], "$.companies", ".id")
    _check_track(edition)
    _check_cards(edition)
    _check_decks(edition)
    if edition.all_cash < 6 * edition.start_cash:
        raise Rejected("$.all_cash", "six companies must be able to start")


def _check_track(edition: PetroleoEdition) -> None:
    """The year-end square is the first cell and no other; the opposite cell exists."""
    if edition.track[0] != 1:
        raise Rejected("$.track[0]", "the first cell is the year-end, square 1")
    if 1 in edition.track[1:]:
        raise Rejected(f"$.track[{edition.track.index(1, 1)}]", "only the first cell is the year-end")
    if len(edition.track) % 2:
        raise Rejected("$.track", "an even number of cells, so that one lies opposite the year-end")


def _check_cards(edition: PetroleoEdition) -> None:
    """Each card has an advance of at least 1, and only cards have one."""
    ids = {card.id for card in edition.cards}
    for index, card in enumerate(edition.cards):
        if card.id not in edition.advances:
            raise Rejected(f"$.cards[{index}].id", "no advance is given for it")
    for card_id, advance in edition.advances.items():
        if card_id not in ids:
            raise Rejected(f"$.advances.{card_id}", "no such card")
        if not 1 <= advance <= MOST_ADVANCE:
            raise Rejected(f"$.advances.{card_id}", f"from 1 to {MOST_ADVANCE}")


def _check_decks(edition: PetroleoEdition) -> None:
    """Cards, deck tables, plays and pieces agree, so that no reservoir, tanker or truck can run out."""
    for name in ("decks_given", "decks_restored"):
        rows: tuple[GivenRow | RestoredRow, ...] = getattr(edition, name)
        if len(rows) != 5:
            raise Rejected(f"$.{name}", "one row for each of 2, 3, 4, 5 and 6 players")
        for index, row in enumerate(rows):
            _check_row(edition, f"$.{name}[{index}]", row, index + 2)
    for kind in KINDS[1:]:
        if sum(card.kind == kind for card in edition.cards) > getattr(edition.pieces, kind):
            raise Rejected(f"$.pieces.{kind}", "no fewer pieces than cards that need one")


def _check_row(edition: PetroleoEdition, path: str, row: GivenRow | RestoredRow, players: int) -> None:
    if row.players != players:
        raise Rejected(f"{path}.players", f"the row for {players} players")
    deck = [card.kind for card in edition.cards if card.min_players <= players]
    for kind in row.__struct_fields__[1:]:
        if deck.count(kind) != getattr(row, kind):  # type: ignore[arg-type] # the fields are kinds
            raise Rejected(f"{path}.{kind}", f"the cards for {players} hold {deck.count(kind)}")  # type: ignore[arg-type]
    if len(deck) != edition.plays * players:
        raise Rejected(path, f"{edition.plays} cards for each player")


def _require_distinct(values: list[str], path: str, field: str) -> None:
    for index, value in enumerate(values):
        if value in values[:index]:
            raise Rejected(f"{path}[{index}]{field}", "used before")
