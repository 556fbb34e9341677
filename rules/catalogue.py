"""The games on offer, and nothing else: the one place outside their own folders that names them."""

from __future__ import annotations

from collections.abc import Mapping

from rules.oil_and_gas.rulebook import RULESET as OIL_AND_GAS
from rules.peak_oil.rulebook import RULESET as PEAK_OIL
from rules.petroleo.rulebook import RULESET as PETROLEO
from rules.ruleset import Ruleset

_RULESETS: Mapping[str, Ruleset] = {ruleset.name: ruleset for ruleset in (OIL_AND_GAS, PETROLEO, PEAK_OIL)}


def rulesets() -> Mapping[str, Ruleset]:
    """The games on offer by name."""
    return _RULESETS
