"""Petróleo in a player's sentences. What a reader may not know is missing from event and sentence alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from projections.story import listed, number, tell_table


class PrintedCard(Protocol):
    """What is printed on a card."""

    @property
    def kind(self) -> str: ...

    @property
    def advance(self) -> int: ...


class NamedCompany(Protocol):
    """A company with its id and name."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


class Printed(Protocol):
    """What telling needs of an edition: its cards by id, its companies."""

    @property
    def card(self) -> Mapping[str, PrintedCard]: ...

    @property
    def companies(self) -> Iterable[NamedCompany]: ...


Fields = Mapping[str, Any]
Teller = Callable[[Fields, Printed], str | None]

_KINDS = {
    "tower_or_licence": "tower or licence",
    "gas": "gas reservoir",
    "oil6": "oil reservoir of 6",
    "oil4": "oil reservoir of 4",
    "oil2": "oil reservoir of 2",
    "tanker": "tanker",
    "truck": "truck",
}
_SQUARES = (
    "year-end",
    "licences confiscated",
    "licence at sea",
    "storm over a tanker",
    "licence on land",
    "oil tax",
    "a tower to buy",
    "income tax",
    "oil fire",
    "storm over a tower",
    "gas tax",
    "truck accident",
    "nationalisation",
    "oil price rises",
    "well fire",
    "dry well",
    "free enterprise",
    "gas fire",
    "oil price falls",
    "at your convenience",
)
_DISSOLUTIONS = {"buy": "buys the other half", "sell": "sells its half", "refuse": "refuses"}


def tell(event: Fields, edition: Printed) -> str | None:
    """One sentence about an event, None where there is nothing to tell."""
    teller = _TELLERS.get(event["type"])
    return tell_table(event) if teller is None else teller(event, edition)


def _who(party: int | str | None) -> str:
    return "the bank" if party == "bank" else f"seat {party}"


def _seats(seats: Iterable[int]) -> str:
    return listed(f"seat {seat}" for seat in seats)


def _card(card: str, edition: Printed) -> str:
    printed = edition.card[card]
    return f"{card} ({_KINDS[printed.kind]}, {printed.advance})"


def _reason(reason: str) -> str:
    return reason.replace("_", " ")


def _company_chosen(event: Fields, edition: Printed) -> str:
    name = next((company.name for company in edition.companies if company.id == event["company"]), event["company"])
    return f"Seat {event['seat']} runs {name}."


def _started(event: Fields, edition: Printed) -> str:
    return (
        f"The game begins: {event['seats']} companies with {event['cash']} M each, {event['bank']} M in the bank; "
        f"seat {event['start_seat']} is first."
    )


def _dealt(event: Fields, edition: Printed) -> str:
    cards = listed(_card(card, edition) for card in event["cards"]) if "cards" in event else number(event["n"], "card")
    return f"Seat {event['seat']} is dealt {cards}."


def _square(event: Fields, edition: Printed) -> str:
    chosen = ", as it chose" if event["chosen"] else ""
    return f"Seat {event['seat']} meets square {event['square']}, {_SQUARES[event['square'] - 1]}{chosen}."


def _licences(event: Fields, edition: Printed) -> str:
    return f"Seat {event['seat']} buys {_zones('licence', event['zones'])} for {event['price']} M."


def _zones(thing: str, zones: Iterable[str]) -> str:
    named = list(zones)
    return f"{number(len(named), thing)} ({listed(named)})"


def _surrendered(event: Fields, edition: Printed) -> str:
    return f"Seat {event['seat']} gives up {_zones('idle licence', event['zones'])}."


def _drawn(event: Fields, edition: Printed) -> str:
    return f"Seat {event['seat']} draws {_card(event['card'], edition) if 'card' in event else 'a card'}."


def _laid(event: Fields, edition: Printed) -> str:
    return f"Seat {event['seat']} lays {_card(event['card'], edition) if 'card' in event else 'a card'}."


def _reservoir(event: Fields, edition: Printed) -> str:
    article = "a" if event["kind"] == "gas" else "an"
    built = f"{article} {_KINDS[event['kind']]}"
    return f"Seat {event['seat']} turns the tower on {event['zone']} into {built} for {event['price']} M."


def _tanker(event: Fields, edition: Printed) -> str:
    partner = event["partner"]
    alone = f"Seat {event['commander']} buys tanker {event['tanker']} for {event['price']} M"
    return f"{alone}." if partner is None else f"{alone}, the other half going to {_who(partner)}."


def _auction_opened(event: Fields, edition: Printed) -> str:
    rivals = _seats(event["eligible"]) if event["eligible"] else "nobody"
    return f"Seat {event['seller']} offers it from {event['min_bid']} M on; {rivals} may bid."


def _bid(event: Fields, edition: Printed) -> str:
    if "amount" not in event:
        return f"Seat {event['seat']} has answered."
    return f"Seat {event['seat']} " + ("passes." if event["amount"] is None else f"bids {event['amount']} M.")


def _auction_closed(event: Fields, edition: Printed) -> str:
    bids = [f"seat {bid['seat']} {_bid_word(bid['amount'])}" for bid in event["bids"]]
    told = f"The auction closes: {listed(bids)}" if bids else "The auction closes without a bidder"
    return f"{told}." if event["winner"] is None else f"{told}; seat {event['winner']} wins."


def _bid_word(amount: int | None) -> str:
    return "passed" if amount is None else f"bid {amount} M"


def _asked_partners(event: Fields, edition: Printed) -> str:
    asked = _seats(event["asked"]) if event["asked"] else "nobody can be asked"
    return f"Seat {event['holder']} looks for a partner: {asked}."


def _partnership_answered(event: Fields, edition: Printed) -> str:
    if "accept" not in event:
        return f"Seat {event['seat']} has answered."
    return f"Seat {event['seat']} {'accepts' if event['accept'] else 'refuses'}."


def _partnership_closed(event: Fields, edition: Printed) -> str | None:
    told = [f"seat {one['seat']} {'accepts' if one['accept'] else 'refuses'}" for one in event["answers"]]
    return f"The answers: {listed(told)}." if told else None


def _dissolution(event: Fields, edition: Printed) -> str:
    return (
        f"Seat {event['commander']} proposes to seat {event['partner']} to buy or sell half of {event['tanker']} "
        f"for {event['price']} M."
    )


def _share(event: Fields, edition: Printed) -> str:
    sold = f"half of tanker {event['tanker']} to {_who(event['buyer'])} for {event['price']} M"
    end = "; it goes back to the supply." if event["commander"] is None else "."
    return f"{_who(event['seller']).capitalize()} sells {sold}{end}"


def _year_end_paid(event: Fields, edition: Printed) -> str:
    paid = [f"{payment['amount']} M to seat {payment['seat']}" for payment in event["payments"]]
    return f"The bank pays annual profits: {listed(paid)}."


def _loan_requested(event: Fields, edition: Printed) -> str:
    asked = f"asks {_seats(event['asked'])}" if event["asked"] else "has nobody to ask"
    return f"The bank is {event['short']} M short and {asked}."


def _loan_offered(event: Fields, edition: Printed) -> str:
    return f"Seat {event['seat']} " + (f"offers {event['amount']} M." if "amount" in event else "has answered.")


def _loans_closed(event: Fields, edition: Printed) -> str | None:
    told = [f"seat {offer['seat']} {offer['amount']} M" for offer in event["offers"]]
    return f"Loans offered: {listed(told)}." if told else None


def _closed(event: Fields, edition: Printed) -> str:
    written_off = f"; {event['unpaid']} M stay unpaid" if event["unpaid"] else ""
    return f"The pieces of seat {event['seat']} leave the board, {event['cash']} M go to the bank{written_off}."


def _left(event: Fields, edition: Printed) -> str | None:
    return f"Seat {event['seat']} is bankrupt." if event["cause"] == "bankruptcy" else tell_table(event)


def _capital(event: Fields, edition: Printed) -> str:
    return (
        f"Seat {event['seat']}: cash {event['cash']}, loans {event['loans']}, towers {event['towers']}, "
        f"reservoirs and trucks {event['covered']}, tankers {event['tankers']}: {event['capital']} M."
    )


_TELLERS: Mapping[str, Teller] = {
    "company_chosen": _company_chosen,
    "game_started": _started,
    "deck_shuffled": lambda event, _edition: f"The deck is shuffled: {number(event['size'], 'card')}.",
    "cards_dealt": _dealt,
    "turn_started": lambda event, _edition: f"Turn {event['turn']}: seat {event['seat']}.",
    "square_resolved": _square,
    "double_spent": lambda event, _edition: f"It is the first licence square of seat {event['seat']}.",
    "licences_bought": _licences,
    "tower_bought": lambda event, _edition: (
        f"Seat {event['seat']} buys a tower on {event['zone']} for {event['price']} M."
    ),
    "licences_surrendered": _surrendered,
    "well_ran_dry": lambda event, _edition: (
        f"The well of seat {event['seat']} on {event['zone']} is dry: tower and licence go."
    ),
    "tanker_damaged": lambda event, _edition: f"The storm damages tanker {event['tanker']}.",
    "nationalised": lambda event, _edition: f"Seat {event['seat']} is nationalised.",
    "denationalised": lambda event, _edition: f"Seat {event['seat']} is its own master again.",
    "charged": lambda event, _edition: f"Seat {event['seat']} pays {event['amount']} M ({_reason(event['reason'])}).",
    "claim_set_off": lambda event, _edition: (
        f"{event['amount']} M of it are set off against what the bank owes seat {event['seat']}."
    ),
    "debt_opened": lambda event, _edition: f"Seat {event['seat']} cannot pay {event['amount']} M.",
    "received": lambda event, _edition: (
        f"Seat {event['seat']} receives {event['amount']} M ({_reason(event['reason'])})."
    ),
    "card_drawn": _drawn,
    "card_laid": _laid,
    "card_revealed": lambda event, edition: f"The card is {_card(event['card'], edition)}.",
    "privilege_lost": lambda event, _edition: f"Seat {event['seat']} makes no use of the card.",
    "reservoir_built": _reservoir,
    "truck_bought": lambda event, _edition: f"Seat {event['seat']} buys truck {event['truck']} for {event['price']} M.",
    "tanker_bought": _tanker,
    "auction_opened": _auction_opened,
    "bid_placed": _bid,
    "auction_closed": _auction_closed,
    "card_sold": lambda event, _edition: f"Seat {event['buyer']} pays seat {event['seller']} {event['price']} M.",
    "partnership_asked": _asked_partners,
    "partnership_answered": _partnership_answered,
    "partnership_closed": _partnership_closed,
    "dissolution_proposed": _dissolution,
    "dissolution_answered": lambda event, _edition: f"Seat {event['partner']} {_DISSOLUTIONS[event['answer']]}.",
    "share_transferred": _share,
    "marker_advanced": lambda event, _edition: f"The marker moves {event['advance']} to cell {event['cell']}.",
    "year_end_passed": lambda event, _edition: f"The year ends; that makes {event['count']} so far.",
    "year_end_paid": _year_end_paid,
    "loan_requested": _loan_requested,
    "loan_offered": _loan_offered,
    "loan_question_closed": _loans_closed,
    "loan_taken": lambda event, _edition: (
        f"Seat {event['seat']} lends {event['amount']} M and gets {event['interest']} M of interest at once."
    ),
    "loan_repaid": lambda event, _edition: f"The bank repays {event['amount']} M to seat {event['seat']}.",
    "bank_emission": lambda event, _edition: f"The bank issues {event['amount']} M.",
    "company_closed": _closed,
    "seat_resigned": _left,
    "question_voided": lambda event, _edition: f"The open question is void ({_reason(event['question'])}).",
    "turn_ended": lambda _event, _edition: None,
    "capital_counted": _capital,
}
