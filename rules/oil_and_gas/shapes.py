"""Words that no game on this edition knows, whatever its state: refused as malformed before anything else."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from events.oil_and_gas.codes import CardNamed
from events.oil_and_gas.commands import AcceptTrade, ConvertCards, FinishPhase, MakeMeld, PlayEvent, ProposeTrade
from events.words import Command
from rules.oil_and_gas.book import OilAndGasBook
from rules.refusal import RuleViolation


def check_words(command: Command, book: OilAndGasBook) -> None:
    """OG-03: a card is one of the game's cards, wherever it is; a request names one of its base cards."""
    for card in _cards_of(command):
        if card not in book.cards:
            raise RuleViolation("OG-03", "malformed", card=card)
    for base in _bases_of(command):
        if base not in book.bases:
            raise RuleViolation("OG-03", "malformed", base_id=base)


def _cards_of(command: Command) -> Iterable[str]:
    match command:
        case FinishPhase(discard=cards):
            return () if cards is UNSET else cards
        case ProposeTrade(give=goods):
            return goods.cards
        case AcceptTrade(cards=cards) | ConvertCards(cards=cards) | MakeMeld(cards=cards):
            return cards
        case PlayEvent(card=card):
            return (card,)
        case _:
            return ()


def _bases_of(command: Command) -> Iterable[str]:
    if not isinstance(command, ProposeTrade):
        return ()
    return (request.base_id for request in command.want.cards if isinstance(request, CardNamed))
