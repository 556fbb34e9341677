"""What the things of Petróleo are worth to a house bot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import ceil
from statistics import mean
from typing import Any

from events.petroleo.codes import Kind
from projections.petroleo.view import BoardView, CompanyView, TankerView
from rules.petroleo.edition import IncomeTax, PerOil, PetroleoEdition

RESERVOIRS: tuple[Kind, ...] = ("oil6", "oil4", "oil2", "gas")


class Worth:
    """What things are worth to a seat, in money at the end."""

    def __init__(self, board: BoardView, seat: int, edition: PetroleoEdition) -> None:
        self.board, self.seat, self.edition = board, seat, edition
        self.own = board.companies[seat]
        self.half = edition.prices.tanker // 2
        self.half_profit = edition.profits.tanker // 2

    # ---- what the future holds

    @cached_property
    def active(self) -> list[CompanyView]:
        return [company for company in self.board.companies if not company.left]

    @cached_property
    def payouts(self) -> int:
        """How many year-ends are still to come if the cards to be laid are of average length."""
        deck = self.edition.deck_for(len(self.board.companies))
        average = sum(self.edition.card[card].advance for card in deck) / len(deck)
        plays = sum(self.edition.plays - company.laid for company in self.active)
        return int(self.board.marker % self.lap + average * plays) // self.lap

    @cached_property
    def lap(self) -> int:
        """The cells between two year-ends: half the track where there were more of them than rounds."""
        cells = len(self.edition.track)
        travelled = sum(card.advance or 0 for card in self.board.played)
        return cells // 2 if self.board.year_ends > travelled // cells else cells

    @cached_property
    def exposure(self) -> int:
        """The most that a square could demand of this seat; a storm at sea aside, for half a tanker pays it."""
        return max(0, *(self.demand(self.own, square) for square in range(1, 21) if square != 4))

    @cached_property
    def spare(self) -> int:
        return self.own.cash - self.exposure

    def income(self, company: CompanyView) -> int:
        """What a year-end brings a company."""
        profit = self.edition.profit
        covered = len(company.trucks) * profit["truck"]
        covered += sum(profit.get(plot.building or "", 0) for plot in company.plots)
        shares = sum(halves(tanker, company.seat) for tanker in self.board.tankers)
        return (covered // 2 if company.nationalised else covered) + shares * self.half_profit

    def demand(self, company: CompanyView, square: int) -> int:
        """What a square takes from a company; below 0 for what it gives."""
        tariffs = self.edition.tariffs
        match square:
            case 6:
                total = _per_oil(company, tariffs.oil_tax)
            case 8:
                pieces = tariffs.income_tax.tower * count(company, "tower")
                pieces += tariffs.income_tax.truck * len(company.trucks)
                total = _per_oil(company, tariffs.income_tax) + pieces
            case 11:
                total = tariffs.gas_tax * count(company, "gas")
            case 14:
                total = -_per_oil(company, tariffs.price_rise)
            case 19:
                total = _per_oil(company, tariffs.price_fall)
            case _:
                total = self._fine(company, square)
        return ceil(total / 2) if company.nationalised else total

    def _fine(self, company: CompanyView, square: int) -> int:
        tariffs = self.edition.tariffs
        oil = sum(count(company, kind) for kind in ("oil2", "oil4", "oil6"))
        towers, gas = count(company, "tower"), count(company, "gas")
        owned_and_fine = {
            9: (oil, tariffs.oil_fire),
            10: (towers, tariffs.tower_storm),
            12: (len(company.trucks), tariffs.truck_accident),
            15: (towers, tariffs.well_fire),
            18: (gas, tariffs.gas_fire),
        }
        owned, fine = owned_and_fine.get(square, (0, 0))
        return fine if owned else 0

    # ---- what things are worth

    @cached_property
    def hand(self) -> tuple[str, ...]:
        return self.own.hand or ()

    @cached_property
    def reservoirs_in_hand(self) -> list[float]:
        """What the reservoir cards in hand are worth on a land plot, the best first."""
        kinds = (self.edition.card[card].kind for card in self.hand)
        return sorted((self.reservoir(kind) for kind in kinds if kind in RESERVOIRS), reverse=True)

    def reservoir(self, kind: Kind) -> float:
        """A reservoir in the place of a tower on land. What the State takes, it may give back."""
        share = 0.75 if self.own.nationalised else 1
        lost = self.edition.prices.tower_land
        return share * (self.edition.profit[kind] * self.payouts + self.edition.price[kind]) - self.price(kind) - lost

    @cached_property
    def usual(self) -> float:
        """A reservoir of any kind."""
        return mean(map(self.reservoir, RESERVOIRS))

    def price(self, kind: Kind) -> int:
        return self.half if kind == "tanker" else self.edition.price.get(kind, 0)

    def _plot(self, rank: int) -> float:
        """What one more plot could carry when `rank` are there already: a reservoir card in hand, or one to come."""
        if rank < len(self.reservoirs_in_hand):
            return max(0.0, self.reservoirs_in_hand[rank])
        to_come = self.edition.plays - self.own.laid - len(self.hand)
        missing = rank - len(self.reservoirs_in_hand)
        return max(0.0, self.usual / 2) if missing < to_come // 2 else 0.0

    @cached_property
    def next_tower(self) -> float:
        """One more tower on a bare plot, over its price, which is also its worth."""
        return 0.8 * self._plot(count(self.own, "tower"))

    def next_licence(self, *, sea: bool, more: int = 0) -> float:
        """One more licence, over its price; at sea, the tower that a reservoir replaces is dearer."""
        prices = self.edition.prices
        price = prices.licence_sea + prices.tower_sea - prices.tower_land if sea else prices.licence_land
        return 0.4 * self._plot(count(self.own, "tower") + count(self.own, None) + more) - price

    def use(self, kind: Kind, use: Mapping[str, Any]) -> float:
        """What one way to exercise a privilege is worth."""
        if kind == "tanker":
            return self.half_profit * self.payouts * (2 if use.get("mode") == "sole" else 1)
        if kind == "truck":
            share = 0.75 if self.own.nationalised else 1
            value = self.edition.profits.truck * self.payouts + self.edition.prices.truck
            return share * value - self.edition.prices.truck
        if kind in RESERVOIRS:
            return self.reservoir(kind) + self.edition.prices.tower_land - self.tower_price(use["zone_id"])
        if use["item"] == "tower":
            return self.next_tower - 0.01 * self.tower_price(use["zone_id"])
        return self.next_licence(sea=use["item"] == "licence_sea")

    def tower_price(self, zone: str) -> int:
        prices = self.edition.prices
        return prices.tower_land if self.edition.terrain[zone] == "land" else prices.tower_sea

    def now(self, kind: Kind) -> float:
        """What a card of this kind is worth on this table to this seat, used at once."""
        uses: list[dict[str, Any]] = []
        if kind in RESERVOIRS:
            uses = [{"zone_id": zone} for zone in self.zones("tower")] if self.spare >= self.price(kind) else []
        elif kind == "tower_or_licence":
            uses = [{"item": "licence_land"}, {"item": "licence_sea"}]
            uses += [{"item": "tower", "zone_id": zone} for zone in self.zones(None)]
        elif kind == "truck" or self.own.cash >= self.half:
            uses = [{"mode": "sole" if self.own.cash >= 2 * self.half else "partnership"}]
        return max((0.0, *(self.use(kind, use) for use in uses)))

    def later(self, kind: Kind) -> float:
        """What keeping a card of this kind may bring: a turn lost, but plots and cash may be there by then."""
        if self.own.hand_size <= 1:
            return 0.0
        hope = 0.0
        if kind in RESERVOIRS:
            hope = 0.5 * self.reservoir(kind)
        elif kind == "tanker":
            hope = 0.6 * self.half_profit * max(0, self.payouts - 1)
        return max(0.85 * self.now(kind), hope)

    def zones(self, building: str | None) -> list[str]:
        return [plot.zone for plot in self.own.plots if plot.building == building]

    @property
    def half_worth(self) -> int:
        """Half a tanker: its price and what it will earn."""
        return self.half + self.half_profit * self.payouts


def count(company: CompanyView, building: str | None) -> int:
    """How many of its plots carry this (None: nothing)."""
    return sum(plot.building == building for plot in company.plots)


def _per_oil(company: CompanyView, tariff: PerOil | IncomeTax) -> int:
    sizes = (("oil2", tariff.oil2), ("oil4", tariff.oil4), ("oil6", tariff.oil6))
    return sum(count(company, kind) * amount for kind, amount in sizes)


def halves(tanker: TankerView, seat: int) -> int:
    """How many halves of a tanker a seat owns."""
    if tanker.commander == seat:
        return 2 if tanker.partner is None else 1
    return 1 if tanker.partner == seat else 0
