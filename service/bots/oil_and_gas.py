"""Oil and Gas, played to win, simply: collect one card of each kind, meld everything as soon as a meld is complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from projections.oil_and_gas.view import BoardView, CompanyView
from projections.view import GameView
from rules.choices import Below, Choice, Counts, Fields, Option, Parts, SomeOf

CORE = "XOTRG"
"""The five types that a meld cannot do without, and below the tokens that stand in for them."""

STAND_IN = dict(zip("XOTRGP", ("explore", "oil", "transport", "refinery", "gasoline", "product"), strict=True))
CONVERTS = {"explore": "X", "drill": "O", "transport": "T", "refining": "R", "gasoline": "G", "production": "P"}
BETTER_MELDS, WORSE_MELDS = {"V07", "V08", "V09", "V19"}, {"V04", "V05", "V06", "V17"}
NEW_HAND = "V20"


def play(view: GameView[BoardView], options: Sequence[Option], below: Below) -> dict[str, Any]:
    """The command of the awaited seat."""
    assert view.viewer is not None, "a bot has a seat"
    position = _Position(view.board, view.board.companies[view.viewer], options, below)
    question = "" if view.question is None else view.question.name
    return _ANSWERS.get(question, _Position.finish)(position)


class _Position:
    """What a seat knows while it answers one question."""

    def __init__(self, board: BoardView, own: CompanyView, options: Sequence[Option], below: Below) -> None:
        self.board, self.own, self.options, self.below = board, own, options, below
        self.hand = own.hand or ()
        self.held = Counter(card[0] for card in self.hand)

    @property
    def missing(self) -> list[str]:
        return [type_ for type_ in CORE if not self.held[type_] and not self.own.tokens[STAND_IN[type_]]]

    def company(self) -> dict[str, Any]:
        buying = self._named("buy_extra_card")
        if buying and self.missing and self.own.profit > 2 * len(self.missing):
            return buying[0].command
        finishing = self._named("finish_phase")[0]
        excess = _discards_due(finishing.choose)
        return {**finishing.command, "discard": sorted(self.hand, key=self._worth)[:excess]}

    def market(self) -> dict[str, Any]:
        for option in self._named("accept_trade"):
            offer = next(offer for offer in self.board.offers if offer.offer == option.command["offer"])
            command = option.pick(self.below)
            gains = {card[0] for card in offer.give.cards} if offer.give else set()
            spares = all(self.held[card[0]] > 1 or card[0] in "VP" for card in command["cards"])
            if gains & set(self.missing) and spares:
                return command
        refusing = self._named("decline_trade")
        return refusing[0].command if refusing else self.finish()

    def event(self) -> dict[str, Any]:
        playable = [option for option in self._named("play_event") if self._wanted(option.command["card"][:3])]
        if not playable:
            return self.finish()
        first = playable[0].command["card"]
        same = [option.command for option in playable if option.command["card"] == first]
        return max(same, key=lambda command: self._hand_size(command["target_seat"]))

    def conversion(self) -> dict[str, Any]:
        """Spare cards only: one of the type stays in hand unless a token stands in for it."""
        type_ = CONVERTS[self.board.phase or ""]
        kept = 0 if self.own.tokens[STAND_IN[type_]] else 1
        for option in self._named("convert_cards"):
            if self.held[type_] - option.costs["cards"] >= kept and len(self.hand) > 7:
                return option.pick(self.below)
        return self.finish()

    def profit(self) -> dict[str, Any]:
        melds = [{**option.command, **_largest(option.choose)} for option in self._named("make_meld")]
        if not melds:
            return self.finish()
        best = max(melds, key=_pieces)
        waits = _pieces(best) + self.board.modifier < 3 and self.board.modifier < 0
        return self.finish() if waits else best

    def finish(self) -> dict[str, Any]:
        return self._named("finish_phase")[0].command

    def _named(self, kind: str) -> list[Option]:
        return [option for option in self.options if option.command["type"] == kind]

    def _worth(self, card: str) -> tuple[int, int]:
        """Least first: events that help nobody now, then duplicates, then what a meld needs."""
        type_ = card[0]
        if type_ == "V":
            return (1 if self._wanted(card[:3]) else 0, 0)
        return (2 if self.held[type_] > 1 and type_ in "XOTR" else 3, -self.held[type_])

    def _wanted(self, base: str) -> bool:
        if base in BETTER_MELDS:
            return not self.missing
        if base in WORSE_MELDS:
            return bool(self.missing)
        if base == NEW_HAND:
            return len(self.missing) >= 2 and len(self.hand) <= 6
        return True

    def _hand_size(self, seat: int | None) -> int:
        return 0 if seat is None else self.board.companies[seat].hand_size


def _discards_due(choice: Fields | None) -> int:
    """How many cards a finish of the Company Phase has to name: none where it describes none."""
    if choice is None:
        return 0
    discard = choice.fields["discard"]
    assert isinstance(discard, SomeOf)
    return discard.least


def _largest(choice: Choice | None) -> dict[str, Any]:
    """The meld with the most pieces that the option covers."""
    assert isinstance(choice, Fields), "a meld is described by its cards and tokens"
    cards, tokens = choice.fields["cards"], choice.fields["tokens"]
    assert isinstance(cards, Parts)
    assert isinstance(tokens, Counts)
    chosen = [card for part in cards.of for card in part.of[: part.most]]
    return {"cards": chosen, "tokens": tokens.most}


def _pieces(meld: dict[str, Any]) -> int:
    tokens: dict[str, int] = meld["tokens"]
    return len(meld["cards"]) + sum(tokens.values())


_ANSWERS: dict[str, Callable[[_Position], dict[str, Any]]] = {
    "company_actions": _Position.company,
    "market_actions": _Position.market,
    "event_turn": _Position.event,
    "explore_actions": _Position.conversion,
    "drill_actions": _Position.conversion,
    "transport_actions": _Position.conversion,
    "refining_actions": _Position.conversion,
    "gasoline_actions": _Position.conversion,
    "production_actions": _Position.conversion,
    "profit_turn": _Position.profit,
}
