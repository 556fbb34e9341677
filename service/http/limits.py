"""What a caller may take: requests in a window, streams at a time. A running match has a budget of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from litestar.connection import ASGIConnection

from service.auth.caller import ANYBODY, Caller
from service.failures import Damaged, NotFound, Unauthenticated
from service.handling.access import seats_of
from service.handling.desk import Desk
from service.http.answers import Headers
from service.http.deprecation import headers_of as marks
from service.http.identity import Visit, identify
from service.http.problems import Problem
from service.settings import Settings
from service.store.budgets import Budget, Budgets, ProcessBudgets, RedisBudgets, Spent
from service.store.leases import Leases, NoneLeft

UNLIMITED: Final = {"unlimited": True}
"""In a route's `opt`: it is never refused for having been asked too often."""

_CAREFUL: Final[Headers] = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
_SECOND: Final = 1_000_000
_SPENT: Final = "gusher.spent"

Connection = ASGIConnection[Any, Any, Any, Any]


def _require(name: str, spent: Spent) -> None:
    """Raise `Problem` (429) where a budget did not suffice."""
    if not spent.granted:
        raise too_many("rate_limited", f"The budget {name!r} is spent.", -(-spent.wait // _SECOND))


class Gate:
    """Counts what callers take: over all workers while Redis is there, else in this process."""

    def __init__(self, settings: Settings, budgets: Budgets, leases: Leases) -> None:
        self.limits, self.budgets, self.leases = settings.limits, budgets, leases
        self._proxies = settings.proxies

    async def spend(self, scope: Any, name: str, key: str, budget: Budget | None) -> None:
        """One request of this budget. Raises `Problem` (429)."""
        if budget is None:
            return
        spent = await self.budgets.spend(f"{name}:{key}", budget)
        scope[_SPENT] = (name, budget, spent)
        _require(name, spent)

    @asynccontextmanager
    async def stream(self, connection: Connection) -> AsyncIterator[None]:
        """One of the streams that the caller may have open. Raises `Problem` (429); those that are open stay."""
        if self.limits.streams is None:
            yield
            return
        try:
            async with self.leases.hold(self.caller_key(connection), self.limits.streams):
                yield
        except NoneLeft:
            detail = f"At most {self.limits.streams} streams may be open at a time. Those that are open stay open."
            raise too_many("too_many_streams", detail, 1) from None

    async def spend_besides(self, connection: Connection, name: str, budget: Budget | None) -> None:
        """What costs more than a request is paid from a budget besides. Raises `Problem` (429)."""
        if budget is None:
            return
        _require(name, await self.budgets.spend(f"{name}:{self.caller_key(connection)}", budget))

    def caller_key(self, connection: Connection) -> str:
        """What a caller's streams are counted under: the token, or the address of somebody without one."""
        token = caller_in(connection).token
        if token is not None:
            return f"token:{token}"
        return f"address:{self.address(connection.scope, connection.headers.get('x-forwarded-for', ''))}"

    def address(self, scope: Any, forwarded: str) -> str:
        """What somebody without a token is counted under."""
        return _household(self.seen_at(scope, forwarded))

    def seen_at(self, scope: Any, forwarded: str) -> str:
        """Where the caller is: the address that the outermost of our own proxies saw."""
        client = scope.get("client")
        seen = [part.strip() for part in forwarded.split(",") if part.strip()]
        hops = [*seen, client[0] if client else "nowhere"]
        return _as_written(hops[max(len(hops) - 1 - self._proxies, 0)])

    async def open(self) -> None:
        """Ready to count."""
        await self.budgets.open()
        await self.leases.open()

    async def close(self) -> None:
        """Nothing is counted any more."""
        await self.leases.close()
        await self.budgets.close()


def open_gate(settings: Settings) -> Gate:
    """The gate of a running service."""
    url, patience = settings.redis_url, settings.redis_patience / 1000
    budgets = ProcessBudgets() if url is None else RedisBudgets(url, patience=patience)
    return Gate(settings, budgets, Leases(url, patience=patience))


def too_many(code: str, detail: str, seconds: int) -> Problem:
    """429, and when to ask again."""
    return Problem("too_many_requests", detail, code=code, headers={"retry-after": str(max(seconds, 1))})


async def admit(visit: Visit, desk: Desk, gate: Gate) -> Caller:
    """Who is it, and may they ask once more? Raises `Unauthenticated`, `Forbidden`, `Problem` (429).

    Whoever has no good token pays from the budget of the address. A player's requests to a running game are paid from
    that game's budget, so that nothing else the player's token is used for keeps a match from going on.
    """
    if visit.opt.get("unlimited"):
        return await identify(visit, desk)
    try:
        caller = await identify(visit, desk)
    except Unauthenticated:
        await _by_address(visit, gate)
        raise
    key = caller.token
    if key is None:
        await _by_address(visit, gate)
        return caller
    if gate.limits.game is not None and visit.game is not None and await _plays(desk, caller, visit.game):
        await gate.spend(visit.scope, "game", f"{key}:{visit.game}", gate.limits.game)
    else:
        await gate.spend(visit.scope, "token", key, gate.limits.token)
    return caller


async def _by_address(visit: Visit, gate: Gate) -> None:
    if gate.limits.address is not None:
        await gate.spend(visit.scope, "address", gate.address(visit.scope, visit.forwarded), gate.limits.address)


def around(scope: Any) -> Headers:
    """The headers that every answer carries: those that keep browsers careful; where a budget was spent from,
    `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers); and how the operation goes, if it does.
    """
    if _SPENT not in scope:
        return [*_CAREFUL, *marks(scope)]
    name, budget, spent = scope[_SPENT]
    left = (b"ratelimit", _left(name, spent))
    return [*_CAREFUL, (b"ratelimit-policy", _policy(name, budget)), left, *marks(scope)]


def caller_in(connection: Connection) -> Caller:
    """Who asks, as far as anybody has looked."""
    found: Caller = connection.scope.get("user") or ANYBODY
    return found


async def _plays(desk: Desk, caller: Caller, game: str) -> bool:
    """Whether the caller sits at this game with this token, and it runs."""
    if caller.game not in (None, game):
        return False
    try:
        hot = await desk.games.get(game)
    except (NotFound, Damaged):
        return False
    return hot.game.status == "running" and bool(seats_of(caller, await hot.players(desk.store)))


@cache
def _policy(name: str, budget: Budget) -> bytes:
    return f'"{name}";q={budget.quota};w={budget.window}'.encode()


def _left(name: str, spent: Spent) -> bytes:
    return f'"{name}";r={spent.left};t={-(-spent.whole_in // _SECOND)}'.encode()


def _as_written(address: str) -> str:
    """The address; one of IPv4 as such, also where a socket of IPv6 has accepted it: `::ffff:192.0.2.1`."""
    if not address.startswith("::"):
        return address
    try:
        mapped = IPv6Address(address).ipv4_mapped
    except ValueError:
        return address
    return address if mapped is None else str(mapped)


def _household(address: str) -> str:
    """The address; of IPv6 the network, since a household has as many addresses as it likes."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    return str(IPv6Address(int(found) >> 64 << 64)) if isinstance(found, IPv6Address) else str(found)
