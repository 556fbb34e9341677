"""Explore, Drill, Transport, Refining, Gasoline and Production Phase: OG-110 … OG-132."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from events.oil_and_gas.commands import ConvertCards
from events.oil_and_gas.facts import CardsDiscarded, ConversionMade, TokensChanged
from events.oil_and_gas.steps import ConversionActions
from events.words import Rng
from rules.oil_and_gas.book import OilAndGasTable
from rules.oil_and_gas.edition import Conversion, type_of
from rules.oil_and_gas.hands import require_own_cards
from rules.oil_and_gas.order import open_phase_of


def convert_cards(table: OilAndGasTable, step: ConversionActions, command: ConvertCards) -> None:
    """OG-110, OG-117, OG-118, OG-119, OG-127, OG-128, OG-129, OG-130: own cards are paid for tokens, as often as a seat
    can pay.

    The payment is gone before the die falls; no token of another kind is needed.
    """
    phase = open_phase_of(table)
    conversion = table.book.edition.conversion[phase]
    require_own_cards(table, command.cards, "OG-111")
    _require_payment(table, conversion, command.cards)
    table.emit(CardsDiscarded(table.seat, command.cards, "conversion"))
    rolled = _roll(table, conversion, command.cards)
    table.emit(
        ConversionMade(
            table.seat,
            phase,
            command.cards,
            rolled.roll,
            rolled.bonus,
            rolled.total,
            rolled.tokens,
            rolled.rng,
        )
    )
    if rolled.tokens:
        table.emit(TokensChanged(table.seat, conversion.token, rolled.tokens, "conversion"))
    table.next(step)


class Rolled(NamedTuple):
    """What a payment comes to; roll, bonus and total are None where nothing is rolled."""

    tokens: int
    roll: int | None = None
    bonus: int | None = None
    total: int | None = None
    rng: Rng | UnsetType = UNSET


def payment_shapes(need: int) -> list[tuple[int, int]]:
    """OG-113, OG-114, OG-116: the payments without a superfluous card, as numbers of doubles and of singles."""
    return [(doubles, max(0, need - 2 * doubles)) for doubles in range((need + 1) // 2 + 1)]


def _require_payment(table: OilAndGasTable, conversion: Conversion, cards: tuple[str, ...]) -> None:
    """OG-20, OG-112, OG-113, OG-114, OG-115, OG-116: cards of the phase's type, enough in weight and none superfluous;
    the rest is lost.
    """
    table.require(all(type_of(card) == conversion.type for card in cards), "OG-112", "wrong_card_type", field="/cards")
    weights = [table.book.edition.card_of(card).weight for card in cards]
    table.require(sum(weights) >= conversion.need, "OG-113", "insufficient_weight", field="/cards")
    table.require(sum(weights) - min(weights) < conversion.need, "OG-114", "redundant_card", field="/cards")


def _roll(table: OilAndGasTable, conversion: Conversion, cards: tuple[str, ...]) -> Rolled:
    """OG-120, OG-121, OG-122, OG-123, OG-124, OG-125, OG-126: a die plus the bonuses of the cards just paid, where the
    phase rolls at all; else one token.
    """
    brings = conversion.by_total
    if brings is None:
        return Rolled(tokens=1)
    made = table.board.companies[table.seat].conversions
    roll, rng = table.die(f"{conversion.phase}/{table.board.turn}/{table.seat}/{made}")
    bonus = sum(table.book.edition.card_of(card).roll_bonus for card in cards)
    total = roll + bonus
    return Rolled(brings[min(total, len(brings)) - 1], roll, bonus, total, rng)
