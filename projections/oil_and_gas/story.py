"""Oil and Gas in a player's sentences. What a reader may not know is missing from event and sentence alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from projections.story import listed, number, tell_table


class Named(Protocol):
    """Anything with a name, a card above all."""

    @property
    def name(self) -> str: ...


class CardNames(Protocol):
    """What telling needs of an edition: its cards by base id."""

    @property
    def card(self) -> Mapping[str, Named]: ...

    @property
    def event(self) -> Mapping[str, Named]: ...


Fields = Mapping[str, Any]
Teller = Callable[[Fields, CardNames], str | None]

_TYPES = {
    "X": "explore",
    "O": "oil",
    "T": "transport",
    "R": "refinery",
    "G": "gasoline",
    "P": "product",
    "V": "event",
}
_DISCARDS = {
    "excess": "above the hand limit",
    "auto_discard": "above the hand limit, picked at random",
    "conversion": "as payment",
    "meld": "for a meld",
    "resign": "on leaving",
}
_ENDS = {"declined": "is declined", "withdrawn": "is withdrawn", "voided": "is void"}


def tell(event: Fields, edition: CardNames) -> str | None:
    """One sentence about an event, None where there is nothing to tell."""
    teller = _TELLERS.get(event["type"])
    return tell_table(event) if teller is None else teller(event, edition)


def _cards(cards: Iterable[str], edition: CardNames) -> str:
    return listed(_name(card.partition(".")[0], edition) for card in cards)


def _name(base: str, edition: CardNames) -> str:
    found = edition.event.get(base) or edition.card.get(base)
    return base if found is None else found.name


def _tokens(tokens: Mapping[str, int]) -> list[str]:
    return [number(n, "PT" if kind == "profit" else f"{kind} token").replace("PTs", "PT") for kind, n in tokens.items()]


def _reason(reason: str, edition: CardNames) -> str:
    """The event card that is the reason, where it is one."""
    name = _name(reason, edition)
    return "" if name == reason else f" ({name})"


def _started(event: Fields, edition: CardNames) -> str:
    copies = number(event["copies"], "copy").replace("copys", "copies")
    return f"The game begins: {event['seats']} companies, {copies} of each card, {event['profit']} PT each."


def _shuffled(event: Fields, edition: CardNames) -> str:
    what = "The deck is shuffled" if event["index"] == 0 else "The discard pile is shuffled and becomes the deck"
    return f"{what}: {number(event['size'], 'card')}."


def _drawn(event: Fields, edition: CardNames) -> str:
    cards = _cards(event["cards"], edition) if "cards" in event else number(event["n"], "card")
    return f"Seat {event['seat']} draws {cards}{_reason(event['reason'], edition)}."


def _lapsed(event: Fields, edition: CardNames) -> str:
    return f"Seat {event['seat']} should draw {number(event['n'], 'more card')}, but there are none."


def _profit(event: Fields, edition: CardNames) -> str:
    verb = "gains" if event["delta"] > 0 else "pays" if event["reason"] == "extra" else "loses"
    return f"Seat {event['seat']} {verb} {abs(event['delta'])} PT{_reason(event['reason'], edition)}."


def _industry(event: Fields, edition: CardNames) -> str:
    verb = "gains" if event["delta"] > 0 else "gives up"
    tokens = _tokens({event["kind"]: abs(event["delta"])})[0]
    return f"Seat {event['seat']} {verb} {tokens}{_reason(event['reason'], edition)}."


def _discarded(event: Fields, edition: CardNames) -> str:
    why = _DISCARDS.get(event["reason"])
    suffix = f", {why}" if why else _reason(event["reason"], edition)
    return f"Seat {event['seat']} discards {_cards(event['cards'], edition)}{suffix}."


def _finished(event: Fields, edition: CardNames) -> str:
    verb = "passes" if event["phase"] == "event" else f"is done with the {event['phase'].capitalize()} Phase"
    through = event.get("through_phase")
    return f"Seat {event['seat']} {verb}" + (f", and with everything through {through}." if through else ".")


def _proposed(event: Fields, edition: CardNames) -> str:
    sentence = f"Offer {event['offer']}: seat {event['from']} offers seat {event['to']}"
    if "give" not in event:
        return f"{sentence} a trade."
    give, want = event["give"], event["want"]
    given = listed([*(_name(card.partition(".")[0], edition) for card in give["cards"]), *_tokens(give["tokens"])])
    asked = listed([*(_request(request, edition) for request in want["cards"]), *_tokens(want["tokens"])])
    return f"{sentence} {given} for {asked}."


def _request(request: Fields, edition: CardNames) -> str:
    if request["kind"] == "any":
        return "any card"
    if request["kind"] == "card":
        return _name(request["base_id"], edition)
    return f"any {_TYPES[request['type']]} card"


def _offer_closed(event: Fields, edition: CardNames) -> str:
    return f"Offer {event['offer']} {_ENDS[event['how']]}."


def _traded(event: Fields, edition: CardNames) -> str:
    sides = [_side(event, "given", edition), _side(event, "received", edition)]
    return f"Offer {event['offer']}: seat {event['from']} gives seat {event['to']} {sides[0]} for {sides[1]}."


def _side(event: Fields, side: str, edition: CardNames) -> str:
    moved, cards = event[side], event.get(f"{side}_cards")
    if cards is None:
        things = [number(moved["cards"], "card")] if moved["cards"] else []
    else:
        things = [_name(card.partition(".")[0], edition) for card in cards]
    return listed([*things, *_tokens(moved["tokens"])])


def _stolen(event: Fields, edition: CardNames) -> str:
    cards = _cards(event["cards"], edition) if "cards" in event else number(event["n"], "card")
    return f"Seat {event['to']} takes {cards} from seat {event['from']}."


def _played(event: Fields, edition: CardNames) -> str:
    target = "" if event["target"] is None else f" on seat {event['target']}"
    return f"Seat {event['seat']} plays {_cards([event['card']], edition)}{target}."


def _modifier(event: Fields, edition: CardNames) -> str:
    return f"Melds earn {event['delta']:+d} PT this turn, {event['total']:+d} in all."


def _row_cleared(event: Fields, edition: CardNames) -> str:
    verb = "goes" if len(event["cards"]) == 1 else "go"
    return f"{_cards(event['cards'], edition)} {verb} to the discard pile."


def _converted(event: Fields, edition: CardNames) -> str:
    brings = f"brings {number(event['tokens'], 'token')}" if event["tokens"] else "brings nothing"
    if event["roll"] is None:
        return f"The payment of seat {event['seat']} {brings}."
    bonus = f" + {event['bonus']}" if event["bonus"] else ""
    return f"Seat {event['seat']} rolls {event['roll']}{bonus}, which {brings}."


def _melded(event: Fields, edition: CardNames) -> str:
    pieces = listed([*(_name(card.partition(".")[0], edition) for card in event["cards"]), *_tokens(event["tokens"])])
    modifier = f" {event['modifier']:+d}" if event["modifier"] else ""
    return f"Seat {event['seat']} melds {pieces}: {event['base']}{modifier} makes {event['profit']} PT."


_TELLERS: Mapping[str, Teller] = {
    "game_started": _started,
    "deck_shuffled": _shuffled,
    "turn_opened": lambda event, _edition: f"Turn {event['turn']} opens.",
    "phase_opened": lambda event, _edition: f"{event['phase'].capitalize()} Phase.",
    "phase_closed": lambda _event, _edition: None,
    "cards_drawn": _drawn,
    "draw_lapsed": _lapsed,
    "profit_changed": _profit,
    "tokens_changed": _industry,
    "cards_discarded": _discarded,
    "seat_finished": _finished,
    "trade_proposed": _proposed,
    "trade_closed": _offer_closed,
    "trade_completed": _traded,
    "roll_off": lambda event, _edition: f"Seat {event['seat']} rolls {event['roll']} for the lead.",
    "turn_leader_set": lambda event, _edition: f"Seat {event['seat']} leads this turn.",
    "event_played": _played,
    "cards_stolen": _stolen,
    "modifier_changed": _modifier,
    "event_row_cleared": _row_cleared,
    "conversion_made": _converted,
    "meld_made": _melded,
}
