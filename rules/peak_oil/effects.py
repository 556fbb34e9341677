"""What Consultants and PR Crisis cards can do: one struct per hook of the rules (register 6.9).

An owner of the boxed game can write the printed cards with these words in an edition file of their own. Numbers of
all cards in force are added, then limited to 0 and more; a prohibition beats a permission.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from events.peak_oil.codes import Place, Reason

Delta = Annotated[int, Meta(ge=-9, le=9)]
Few = Annotated[int, Meta(ge=0, le=9)]

Forbidden = Literal[
    "recruit",
    "dispatch",
    "drill",
    "whitewash",
    "start_ups",
    "technologies",
    "black_market",
    "consultants",
    "ship",
    "step3",
    "security",
]


class Hook(Struct, frozen=True, tag_field="hook", forbid_unknown_fields=True):
    """One way in which a card alters the rules for its owner."""


class Forbids(Hook, frozen=True, tag="forbids"):
    """These options, Step 3, or Security chips are not available."""

    what: Annotated[tuple[Forbidden, ...], Meta(min_length=1)]


class ReassignTargets(Hook, frozen=True, tag="reassign_targets"):
    """Own agents may not be reassigned to these places."""

    forbidden: Annotated[tuple[Place, ...], Meta(min_length=1)]


class Step3Cost(Hook, frozen=True, tag="step3_cost"):
    """The third step costs more or less."""

    delta: Delta


class CountForStanding(Hook, frozen=True, tag="count_for_standing"):
    """Where the owner has an agent, more or fewer count: on every spot, or on Region spots only."""

    delta: Delta
    on: Literal["spots", "regions"]


class TiePullCount(Hook, frozen=True, tag="tie_pull_count"):
    """Breaking a tie takes more pulls."""

    delta: Delta


class OptionLimit(Hook, frozen=True, tag="option_limit"):
    """When tied, up to `tied` options may be used; or never more than `never_more_than`, which is stronger."""

    tied: Few | None = None
    never_more_than: Few | None = None


class PullResult(Hook, frozen=True, tag="pull_result"):
    """Coloured barrels pulled for this reason cause no crisis and grant no extra pull."""

    harmless: Reason


class CrisisLoss(Hook, frozen=True, tag="crisis_loss"):
    """The loss of a first crisis is larger or smaller, or never more than so many."""

    delta: Delta = 0
    never_more_than: Few | None = None


class OnFlip(Hook, frozen=True, tag="on_flip"):
    """When the card turns face up, this goes on it: so many black from HQ, half of them (rounded up), or an agent."""

    hold: Literal["black", "half_black", "agent"]
    number: Few = 1


class DrillQuestionMarks(Hook, frozen=True, tag="drill_question_marks"):
    """An Oil Field taken has more or fewer question marks."""

    delta: Delta


class WhitewashCost(Hook, frozen=True, tag="whitewash_cost"):
    """Whitewash costs more or less."""

    delta: Delta


class StartUpPrice(Hook, frozen=True, tag="start_up_price"):
    """Start-Ups cost more or less."""

    delta: Delta


class TechnologiesAfter(Hook, frozen=True, tag="technologies_after"):
    """After the Technologies option, so many barrels more may be placed."""

    more: Few


class GreyEntryCost(Hook, frozen=True, tag="grey_entry"):
    """Grey Ops asks for more or fewer entry barrels; `from_regions`: each may come from any Region instead of HQ."""

    delta: Delta = 0
    from_regions: bool = False


class MarketToTechnology(Hook, frozen=True, tag="market_to_technology"):
    """With the Black Market option, one barrel may go to another open technology."""


class ShipQuestionMarks(Hook, frozen=True, tag="ship_question_marks"):
    """A shipping takes more or fewer pulls."""

    delta: Delta


class ShipDemand(Hook, frozen=True, tag="ship_demand"):
    """The Demand is higher or lower for the own shipping."""

    delta: Delta


class ShipSkulls(Hook, frozen=True, tag="ship_skulls"):
    """Pirates take more or less of the own cargo."""

    delta: Delta


class ShipAfterSkulls(Hook, frozen=True, tag="ship_after_skulls"):
    """So many barrels of the remaining cargo go to the box."""

    boxed: Few


class ActionEnd(Hook, frozen=True, tag="action_end"):
    """After each own action, so many black go from HQ to the box, as far as there are."""

    boxed: Few


Effect = (
    Forbids
    | ReassignTargets
    | Step3Cost
    | CountForStanding
    | TiePullCount
    | OptionLimit
    | PullResult
    | CrisisLoss
    | OnFlip
    | DrillQuestionMarks
    | WhitewashCost
    | StartUpPrice
    | TechnologiesAfter
    | GreyEntryCost
    | MarketToTechnology
    | ShipQuestionMarks
    | ShipDemand
    | ShipSkulls
    | ShipAfterSkulls
    | ActionEnd
)
