"""Petróleo, played to win, simply: half a tanker early, towers under the best reservoirs, and never out of cash."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from statistics import mean
from typing import Any

from events.petroleo.codes import Kind
from projections.petroleo.view import BoardView, CompanyView
from projections.view import GameView
from rules.catalogue import rulesets
from rules.choices import Amount, Below, Fields, Option, SomeOf
from rules.petroleo.edition import PetroleoEdition
from service.bots.petroleo_worth import Worth, halves

SAVINGS = 60
"""What is not lent to the bank: enough for a plot, a tower and a reservoir, with something left for fines."""


def play(view: GameView[BoardView], options: Sequence[Option], below: Below) -> dict[str, Any]:
    """The command of the awaited seat."""
    assert view.viewer is not None, "a bot has a seat"
    edition = rulesets()[view.ruleset].edition(view.edition).edition
    assert isinstance(edition, PetroleoEdition)
    assert view.question is not None, "and is asked"
    answer = _ANSWERS.get(view.question.name)
    if answer is None:
        return options[0].pick(below)
    return answer(_Position(view.board, view.viewer, edition, options, view.question.about))


class _Position(Worth):
    """What a seat knows while it answers one question."""

    def __init__(
        self,
        board: BoardView,
        seat: int,
        edition: PetroleoEdition,
        options: Sequence[Option],
        about: Mapping[str, Any],
    ) -> None:
        super().__init__(board, seat, edition)
        self.options, self.about = options, about

    # ---- the turn: squares, cards, privileges

    def licence_square(self) -> dict[str, Any]:
        sea = self.about["terrain"] == "sea"
        wanted = [more for more in range(2) if self.next_licence(sea=sea, more=more) > 0]
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
            1: self.income(self.own) - mean(self.income(company) for company in self.active),
            3: self.next_licence(sea=True),
            5: self.next_licence(sea=False),
            7: self.next_tower if self.zones(None) else 0.0,
            14: -self.demand(self.own, 14),
            17: self.income(self.own) * self.payouts / 2 if self.own.nationalised else 0.0,
        }
        best = max(squares, key=lambda square: squares[square])
        return self._window() or ({"type": "choose_square", "square": best} if squares[best] > 0 else self._refusal())

    def card(self) -> dict[str, Any]:
        """The card with the most to gain over keeping it; where the marker goes is the next company's trouble."""

        def merit(option: Option) -> float:
            card = self.edition.card[option.command["card_id"]]
            return self.now(card.kind) - self.later(card.kind) + self._trouble(card.advance)

        return self._window() or max(self._named("play_card"), key=merit).command

    def _trouble(self, advance: int) -> float:
        """What the next company meets after so many cells, as far as it helps this one."""
        seats = len(self.board.companies)
        order = (self.board.companies[(self.seat + step) % seats] for step in range(1, seats))
        after = next((company for company in order if not company.left), None)
        if after is None:
            return 0.0
        square = self.edition.track[(self.board.marker + advance) % len(self.edition.track)]
        return self.demand(after, square) / len(self.active)

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
        best = max(uses, key=lambda option: self.use(kind, option.command), default=None)
        gain = 0.0 if best is None else self.use(kind, best.command)
        return (best, gain) if gain > 0 else (None, 0.0)

    def _offer(self, least: float) -> dict[str, Any]:
        return {"type": "offer_card", "min_bid": min(max(1, ceil(least)), self.edition.all_cash)}

    def _market(self, kind: Kind) -> float:
        """What a privilege may be worth to somebody who can use it."""
        if kind == "tower_or_licence":
            return self.usual / 2
        if kind == "tanker":
            return self.half_profit * self.payouts
        return self.edition.profit[kind] * self.payouts

    def bid(self) -> dict[str, Any]:
        """A good half of what the card is worth here, never more than what leaves enough for fines."""
        kind: Kind = self.about["kind"]
        gain = self.now(kind)
        means = self.own.cash if kind == "tanker" else self.spare
        most = min(means - max(self.price(kind), self._dearest_step(kind)), int(0.8 * gain))
        amount = max(self.about["min_bid"], min(most, round(0.6 * gain)))
        wanted: dict[str, Any] = {"type": "bid", "amount": amount if amount <= most else None}
        return wanted if any(option.admits(wanted) for option in self.options) else {"type": "bid", "amount": None}

    def _dearest_step(self, kind: Kind) -> int:
        return self.edition.prices.tower_sea if kind == "tower_or_licence" else 0

    # ---- tankers

    def _window(self) -> dict[str, Any] | None:
        """The bank's half of an own tanker, as long as it still earns; or a partner's, at more than the partner has."""
        if self.payouts < 1:
            return None
        if (buying := self._named("buy_bank_half")) and self.spare >= self.half:
            return buying[0].command
        proposals = {option.command["tanker_id"] for option in self._named("propose_dissolution")}
        for tanker in self.board.tankers:
            if tanker.id in proposals and isinstance(tanker.partner, int):
                price = max(self.half, self.board.companies[tanker.partner].cash + 1)
                if price <= self.spare and price < self.half_worth:
                    return {"type": "propose_dissolution", "tanker_id": tanker.id, "price": price}
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
        return company.cash + self.income(company) * self.payouts

    def with_bank(self) -> dict[str, Any]:
        return {"type": "accept_bank"} if self.payouts >= 1 else {"type": "abandon"}

    def dissolution(self) -> dict[str, Any]:
        """Bought below its worth, sold from there on."""
        price: int = self.about["price"]
        selling, buying = self._named("sell_share"), self._named("buy_share")
        if selling and price >= self.half_worth:
            return selling[0].command
        if buying and price < self.half_worth and price <= self.spare:
            return buying[0].command
        return {"type": "refuse"}

    def keep_share(self) -> dict[str, Any]:
        return {"type": "keep"}

    def damaged(self) -> dict[str, Any]:
        """Half a tanker costs half the repair, and a rival's half is the rival's to pay."""
        tankers = {tanker.id: tanker for tanker in self.board.tankers}

        def cost(option: Option) -> tuple[int, bool]:
            tanker = tankers[option.command["tanker_id"]]
            return halves(tanker, self.seat), tanker.partner == "bank"

        return min(self._named("damage"), key=cost).command

    # ---- losses and loans

    def surrender(self) -> dict[str, Any]:
        """Plots at sea first: their towers are dearer."""
        choose = self.options[0].choose
        assert isinstance(choose, Fields)
        some = choose.fields["zone_ids"]
        assert isinstance(some, SomeOf)
        dearest = sorted(some.of, key=self.tower_price, reverse=True)
        return {"type": "surrender", "zone_ids": sorted(dearest[: some.least])}

    def dry_tower(self) -> dict[str, Any]:
        return min(self.options, key=lambda option: self.tower_price(option.command["zone_id"])).command

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
