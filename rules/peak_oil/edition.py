"""The cards, chips, routes and numbers of Peak Oil, checked when an edition file is read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated

from msgspec import Meta, Struct

from events.peak_oil.codes import Barrels, Level, Refinery, Region, Spot, Technology
from rules.edition import Edition, Rejected
from rules.peak_oil.effects import Effect, OnFlip

Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0, le=1000)]
Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9+-]{1,32}(?![\s\S])")]
LeastSeats = Annotated[int, Meta(ge=2, le=5)]
ByLevel = tuple[NotNegative, NotNegative, NotNegative]

SPOTS: tuple[Spot, ...] = ("EXP", "DEV", "VEN", "LIB", "NIG", "GUL", "RUS", "INV", "GRY")
"""PO-255: every spot, in the order in which the Peak Oil phase checks them."""


class SeatsRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What a game of so many seats starts with: barrels in the bag, Consultants on offer by level."""

    seats: Annotated[int, Meta(ge=2, le=5)]
    bag: Barrels
    consultants: ByLevel


class RegionCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A Region; with fewer seats than `least_seats` it is closed."""

    id: Region
    name: str
    least_seats: LeastSeats = 2


class TechnologyCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A technology; with fewer seats than `least_seats` it is closed."""

    id: Technology
    name: str
    least_seats: LeastSeats = 2


class RefineryCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A Refinery."""

    id: Refinery
    name: str


class RiskSpot(Struct, frozen=True, forbid_unknown_fields=True):
    """A Risk spot of the map."""

    id: Id
    name: str


class Route(Struct, frozen=True, forbid_unknown_fields=True):
    """A way from a Region to a Refinery, and the Risk spots on it."""

    id: Id
    from_region: Region
    refinery: Refinery
    risks: Annotated[tuple[Id, ...], Meta(min_length=1)]


class RiskFace(Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a Risk chip; a blank one shows nothing."""

    question_marks: NotNegative = 0
    skulls: NotNegative = 0
    closed: bool = False


class RiskChip(Struct, frozen=True, forbid_unknown_fields=True):
    """A Risk chip with its two sides."""

    id: Id
    faces: tuple[RiskFace, RiskFace]

    @property
    def closed_faces(self) -> int:
        """How many of its sides close a route."""
        return sum(face.closed for face in self.faces)


class RefineryChip(Struct, frozen=True, forbid_unknown_fields=True):
    """A Refinery chip: the Demand on each side."""

    id: Id
    demand: tuple[NotNegative, NotNegative]


class OilField(Struct, frozen=True, forbid_unknown_fields=True):
    """An Oil Field card. With fewer seats than `least_seats` it is out of the game."""

    id: Id
    region: Region
    technologies: Annotated[tuple[Technology, ...], Meta(min_length=1, max_length=2)]
    full: NotNegative
    question_marks: NotNegative
    security: bool = False
    least_seats: LeastSeats = 2


class StartUp(Struct, frozen=True, forbid_unknown_fields=True):
    """A Start-Up card."""

    id: Id
    technology: Technology
    least_seats: LeastSeats = 2


class Portfolio(Struct, frozen=True, forbid_unknown_fields=True):
    """A Private Portfolio: three Start-Ups."""

    id: Id
    technologies: tuple[Technology, Technology, Technology]
    least_seats: LeastSeats = 2


class EffectCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card that alters rules: what it says, and the hooks it takes hold of."""

    id: Id
    name: str
    level: Level
    text: str
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1)]


class PeakOilEdition(Edition, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A whole edition."""

    barrels: Barrels
    by_seats: tuple[SeatsRow, ...]
    agents: Positive
    agents_at_start: NotNegative
    agents_per_spot: Positive
    black_at_start: NotNegative
    black_per_shown_field: NotNegative
    display: Positive
    security_chips: NotNegative
    third_step_price: NotNegative
    consultant_points: ByLevel
    pr_penalties: ByLevel
    whitewash_prices: ByLevel
    crude_red: NotNegative
    track_spaces: Positive
    track_skips: NotNegative
    track_penalty: NotNegative
    regions: tuple[RegionCard, ...]
    technologies: tuple[TechnologyCard, ...]
    refineries: tuple[RefineryCard, ...]
    risk_spots: Annotated[tuple[RiskSpot, ...], Meta(min_length=1)]
    routes: Annotated[tuple[Route, ...], Meta(min_length=1)]
    risk_chips: tuple[RiskChip, ...]
    refinery_chips: tuple[RefineryChip, ...]
    oil_fields: tuple[OilField, ...]
    start_ups: tuple[StartUp, ...]
    portfolios: tuple[Portfolio, ...]
    consultants: tuple[EffectCard, ...]
    pr_cards: tuple[EffectCard, ...]

    @cached_property
    def field(self) -> dict[str, OilField]:
        """Oil Fields by id."""
        return {card.id: card for card in self.oil_fields}

    @cached_property
    def start_up(self) -> dict[str, StartUp]:
        """Start-Ups by id."""
        return {card.id: card for card in self.start_ups}

    @cached_property
    def portfolio(self) -> dict[str, Portfolio]:
        """Portfolios by id."""
        return {card.id: card for card in self.portfolios}

    @cached_property
    def consultant(self) -> dict[str, EffectCard]:
        """Consultants by id."""
        return {card.id: card for card in self.consultants}

    @cached_property
    def pr_card(self) -> dict[str, EffectCard]:
        """PR Crisis cards by id."""
        return {card.id: card for card in self.pr_cards}

    @cached_property
    def route(self) -> dict[str, Route]:
        """Routes by id."""
        return {route.id: route for route in self.routes}

    @cached_property
    def routes_from(self) -> dict[str, tuple[Route, ...]]:
        """Routes by the Region they start from."""
        return {
            region.id: tuple(route for route in self.routes if route.from_region == region.id)
            for region in self.regions
        }

    @cached_property
    def risk_chip(self) -> dict[str, RiskChip]:
        """Risk chips by id."""
        return {chip.id: chip for chip in self.risk_chips}

    @cached_property
    def refinery_chip(self) -> dict[str, RefineryChip]:
        """Refinery chips by id."""
        return {chip.id: chip for chip in self.refinery_chips}

    @cached_property
    def effects(self) -> dict[str, tuple[Effect, ...]]:
        """What each Consultant and PR Crisis card does, by id."""
        return {card.id: card.effects for card in (*self.consultants, *self.pr_cards)}

    def row(self, seats: int) -> SeatsRow:
        """PO-001, PO-031: the start of a game of so many seats, 2 to 5."""
        return next(row for row in self.by_seats if row.seats == seats)


def check_edition(edition: PeakOilEdition) -> None:
    """What the shape of the file cannot say. Raises `Rejected` with the path of the value at fault."""
    for path, ids in _all_ids(edition).items():
        for index, one in enumerate(ids):
            if one in ids[:index]:
                raise Rejected(f"$.{path}[{index}].id", "used before")
    _check_seats(edition)
    _check_map(edition)
    _check_closed(edition)
    _check_effect_cards(edition)


def _all_ids(edition: PeakOilEdition) -> dict[str, list[str]]:
    return {
        "regions": [card.id for card in edition.regions],
        "technologies": [card.id for card in edition.technologies],
        "refineries": [card.id for card in edition.refineries],
        "risk_spots": [card.id for card in edition.risk_spots],
        "routes": [card.id for card in edition.routes],
        "risk_chips": [card.id for card in edition.risk_chips],
        "refinery_chips": [card.id for card in edition.refinery_chips],
        "oil_fields": [card.id for card in edition.oil_fields],
        "start_ups": [card.id for card in edition.start_ups],
        "portfolios": [card.id for card in edition.portfolios],
        "consultants": [card.id for card in (*edition.consultants, *edition.pr_cards)],
    }


def _check_seats(edition: PeakOilEdition) -> None:
    if [row.seats for row in edition.by_seats] != [2, 3, 4, 5]:
        raise Rejected("$.by_seats", "one row for each of 2, 3, 4 and 5 seats, in this order")
    if edition.agents_at_start > edition.agents:
        raise Rejected("$.agents_at_start", "more than there are agents")
    if edition.track_skips >= edition.track_spaces:
        raise Rejected("$.track_skips", "no space of the PR track would be left")
    for index, row in enumerate(edition.by_seats):
        _check_barrels(edition, row, f"$.by_seats[{index}].bag")
        _check_numbers(edition, row, f"$.by_seats[{index}]")


def _check_barrels(edition: PeakOilEdition, row: SeatsRow, path: str) -> None:
    """PO-031, PO-301: there are as many barrels as a game of so many seats starts with, in either variant."""
    elsewhere = row.seats * (edition.black_at_start + edition.black_per_shown_field)
    if not row.bag.black or row.bag.black + elsewhere > edition.barrels.black:
        raise Rejected(f"{path}.black", "at least 1, and with what HQs and Regions start with no more than there are")
    if max(row.bag.red, edition.crude_red) > edition.barrels.red:
        raise Rejected(f"{path}.red", "more than there are red barrels")
    if row.bag.yellow > edition.barrels.yellow:
        raise Rejected(f"{path}.yellow", "more than there are yellow barrels")


def _check_numbers(edition: PeakOilEdition, row: SeatsRow, path: str) -> None:
    """PO-023, PO-024, PO-025, PO-026, PO-027, PO-032: there are enough cards for so many seats."""
    for level, number in enumerate(row.consultants, 1):
        if number > sum(card.level == level for card in edition.consultants):
            raise Rejected(f"{path}.consultants[{level - 1}]", "more than there are Consultants of this level")
    fields = sum(card.least_seats <= row.seats and len(card.technologies) == 1 for card in edition.oil_fields)
    start_ups = sum(card.least_seats <= row.seats for card in edition.start_ups)
    portfolios = sum(card.least_seats <= row.seats for card in edition.portfolios)
    for kind, number, least in (
        ("oil_fields", fields, row.seats + edition.display),
        ("start_ups", start_ups, edition.display),
        ("portfolios", portfolios, row.seats),
    ):
        if number < least:
            raise Rejected(f"$.{kind}", f"too few cards for {row.seats} seats")


def _check_map(edition: PeakOilEdition) -> None:
    if len(edition.regions) != 5 or len(edition.technologies) != 5 or len(edition.refineries) != 3:
        raise Rejected("$.regions", "the board has 5 Regions, 5 technologies and 3 Refineries")
    if [card.id for card in edition.regions] != [spot for spot in SPOTS if spot in edition.routes_from]:
        raise Rejected("$.regions", "Regions stand in the order of the rulebook")
    if len(edition.refinery_chips) != len(edition.refineries):
        raise Rejected("$.refinery_chips", "one for each Refinery")
    if sum(chip.closed_faces == 0 for chip in edition.risk_chips) < len(edition.risk_spots):
        raise Rejected("$.risk_chips", "enough chips without a closed side for every Risk spot")
    known = {spot.id for spot in edition.risk_spots}
    for index, route in enumerate(edition.routes):
        for at, risk in enumerate(route.risks):
            if risk not in known:
                raise Rejected(f"$.routes[{index}].risks[{at}]", "no such Risk spot")
            if risk in route.risks[:at]:
                raise Rejected(f"$.routes[{index}].risks[{at}]", "on the route before")
    for region in edition.regions:
        if not edition.routes_from[region.id]:
            raise Rejected("$.routes", f"no route starts from {region.id}")


def _check_closed(edition: PeakOilEdition) -> None:
    """PO-006: no card that shows a closed Region or technology stays in the game."""
    least: dict[str, int] = {card.id: card.least_seats for card in edition.regions}
    least |= {card.id: card.least_seats for card in edition.technologies}
    for kind, cards in (
        ("oil_fields", [((card.region, *card.technologies), card.least_seats) for card in edition.oil_fields]),
        ("start_ups", [((card.technology,), card.least_seats) for card in edition.start_ups]),
        ("portfolios", [(card.technologies, card.least_seats) for card in edition.portfolios]),
    ):
        _check_least(kind, cards, least)
    for seats in (2, 3, 4, 5):
        regions = sum(card.least_seats <= seats for card in edition.regions)
        if regions != sum(card.least_seats <= seats for card in edition.technologies):
            raise Rejected("$.technologies", "as many technologies as Regions are open at every number of seats")


def _check_least(kind: str, cards: Iterable[tuple[tuple[str, ...], int]], least: dict[str, int]) -> None:
    for index, (shown, seats) in enumerate(cards):
        if any(least[one] > seats for one in shown):
            raise Rejected(f"$.{kind}[{index}].least_seats", "the card shows what is closed with fewer seats")


def _check_effect_cards(edition: PeakOilEdition) -> None:
    """PO-033, PO-129: enough PR Crisis cards of each level, and no seat can lose its last agent to them."""
    for level in (1, 2, 3):
        if sum(card.level == level for card in edition.pr_cards) < 5:
            raise Rejected("$.pr_cards", f"at least 5 PR Crisis cards of level {level}")
    held = 0
    for index, card in enumerate(edition.pr_cards):
        for at, effect in enumerate(card.effects):
            if isinstance(effect, OnFlip) and effect.hold != "black" and effect.number != 1:
                raise Rejected(f"$.pr_cards[{index}].effects[{at}].number", "a number goes with hold: black only")
            held += isinstance(effect, OnFlip) and effect.hold == "agent"
            if held >= edition.agents_at_start:
                raise Rejected(f"$.pr_cards[{index}].effects[{at}]", "a seat could lose its last agent")
