"""What we have signed must be in the log. Where it is not, the game stands still until an operator has looked.

A backup was put back, a replica took over without the last moves, somebody deleted entries: players hold receipts for
what the log does not have. Going on as if nothing had happened would make liars of us.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final
from uuid import UUID, uuid5

from events.table import SuspendGame
from rules.refusal import RuleViolation
from service.auth.caller import ANYBODY
from service.failures import Failure, NotFound
from service.handling.act import Plan, Wish, settle
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.store.heads import SignedHeads
from service.store.protocol import Head, Player

logger = logging.getLogger(__name__)

HEAD_GONE: Final = "head_gone"
PAGE: Final = 500
_NAMES: Final = UUID("8f6c1c1e-6d0d-4f0e-9b43-52c4b0f6a3d1")


class HeadWatch:
    """Compares games with what was signed of them: when they are loaded, when the log turns out to be another one than
    it was, and all that are known after a start.
    """

    def __init__(self, desk: Desk, heads: SignedHeads) -> None:
        self._desk, self._heads = desk, heads
        self._sweeping: asyncio.Task[None] | None = None
        desk.heads, desk.games.watch = heads, self
        desk.closing.append(self.close)

    def start(self) -> None:
        """Look at every game that this machine has signed heads of, in the background."""
        self._sweeping = asyncio.create_task(self.sweep(), name="signed heads, after a start")

    async def close(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.gather(self._sweeping, return_exceptions=True)
        await self._heads.close()

    async def loaded(self, hot: Hot) -> None:
        """The game was loaded: nobody decides on it before this."""
        known = self._heads.last(hot.id)
        if known is None or known == Head(hot.version, hot.head):
            return
        if await self._desk.store.missing([(hot.id, known)]):
            await self.lost(hot, known)
        elif known.seq > hot.version:
            # Signed by another worker since we read: perhaps that the game is suspended.
            await self._desk.games.refresh(hot)

    async def lost(self, hot: Hot, head: Head) -> None:
        """The log of this game does not have an entry that it had: say so in the log itself, once."""
        self._desk.games.counts["signed_head_gone"] += 1
        logger.error("game %s: entry %d with hash %s was acknowledged and is gone", hot.id, head.seq, head.hash)
        # Made from what is lost: whichever workers notice, and however often, it is one entry.
        key = str(uuid5(_NAMES, f"{hot.id}/{head.seq}/{head.hash}"))

        def plan(_hot: Hot, _players: Sequence[Player]) -> Plan:
            return Plan("system", SuspendGame(HEAD_GONE, head.seq, head.hash, id=key))

        said = {"do": "suspend", "lost": (head.seq, head.hash)}
        wish = Wish(caller=ANYBODY, key=key, said=said, plan=plan, admitted=True)
        try:
            row, new = await settle(self._desk, hot, wish)
        except (RuleViolation, Failure) as refusal:
            logger.warning("game %s cannot be suspended: %s", hot.id, refusal)
            return
        if new:
            self._heads.reset(hot.id, Head(row.seq, row.hash))
            self._desk.tell(hot.id, row.seq)

    async def sweep(self) -> None:
        """Every game of which a head is kept here."""
        page = self._heads.after("", PAGE)
        while page:
            for game in await self._desk.store.missing(page):
                try:
                    await self._desk.games.get(game)
                except NotFound:
                    self._desk.games.counts["signed_game_gone"] += 1
                    logger.warning("game %s: moves were acknowledged, and the whole game is gone", game)
                except Failure as failure:
                    logger.warning("game %s cannot be loaded: %s", game, failure)
            page = self._heads.after(page[-1][0], PAGE)
