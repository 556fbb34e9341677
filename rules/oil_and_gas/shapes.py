"""Words that no game on this edition knows, whatever its state: refused as malformed before anything else."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from events.oil_and_gas.codes import CardNamed
from events.oil_and_gas.commands import AcceptTrade, ConvertCards, FinishPhase, MakeMeld, PlayEvent, ProposeTrade
from events.words import Command
from rules.oil_and_gas.book import OilAndGasBook
from rules.refusal import RuleViolation


def check_words(command: Command, book: OilAndGasBook) -> None:
    """OG-03: a card is one of the game's cards, wherever it is; a request names one of its base cards."""
    field, cards = _cards_of(command)
    for card in cards:
        if card not in book.cards:
            raise RuleViolation("OG-03", "malformed", field=field, card=card)
    for base in _bases_of(command):
        if base not in book.bases:
            raise RuleViolation("OG-03", "malformed", field="/want/cards", base_id=base)


def _cards_of(command: Command) -> tuple[str, Sequence[str]]:
    """Where the command names cards, and which."""
    match command:
        case FinishPhase(discard=cards):
            return "/discard", () if cards is UNSET else cards
        case ProposeTrade(give=goods):
            return "/give/cards", goods.cards
        case AcceptTrade(cards=cards) | ConvertCards(cards=cards) | MakeMeld(cards=cards):
            return "/cards", cards
        case PlayEvent(card=card):
            return "/card", (card,)
        case _:
            return "", ()


def _bases_of(command: Command) -> Sequence[str]:
    if not isinstance(command, ProposeTrade):
        return ()
    return [request.base_id for request in command.want.cards if isinstance(request, CardNamed)]
