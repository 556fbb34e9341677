"""What a second worker brings: one and two of them in turns, each beside bare endpoints with as many workers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import uvloop

from bench.figures import Figure, Say, Section, Target, ratio
from bench.page import show
from bench.servers import servers
from bench.stage import Bare, Stage
from rules.catalogue import rulesets

WORKERS: Final = (1, 2)
MOVE: Final = "moves, {}"
GET: Final = "bare Litestar: GET, {}"
INSERT: Final = "bare Litestar: POST with one INSERT, {}"


def measure(*, quick: bool, folder: Path, say: Say) -> Section:
    """Two services with databases of their own; while one is measured the other has nothing to do."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measure(64 if quick else 256, 3 if quick else 8, folder, say))


async def _measure(tables: int, rounds: int, folder: Path, say: Say) -> Section:
    stages: list[tuple[Stage, Bare]] = []
    async with AsyncExitStack() as stack:
        for workers in WORKERS:
            own = folder / str(workers)
            on = await stack.enter_async_context(servers(own))
            stage = await stack.enter_async_context(Stage.open(own, workers, on))
            await stage.seat(tables)
            stages.append((stage, await stage.bare(await stage.sizes())))
        for number in range(rounds):
            say(f"workers: round {number + 1} of {rounds}")
            for stage, bare in stages if number % 2 == 0 else stages[::-1]:
                await _round(stage, bare, tables)
    figures = {name: one.figure() for stage, _ in stages for name, one in stage.series.items()}
    return _section(figures)


async def _round(stage: Stage, bare: Bare, count: int) -> None:
    for tables in stage.tables:
        await tables.open(count)
    await stage.settle()
    moves = stage.one(_named(MOVE, stage.workers))
    moved, seconds = 0, 0.0
    single: list[float] = []
    spent: dict[str, float] = {}
    for tables in stage.tables:
        await tables.ask()
        stage.keep(_named("views, {}", stage.workers), *await stage.timed(stage.service, tables.look))
        burst, used = await stage.timed(stage.service, tables.move, settled=True)
        moved, seconds = moved + len(burst.answers), seconds + burst.seconds
        single += [answer.seconds for answer in burst.answers]
        spent = {who: spent.get(who, 0.0) + each for who, each in used.items()}
    moves.add(moved, seconds, single, spent)
    await bare.round(f"view {next(iter(rulesets()))}", count * len(stage.tables), _named(GET, stage.workers))
    await bare.round("insert", count * len(stage.tables), _named(INSERT, stage.workers))


def _section(figures: dict[str, Figure]) -> Section:
    one, two = WORKERS
    ratios = [
        ratio(name.format("two workers : one"), figures[_named(name, two)], figures[_named(name, one)])
        for name in (MOVE, "views, {}", GET, INSERT)
    ]
    return Section(
        title="One worker and two",
        figures=[*ratios, *_ordered(figures)],
        targets=[Target(what="moves, two workers : one", value=ratios[0].middle, unit="×")],
        notes=["what the bare endpoints gain is what there is to gain: client and databases share the cores"],
    )


def _ordered(figures: dict[str, Figure]) -> Sequence[Figure]:
    return [figures[_named(name, workers)] for name in (MOVE, "views, {}", GET, INSERT) for workers in WORKERS]


def _named(name: str, workers: int) -> str:
    return name.format(f"{workers} worker{'s' * (workers > 1)}")


if __name__ == "__main__":
    show(measure)
