"""Moves, views and options over HTTP, beside bare endpoints, bare Postgres, bare disk, and others that keep games."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import uvloop
from msgspec import Struct

from bench import peers
from bench.bare import Commits, Syncs
from bench.control import Sizes
from bench.figures import Figure, Say, Section, Series, Target, ratio, ratio_by_cores
from bench.page import show
from bench.peers import Peer
from bench.servers import servers
from bench.stage import CONNECTIONS, Bare, Stage
from rules.catalogue import rulesets

WORKERS: Final = 2
MOVES: Final = "moves, all games"
INSERT: Final = "bare Litestar: POST with one INSERT"
POST: Final = "bare Litestar: POST"


class Scale(Struct, frozen=True):
    """How much is measured: tables in play of each ruleset, rounds."""

    tables: int
    rounds: int


QUICK: Final = Scale(64, 3)
FULL: Final = Scale(512, 12)


def measure(*, quick: bool, folder: Path, say: Say) -> Section:
    """Start everything in this folder, measure, stop everything."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measure(QUICK if quick else FULL, folder, say))


async def _measure(scale: Scale, folder: Path, say: Say) -> Section:
    async with AsyncExitStack() as stack:
        on = await stack.enter_async_context(servers(folder))
        stage = await stack.enter_async_context(Stage.open(folder, WORKERS, on))
        say(f"HTTP: {WORKERS} workers, {scale.tables} tables of each game sit down")
        await stage.seat(scale.tables)
        sizes = await stage.sizes()
        bare = await stage.bare(sizes)
        found = await stack.enter_async_context(peers.peers(folder, on, say))
        commits, syncs = Commits(stage.pool, sizes.row), Syncs(folder)
        for number in range(scale.rounds):
            say(f"HTTP: round {number + 1} of {scale.rounds}")
            for tables in stage.tables:
                await tables.open(scale.tables)
            await stage.settle()
            parts: list[Callable[[], Awaitable[None]]] = [
                lambda: _play(stage),
                lambda: _bare(stage, bare, scale.tables),
                lambda: _machine(commits, syncs, scale.tables),
                lambda: _peers(found, stage.series),
            ]
            for part in parts if number % 2 == 0 else parts[::-1]:
                await part()
    series = stage.series | {one.name: one for one in (commits.series, syncs.series)}
    notes = [*_notes(sizes), *(peer.note for peer in found if peer.note is not None)]
    return _section({name: one.figure() for name, one in series.items()}, notes)


def _notes(sizes: Sizes) -> list[str]:
    views = ", ".join(map(str, sizes.views.values()))
    served = (
        f"{WORKERS} workers, {CONNECTIONS} connections; whatever connection is free takes the next request, so both"
    )
    bare = f"bare endpoints: {WORKERS} workers of the same server, same headers in a request, bodies as long: an entry"
    return [
        f"{served} workers serve every game; the client runs on the same cores",
        f"{bare} of {sizes.row} bytes, an answer of {sizes.answer}, views of {views}",
        "a move's cost has what follows from it: feed, news, lists and results have its entry when the clock stops",
        "a warm view is the first since a move, which the other worker may have made; asked again, nothing is new",
        "by cores: what the two take of processor time, server, Postgres and client together; others change it less",
    ]


async def _play(stage: Stage) -> None:
    moved, seconds = 0, 0.0
    single: list[float] = []
    spent: dict[str, float] = {}
    for tables in stage.tables:
        burst, used = await stage.play(tables)
        moved, seconds = moved + len(burst.answers), seconds + burst.seconds
        single += [answer.seconds for answer in burst.answers]
        spent = {who: spent.get(who, 0.0) + each for who, each in used.items()}
    stage.one(MOVES).add(moved, seconds, single, spent)


async def _bare(stage: Stage, bare: Bare, count: int) -> None:
    for name in rulesets():
        await bare.round(f"view {name}", count, f"bare Litestar: GET as long as a view of {name}")
    await bare.round("answer", count * len(stage.tables), POST)
    await bare.round("insert", count * len(stage.tables), INSERT)


async def _machine(commits: Commits, syncs: Syncs, count: int) -> None:
    await commits.round(count)
    syncs.round()


async def _peers(found: list[Peer], series: dict[str, Series]) -> None:
    for peer in found:
        await peer.round(series.setdefault(peer.name, Series(peer.name)))


def _section(figures: dict[str, Figure], notes: list[str]) -> Section:
    moves = figures[MOVES]
    beside = ratio("moves : bare POST with one INSERT", moves, figures[INSERT])
    ratios = [beside, ratio("moves : bare POST", moves, figures[POST])]
    by_cores = [ratio_by_cores(f"by cores, {beside.name}", moves, figures[INSERT])]
    targets = [
        Target(what=beside.name, value=beside.middle, least=1.0, unit="×"),
        Target(what="p99 of a move", value=moves.quantiles[2] * 1000, most=60, unit=" ms"),
    ]
    for name in rulesets():
        ratios += [ratio(f"moves of {name} : bare POST with one INSERT", figures[f"move, {name}"], figures[INSERT])]
        get = figures[f"bare Litestar: GET as long as a view of {name}"]
        for what, told in (("view", "warm view of"), ("view again", "view asked again of")):
            view = figures[f"{what}, {name}"]
            beside = ratio(f"{told} {name} : bare GET", view, get)
            ratios += [beside]
            by_cores += [ratio_by_cores(f"by cores, {beside.name}", view, get)]
            targets += [Target(what=beside.name, value=beside.middle, least=0.6, unit="×")]
    for peer, least in peers.TARGETS.items():
        value = None
        if peer in figures:
            beside = ratio(f"moves : {peer}", moves, figures[peer])
            ratios, value = [*ratios, beside], beside.middle
            if peer == peers.IN_MEMORY:  # the others wait, for the disk or for one another
                by_cores += [ratio_by_cores(f"by cores, {beside.name}", moves, figures[peer])]
        targets += [Target(what=f"moves : {peer}", value=value, least=least, unit="×")]
    return Section(title="Over HTTP", figures=[*ratios, *by_cores, *figures.values()], targets=targets, notes=notes)


if __name__ == "__main__":
    show(measure)
