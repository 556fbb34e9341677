"""What places, cards and chips of Peak Oil are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

OFFICES = {"HQ": "HQ", "EXP": "Expand", "DEV": "Develop", "INV": "Invest", "GRY": "Grey Ops"}
DISPLAYS = {"oil_fields": "Oil Fields", "start_ups": "Start-Ups"}


class Named(Protocol):
    """Anything with an id and a name."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


class Names(Protocol):
    """What telling needs of an edition."""

    @property
    def regions(self) -> Iterable[Any]: ...
    @property
    def technologies(self) -> Iterable[Any]: ...
    @property
    def refineries(self) -> Iterable[Any]: ...
    @property
    def risk_spots(self) -> Iterable[Any]: ...
    @property
    def field(self) -> Mapping[str, Any]: ...
    @property
    def start_up(self) -> Mapping[str, Any]: ...
    @property
    def portfolio(self) -> Mapping[str, Any]: ...
    @property
    def consultant(self) -> Mapping[str, Any]: ...
    @property
    def pr_card(self) -> Mapping[str, Any]: ...
    @property
    def route(self) -> Mapping[str, Any]: ...


def name_of(things: Iterable[Named], key: str) -> str:
    """The name of one of these things; its id, where it has none."""
    return next((thing.name for thing in things if thing.id == key), key)


def place(key: str, edition: Names) -> str:
    """A spot, a Refinery, a Risk spot or HQ."""
    known = (*edition.regions, *edition.refineries, *edition.risk_spots)
    return OFFICES.get(key) or name_of(known, key)


def technology(key: str, edition: Names) -> str:
    """A technology."""
    return name_of(edition.technologies, key)


def oil_field(key: str, edition: Names) -> str:
    """An Oil Field by what it shows: `a Russia field (Agropolymers)` without the article."""
    card = edition.field.get(key)
    if card is None:
        return key
    symbols = " and ".join(technology(symbol, edition) for symbol in card.technologies)
    return f"{place(card.region, edition)} field ({symbols})"


def start_up(key: str, edition: Names) -> str:
    """A Start-Up by its technology."""
    card = edition.start_up.get(key)
    return key if card is None else f"{technology(card.technology, edition)} Start-Up"


def portfolio(key: str, edition: Names) -> str:
    """A Private Portfolio by its technologies."""
    card = edition.portfolio.get(key)
    return key if card is None else ", ".join(technology(one, edition) for one in card.technologies)


def card(key: str, edition: Names) -> str:
    """A Consultant or a PR Crisis card."""
    found = edition.consultant.get(key) or edition.pr_card.get(key)
    return key if found is None else str(found.name)


def route(key: str, edition: Names) -> str:
    """A route: where from, past what, where to."""
    found = edition.route.get(key)
    if found is None:
        return key
    risks = ", ".join(place(risk, edition) for risk in found.risks)
    return f"{place(found.from_region, edition)} to {place(found.refinery, edition)} by {risks}"
