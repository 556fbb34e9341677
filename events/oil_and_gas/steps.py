"""What the table of Oil and Gas does or waits for (register section 3.2)."""

from __future__ import annotations

from events.oil_and_gas.codes import Phase
from events.words import Runs, Waits


class OpenTurn(Runs, frozen=True):
    """A new turn begins."""


class OpenPhase(Runs, frozen=True):
    """A phase opens: what is automatic happens, then it waits."""

    phase: Phase


class ClosePhase(Runs, frozen=True):
    """Nobody is awaited in the phase any more."""

    phase: Phase


class CompanyActions(Waits, frozen=True):
    """Buy extra cards, or finish with at most ten in hand."""


class MarketActions(Waits, frozen=True):
    """Trade, or finish."""


class EventTurn(Waits, frozen=True):
    """One seat's go: play one event card, or pass. `order` is the turn's order of play."""


class ConversionActions(Waits, frozen=True):
    """Convert cards of the phase's type, or finish: one question for each of six phases."""


class ExploreActions(ConversionActions, frozen=True):
    """Pay explore cards for an exploration roll, or finish."""


class DrillActions(ConversionActions, frozen=True):
    """Pay oil cards for a drill roll, or finish."""


class TransportActions(ConversionActions, frozen=True):
    """Pay transport cards for a token, or finish."""


class RefiningActions(ConversionActions, frozen=True):
    """Pay refinery cards for a token, or finish."""


class GasolineActions(ConversionActions, frozen=True):
    """Pay gasoline cards for a token, or finish."""


class ProductionActions(ConversionActions, frozen=True):
    """Pay product cards for a token, or finish."""


class ProfitTurn(Waits, frozen=True):
    """One seat's go: make a meld, or finish."""


StepWord = (
    OpenTurn
    | OpenPhase
    | ClosePhase
    | CompanyActions
    | MarketActions
    | EventTurn
    | ExploreActions
    | DrillActions
    | TransportActions
    | RefiningActions
    | GasolineActions
    | ProductionActions
    | ProfitTurn
)
