"""Petróleo, played to win, simply: half a tanker early, towers under the best reservoirs, and never out of cash."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import ceil
from statistics import mean
from typing import Any

from events.petroleo import AnswerDissolution, BidForCard, BuyLicenceSquare, Kind
from projections.petroleo.view import BoardView, CompanyView, TankerView
from projections.view import GameView
from rules.catalogue import rulesets
from rules.choices import Amount, Below, Fields, Option, SomeOf
from rules.petroleo.edition import IncomeTax, PerOil, PetroleoEdition

RESERVOIRS: tuple[Kind, ...] = ("oil6", "oil4", "oil2", "gas")
SAVINGS = 60
"""What is not lent to the bank: enough for a plot, a tower and a reservoir, with something left for fines."""


def play(view: GameView[BoardView], options: Sequence[Option], below: Below) -> dict[str, Any]:
    """The command of the awaited seat."""
    assert view.viewer is not None, "a bot has a seat"
    edition = rulesets()[view.ruleset].edition(view.edition).edition
    assert isinstance(edition, PetroleoEdition)
    position = _Position(view.board, view.viewer, edition, options)
    question = "" if view.question is None else view.question.name
    answer = _ANSWERS.get(question)
    return options[0].pick(below) if answer is None else answer(position)


class _Position:
    """What a seat knows while it answers one question, and what it makes of it. Values are money at the end."""

    def __init__(self, board: BoardView, seat: int, edition: PetroleoEdition, options: Sequence[Option]) -> None:
        self.board, self.seat, self.edition, self.options = board, seat, edition, options
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
        return int(self.board.marker + average * plays) // len(self.edition.track)

    @cached_property
    def exposure(self) -> int:
        """The most that a square could demand of this seat; a storm at sea aside, for half a tanker pays it."""
        return max(0, *(self._demand(self.own, square) for square in range(1, 21) if square != 4))

    @cached_property
    def spare(self) -> int:
        return self.own.cash - self.exposure

    def _income(self, company: CompanyView) -> int:
        """What a year-end brings a company."""
        profit = self.edition.profit
        covered = len(company.trucks) * profit["truck"]
        covered += sum(profit.get(plot.building or "", 0) for plot in company.plots)
        halves = sum(_halves(tanker, company.seat) for tanker in self.board.tankers)
        return (covered // 2 if company.nationalised else covered) + halves * self.half_profit

    def _demand(self, company: CompanyView, square: int) -> int:
        """What a square takes from a company; below 0 for what it gives."""
        tariffs = self.edition.tariffs
        match square:
            case 6:
                total = _per_oil(company, tariffs.oil_tax)
            case 8:
                pieces = tariffs.income_tax.tower * _count(company, "tower")
                pieces += tariffs.income_tax.truck * len(company.trucks)
                total = _per_oil(company, tariffs.income_tax) + pieces
            case 11:
                total = tariffs.gas_tax * _count(company, "gas")
            case 14:
                total = -_per_oil(company, tariffs.price_rise)
            case 19:
                total = _per_oil(company, tariffs.price_fall)
            case _:
                total = self._fine(company, square)
        return ceil(total / 2) if company.nationalised else total

    def _fine(self, company: CompanyView, square: int) -> int:
        tariffs = self.edition.tariffs
        oil = sum(_count(company, kind) for kind in ("oil2", "oil4", "oil6"))
        towers, gas = _count(company, "tower"), _count(company, "gas")
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
        return sorted((self._reservoir(kind) for kind in kinds if kind in RESERVOIRS), reverse=True)

    def _reservoir(self, kind: Kind) -> float:
        """A reservoir in the place of a tower on land. What the State takes, it may give back."""
        share = 0.75 if self.own.nationalised else 1
        lost = self.edition.prices.tower_land
        return share * (self.edition.profit[kind] * self.payouts + self.edition.price[kind]) - self._price(kind) - lost

    def _price(self, kind: Kind) -> int:
        return self.half if kind == "tanker" else self.edition.price.get(kind, 0)

    def _plot(self, rank: int) -> float:
        """What one more plot could carry when `rank` are there already: a reservoir card in hand, or one to come."""
        if rank < len(self.reservoirs_in_hand):
            return max(0.0, self.reservoirs_in_hand[rank])
        to_come = self.edition.plays - self.own.laid - len(self.hand)
        missing = rank - len(self.reservoirs_in_hand)
        return max(0.0, mean(map(self._reservoir, RESERVOIRS)) / 2) if missing < to_come // 2 else 0.0

    @cached_property
    def next_tower(self) -> float:
        """One more tower on a bare plot, over its price, which is also its worth."""
        return 0.8 * self._plot(_count(self.own, "tower"))

    def _next_licence(self, *, sea: bool, more: int = 0) -> float:
        """One more licence, over its price; at sea, the tower that a reservoir replaces is dearer."""
        prices = self.edition.prices
        price = prices.licence_sea + prices.tower_sea - prices.tower_land if sea else prices.licence_land
        return 0.4 * self._plot(_count(self.own, "tower") + _count(self.own, None) + more) - price

    def _worth(self, kind: Kind, use: Mapping[str, Any]) -> float:
        """What one way to exercise a privilege is worth."""
        if kind == "tanker":
            return self.half_profit * self.payouts * (2 if use.get("mode") == "sole" else 1)
        if kind == "truck":
            share = 0.75 if self.own.nationalised else 1
            value = self.edition.profits.truck * self.payouts + self.edition.prices.truck
            return share * value - self.edition.prices.truck
        if kind in RESERVOIRS:
            return self._reservoir(kind) + self.edition.prices.tower_land - self._tower_price(use["zone_id"])
        if use["item"] == "tower":
            return self.next_tower - 0.01 * self._tower_price(use["zone_id"])
        return self._next_licence(sea=use["item"] == "licence_sea")

    def _tower_price(self, zone: str) -> int:
        prices = self.edition.prices
        return prices.tower_land if self.edition.terrain[zone] == "land" else prices.tower_sea

    def _now(self, kind: Kind) -> float:
        """What a card of this kind is worth on this table to this seat, used at once."""
        uses: list[dict[str, Any]] = []
        if kind in RESERVOIRS:
            uses = [{"zone_id": zone} for zone in self._zones("tower")] if self.spare >= self._price(kind) else []
        elif kind == "tower_or_licence":
            uses = [{"item": "licence_land"}, {"item": "licence_sea"}]
            uses += [{"item": "tower", "zone_id": zone} for zone in self._zones(None)]
        elif kind == "truck" or self.own.cash >= self.half:
            uses = [{"mode": "sole" if self.own.cash >= 2 * self.half else "partnership"}]
        return max((0.0, *(self._worth(kind, use) for use in uses)))

    def _later(self, kind: Kind) -> float:
        """What keeping a card of this kind may bring: a turn lost, but plots and cash may be there by then."""
        if self.own.hand_size <= 1:
            return 0.0
        hope = 0.0
        if kind in RESERVOIRS:
            hope = 0.5 * self._reservoir(kind)
        elif kind == "tanker":
            hope = 0.6 * self.half_profit * max(0, self.payouts - 1)
        return max(0.85 * self._now(kind), hope)

    def _zones(self, building: str | None) -> list[str]:
        return [plot.zone for plot in self.own.plots if plot.building == building]

    # ---- the turn: squares, cards, privileges

    def licence_square(self) -> dict[str, Any]:
        asked = self.board.asked
        assert isinstance(asked, BuyLicenceSquare)
        sea = asked.terrain == "sea"
        wanted = [more for more in range(2) if self._next_licence(sea=sea, more=more) > 0]
        price = self.edition.prices.licence_sea if sea else self.edition.prices.licence_land
        fitting = [
            option.command
            for option in self._named("buy_licence")
            if option.choose is None and option.command["count"] <= min(len(wanted), self.spare // price)
        ]
        return self._window() or max(fitting, key=lambda command: int(command["count"]), default={"type": "decline"})

    def tower_square(self) -> dict[str, Any]:
        fitting = [option for option in self._named("buy_tower") if option.costs["cash"] <= self.spare]
        buying = min(fitting, key=lambda option: option.costs["cash"], default=None)
        return self._window() or ({"type": "decline"} if buying is None or self.next_tower <= 0 else buying.command)

    def convenience(self) -> dict[str, Any]:
        squares = {
            1: self._income(self.own) - mean(self._income(company) for company in self.active),
            3: self._next_licence(sea=True),
            5: self._next_licence(sea=False),
            7: self.next_tower if self._zones(None) else 0.0,
            14: -self._demand(self.own, 14),
            17: self._income(self.own) * self.payouts / 2 if self.own.nationalised else 0.0,
        }
        best = max(squares, key=lambda square: squares[square])
        return self._window() or ({"type": "choose_square", "square": best} if squares[best] > 0 else self._refusal())

    def card(self) -> dict[str, Any]:
        """The card with the most to gain over keeping it; where the marker goes is the next company's trouble."""

        def merit(option: Option) -> float:
            card = self.edition.card[option.command["card_id"]]
            return self._now(card.kind) - self._later(card.kind) + self._trouble(card.advance)

        return self._window() or max(self._named("play_card"), key=merit).command

    def _trouble(self, advance: int) -> float:
        """What the next company meets after so many cells, as far as it helps this one."""
        seats = len(self.board.companies)
        order = (self.board.companies[(self.seat + step) % seats] for step in range(1, seats))
        after = next((company for company in order if not company.left), None)
        if after is None:
            return 0.0
        square = self.edition.track[(self.board.marker + advance) % len(self.edition.track)]
        return self._demand(after, square) / len(self.active)

    def privilege(self) -> dict[str, Any]:
        """Offered first to whoever pays more than it is worth here, which costs nothing; then used, if worth it."""
        assert self.board.laid is not None
        assert self.board.laid.kind is not None, "one's own card, or one bought"
        kind = self.board.laid.kind
        best, gain = self._best_exercise(kind)
        if window := self._window():
            return window
        if self._named("offer_card"):
            return self._offer(max(1.2 * gain + 1, self._market(kind) / 3))
        return self._refusal() if best is None else best.command

    def _best_exercise(self, kind: Kind) -> tuple[Option | None, float]:
        """The best exercise, and what it is worth; none where it is worth nothing or too dear."""
        uses = [
            option
            for option in self._named("exercise")
            if option.choose is None and (kind == "tanker" or option.costs["cash"] <= self.spare)
        ]
        best = max(uses, key=lambda option: self._worth(kind, option.command), default=None)
        gain = 0.0 if best is None else self._worth(kind, best.command)
        return (best, gain) if gain > 0 else (None, 0.0)

    def _offer(self, least: float) -> dict[str, Any]:
        return {"type": "offer_card", "min_bid": min(max(1, ceil(least)), self.edition.all_cash)}

    def _market(self, kind: Kind) -> float:
        """What a privilege may be worth to somebody who can use it."""
        if kind == "tower_or_licence":
            return mean(map(self._reservoir, RESERVOIRS)) / 2
        if kind == "tanker":
            return self.half_profit * self.payouts
        return self.edition.profit[kind] * self.payouts

    def bid(self) -> dict[str, Any]:
        """A good half of what the card is worth here, never more than what leaves enough for fines."""
        asked = self.board.asked
        assert isinstance(asked, BidForCard)
        gain = self._now(asked.kind)
        means = self.own.cash if asked.kind == "tanker" else self.spare
        most = min(means - max(self._price(asked.kind), self._dearest_step(asked.kind)), int(0.8 * gain))
        amount = max(asked.min_bid, min(most, round(0.6 * gain)))
        wanted: dict[str, Any] = {"type": "bid", "amount": amount if amount <= most else None}
        return wanted if any(option.admits(wanted) for option in self.options) else {"type": "bid", "amount": None}

    def _dearest_step(self, kind: Kind) -> int:
        return self.edition.prices.tower_sea if kind == "tower_or_licence" else 0

    # ---- tankers

    def _window(self) -> dict[str, Any] | None:
        """The bank's half of an own tanker, or a partner's who cannot buy ours, as long as a half still earns."""
        if self.payouts < 1 or self.spare < self.half:
            return None
        if buying := self._named("buy_bank_half"):
            return buying[0].command
        tankers = {tanker.id: tanker for tanker in self.board.tankers}
        for option in self._named("propose_dissolution"):
            partner = tankers[option.command["tanker_id"]].partner
            if isinstance(partner, int) and self.board.companies[partner].cash < self.half and option.choose is None:
                return option.command
        return None

    def partnership(self) -> dict[str, Any]:
        return {"type": "answer_partnership", "accept": self.payouts >= 1}

    def partner(self) -> dict[str, Any]:
        """Of several partners the poorest: a half earns them as much as us."""
        return min(
            self._named("choose_partner"),
            key=lambda option: self._wealth(self.board.companies[option.command["partner"]]),
        ).command

    def _wealth(self, company: CompanyView) -> int:
        return company.cash + self._income(company) * self.payouts

    def with_bank(self) -> dict[str, Any]:
        return {"type": "accept_bank"} if self.payouts >= 1 else {"type": "abandon"}

    def dissolution(self) -> dict[str, Any]:
        """A half is worth its price and what it will earn: bought below that, sold from there on."""
        asked = self.board.asked
        assert isinstance(asked, AnswerDissolution)
        worth = self.half + self.half_profit * self.payouts
        selling, buying = self._named("sell_share"), self._named("buy_share")
        if selling and asked.price >= worth:
            return selling[0].command
        if buying and asked.price < worth and asked.price <= self.spare:
            return buying[0].command
        return {"type": "refuse"}

    def keep_share(self) -> dict[str, Any]:
        return {"type": "keep"}

    def damaged(self) -> dict[str, Any]:
        """Half a tanker costs half the repair, and a rival's half is the rival's to pay."""
        tankers = {tanker.id: tanker for tanker in self.board.tankers}

        def cost(option: Option) -> tuple[int, bool]:
            tanker = tankers[option.command["tanker_id"]]
            return _halves(tanker, self.seat), tanker.partner == "bank"

        return min(self._named("damage"), key=cost).command

    # ---- losses and loans

    def surrender(self) -> dict[str, Any]:
        """Plots at sea first: their towers are dearer."""
        choose = self.options[0].choose
        assert isinstance(choose, Fields)
        some = choose.fields["zone_ids"]
        assert isinstance(some, SomeOf)
        dearest = sorted(some.of, key=self._tower_price, reverse=True)
        return {"type": "surrender", "zone_ids": sorted(dearest[: some.least])}

    def dry_tower(self) -> dict[str, Any]:
        return min(self.options, key=lambda option: self._tower_price(option.command["zone_id"])).command

    def debt(self) -> dict[str, Any]:
        return self.options[0].command

    def lend(self) -> dict[str, Any]:
        """The bank pays a tenth at once for what it takes: whatever is not needed soon."""
        choose = self.options[0].choose
        assert isinstance(choose, Fields)
        amount = choose.fields["amount"]
        assert isinstance(amount, Amount)
        return {"type": "lend", "amount": max(amount.least, min(amount.most, self.own.cash - SAVINGS))}

    # ---- options

    def _named(self, kind: str) -> list[Option]:
        return [option for option in self.options if option.command["type"] == kind]

    def _refusal(self) -> dict[str, Any]:
        return next(option.command for option in self.options if option.command["type"] in ("decline", "forgo"))


def _count(company: CompanyView, building: str | None) -> int:
    return sum(plot.building == building for plot in company.plots)


def _per_oil(company: CompanyView, tariff: PerOil | IncomeTax) -> int:
    sizes = (("oil2", tariff.oil2), ("oil4", tariff.oil4), ("oil6", tariff.oil6))
    return sum(_count(company, kind) * amount for kind, amount in sizes)


def _halves(tanker: TankerView, seat: int) -> int:
    if tanker.commander == seat:
        return 2 if tanker.partner is None else 1
    return 1 if tanker.partner == seat else 0


_ANSWERS: dict[str, Callable[[_Position], dict[str, Any]]] = {
    "buy_licence_square": _Position.licence_square,
    "buy_tower_square": _Position.tower_square,
    "surrender_licences": _Position.surrender,
    "choose_damaged_tanker": _Position.damaged,
    "choose_dry_tower": _Position.dry_tower,
    "at_convenience": _Position.convenience,
    "choose_card": _Position.card,
    "use_card": _Position.privilege,
    "bid_for_card": _Position.bid,
    "use_bought_card": _Position.privilege,
    "answer_tanker_partnership": _Position.partnership,
    "choose_tanker_partner": _Position.partner,
    "tanker_with_bank": _Position.with_bank,
    "answer_dissolution": _Position.dissolution,
    "sell_share_to_bank_choice": _Position.keep_share,
    "settle_debt": _Position.debt,
    "lend_to_bank": _Position.lend,
}
