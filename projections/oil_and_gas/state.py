"""The board of Oil and Gas: what is true beside what all games share."""

from __future__ import annotations

from msgspec import Struct, field, to_builtins

from events.oil_and_gas.codes import Goods, Phase, TokenKind, Tokens, Wanted
from events.oil_and_gas.steps import StepWord
from projections.game import Game

TOKEN_KINDS: tuple[TokenKind, ...] = ("explore", "oil", "transport", "refinery", "gasoline", "product")
"""The six kinds of industry tokens, in the order of every list of them."""


def no_tokens() -> dict[str, int]:
    """None of any kind."""
    return dict.fromkeys(TOKEN_KINDS, 0)


class Company(Struct, frozen=True):
    """What one seat holds and has done. Tokens are numbers, no cards: nothing limits or takes them (OG-131).

    `hand` is in no particular order. `acted_turn` is the last turn with an accepted command of the seat (0: none yet);
    `through` is its standing finish; `finished` says that it is done with the open phase (passed, in the Event Phase).
    """

    hand: tuple[str, ...] = ()
    profit: int = 0
    tokens: dict[str, int] = field(default_factory=no_tokens)
    extra_cards: int = 0
    finished: bool = False
    through: Phase | None = None
    conversions: int = 0
    proposals: int = 0
    acted_turn: int = 0
    resigned: bool = False


class Offer(Struct, frozen=True):
    """An open offer of the market."""

    number: int
    proposer: int
    addressee: int
    give: Goods
    want: Wanted


class Board(Struct, frozen=True):
    """Everything on and around the table. The top of `deck` is its first card; `discard` has no order."""

    companies: tuple[Company, ...]
    turn: int = 0
    phase: Phase | None = None
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    event_row: tuple[str, ...] = ()
    shuffles: int = 0
    offers: tuple[Offer, ...] = ()
    offers_made: int = 0
    deal_start: int = 0
    leader: int | None = None
    order: tuple[int, ...] = ()
    modifier: int = 0
    economy_played: bool = False
    events_played: int = 0


OilAndGas = Game[Board, StepWord]


def counts_of(tokens: Tokens) -> dict[str, int]:
    """Tokens by kind, in the order of `TOKEN_KINDS` with profit last; kinds of which there are none are left out."""
    counts: dict[str, int] = to_builtins(tokens)
    return counts
