"""Records the golden games: `python -m tests.golden.record` writes them again, `git diff` shows what changed.

A log is an export with fixed seeds, salts and times; a transcript tells, entry by entry, what each seat and a spectator
sees. Each game has one of both for each way it can end (`PLAYING.goldens`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from events.chain import GENESIS, HeadSigner
from events.entry import Entry
from events.export import AUDITOR, SPECTATOR, Header, export_lines
from events.sealing import Written, write
from projections.chance import KeyedChance, game_key
from projections.view import view_game
from rules.catalogue import rulesets
from tests.playouts import GAME, Golden, client_seed, created, played, playing
from tests.scenario import SEED, Scenario
from tests.seen import numbered_salts, viewer_name

HERE = Path(__file__).parent
SIGNER = HeadSigner("golden.example/gusher/head", b"g" * 32)
TOLD = 50
"""Entries of a game that its transcript tells; the last ones are told too."""
LAST = 4

Facts = Mapping[str, str]


def goldens() -> Iterator[tuple[str, str, Golden]]:
    """Every golden game: ruleset, ending, how it is played."""
    for name in rulesets():
        for ending, golden in playing(name).goldens.items():
            yield name, ending, golden


def log_path(name: str, ending: str) -> Path:
    """Where the log of a golden game is kept."""
    return HERE / "logs" / name / f"{ending}.jsonl"


def view_path(name: str, ending: str) -> Path:
    """Where the transcript of a golden game is kept."""
    return HERE / "views" / name / f"{ending}.txt"


def game_of(name: str, golden: Golden) -> Iterator[Scenario]:
    """The game again, with the chance that its seeds give it."""
    client_seeds = [client_seed(golden.seed, seat) for seat in range(golden.setup.seats)]
    chance = KeyedChance(game_key(GAME, bytes.fromhex(SEED), client_seeds))
    opened = created(rulesets()[name], golden.setup, chance)
    scenario = opened
    for scenario in islice(played(opened, golden.seed, golden.move), golden.stop):
        yield scenario
    for actor, command in golden.after:
        yield scenario.when(int(actor) if actor.isdecimal() else actor, command)


def record_log(name: str, golden: Golden) -> bytes:
    """The whole game as a spectator's export, everything open as it is after an end; a disputed one as the auditor's,
    to whom the statement is open too.
    """
    salts, prev, written = numbered_salts(), GENESIS, list[Written]()
    last: Scenario | None = None
    for last in game_of(name, golden):
        assert last.entry is not None
        written.append(write(last.entry, prev, salts, last.shown))
        prev = written[-1].hash
    assert last is not None
    game = last.game
    header = Header(
        game=game.id,
        ruleset=game.ruleset,
        edition=game.edition,
        options=game.options,
        viewer=AUDITOR if golden.after else SPECTATOR,
        vkeys=[SIGNER.vkey],
    )
    note = SIGNER.sign(game.id, game.version, prev)
    return b"".join(export_lines(header, ((one.body, one.sealed) for one in written), note, ended=game.ended))


def record_views(name: str, golden: Golden) -> str:
    """The first entries and the last ones, through every pair of eyes: what is told, and what changes in the view."""
    length = sum(1 for _ in game_of(name, golden))
    known: dict[int | None, Facts] = {}
    lines: list[str] = []
    for number, scenario in enumerate(game_of(name, golden), 1):
        viewers = [*range(golden.setup.seats), None]
        seen = {viewer: facts(scenario, viewer) for viewer in viewers}
        if number <= TOLD or number > length - LAST:
            assert scenario.entry is not None
            lines += [heading(scenario.entry), *_told(scenario, viewers), *_changed(known, seen), ""]
        elif number == TOLD + 1:
            lines += [f"… entries {number} to {length - LAST}", ""]
        known = seen
    return "\n".join(lines)


def heading(entry: Entry[Any, Any]) -> str:
    """Number, actor and command of an entry."""
    return f"## {entry.seq} {entry.actor} {entry.command.__struct_config__.tag}"


def facts(scenario: Scenario, viewer: int | None) -> Facts:
    """A viewer's view of the game, flattened: path to value."""
    view = view_game(scenario.game, viewer, scenario.view(viewer))
    return dict(_flat("", msgspec.json.decode(msgspec.json.encode(view))))


def _flat(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _flat(f"{path}.{name}" if path else name, item)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for index, item in enumerate(value):
            yield from _flat(f"{path}[{index}]", item)
    else:
        yield path, msgspec.json.encode(value).decode()


def _told(scenario: Scenario, viewers: list[int | None]) -> list[str]:
    """What everybody hears, once; where some hear more than others, what each of them hears."""
    lines: list[str] = []
    for sentences in zip(*(scenario.hears(viewer) for viewer in viewers), strict=True):
        if len(set(sentences)) == 1:
            lines.append(f"   {sentences[0]}")
        else:
            heard = zip(viewers, sentences, strict=True)
            lines += [f"   {viewer_name(viewer)}: {sentence}" for viewer, sentence in heard]
    return lines


def _changed(before: Mapping[int | None, Facts], after: Mapping[int | None, Facts]) -> list[str]:
    changes = {viewer: list(_changes(before.get(viewer, {}), now)) for viewer, now in after.items()}
    common = [line for line in changes[None] if all(line in lines for lines in changes.values())]
    own = [
        f" = {viewer_name(viewer)}: {line}" for viewer, lines in changes.items() for line in lines if line not in common
    ]
    return [*(f" = {line}" for line in common), *own]


def _changes(before: Facts, after: Facts) -> Iterator[str]:
    for path, value in after.items():
        if before.get(path) != value and path != "viewer":
            yield f"{path}: {value}"
    yield from (f"{path}: gone" for path in before if path not in after)


def main() -> None:
    """Write every golden game again."""
    for name, ending, golden in goldens():
        for path, content in (
            (log_path(name, ending), record_log(name, golden)),
            (view_path(name, ending), record_views(name, golden).encode()),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            print(f"{path.relative_to(HERE)}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
