"""What a what-if game hides is drawn anew: other cards in other hands, in which nobody who knew less can be caught out.

A ruleset's `redraw` says which piles are hidden from a viewer; here is what all of them need.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.choices import Below, draw_some

Pile = tuple[str, ...]


def remixed(piles: Sequence[Pile], known: Collection[str], below: Below) -> list[Pile]:
    """The piles with their cards mixed among one another; a card whose whereabouts are known stays in its place.

    The cards are sorted first: the outcome is made of which cards there are, and not of where they truly lie.
    """
    loose = sorted(card for pile in piles for card in pile if card not in known)
    drawn = iter(draw_some(tuple(loose), len(loose), below))
    return [tuple(card if card in known else next(drawn) for card in pile) for pile in piles]
