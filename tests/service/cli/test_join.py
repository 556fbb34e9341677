"""`gusher join` as a person uses it: whole games, from what stands on the screen and what is typed."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gusher_client import Gusher
from rules.catalogue import rulesets
from service.cli.child import Served, serving

pytestmark = [pytest.mark.slow]

RANGE = re.compile(r", (-?\d+) to (-?\d+):$")
SOME = re.compile(r", (\d+)(?: to (\d+))? of them, as numbers")
PROMPT = re.compile(r"^(?:Your move|.*, -?\d+ to -?\d+|.* of them, as numbers with spaces between|.*Type yes): $")
ITEM = re.compile(r"^ *(\d+)\. ")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("service") / "data") as running:
        yield running


class Terminal:
    """The program with a person who reads until it asks, and types something."""

    def __init__(self, *arguments: str, token: str = "") -> None:
        environment = {**os.environ, "GUSHER_TOKEN": token, "PYTHONUNBUFFERED": "1", "COLUMNS": "100"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "service.cli.main", "join", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            env=environment,
        )
        self.said = self.since = ""

    def until_asked(self) -> str:
        """The prompt; empty once the program has ended. `since` is what was said before it."""
        assert self._process.stdout is not None
        start = len(self.said)
        piece = "-"
        while piece and not PROMPT.search(self.prompt):
            piece = self._process.stdout.read(1)
            self.said += piece
        self.since = self.said[start:]
        return self.prompt.strip()

    @property
    def prompt(self) -> str:
        return self.said.rpartition("\n")[2]

    def type(self, text: str) -> None:
        assert self._process.stdin is not None
        self.said += "\n"
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def end_of_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def ended(self) -> int:
        assert self._process.stdout is not None
        self.said += self._process.stdout.read()
        return self._process.wait(60)


def anything(terminal: Terminal, prompt: str, dice: random.Random) -> str:
    """Something that the prompt asks for."""
    if some := SOME.search(prompt):
        items = [match[1] for line in terminal.since.splitlines() if (match := ITEM.match(line))]
        least, most = int(some[1]), int(some[2] or some[1])
        return " ".join(dice.sample(items, dice.randint(least, min(most, len(items)))))
    if span := RANGE.search(prompt):
        return str(dice.randint(int(span[1]), min(int(span[2]), int(span[1]) + 20)))
    options = [match[1] for line in terminal.since.splitlines() if (match := ITEM.match(line))]
    return dice.choice(options)


@pytest.mark.parametrize("index", range(len(rulesets())))
def test_a_whole_game_is_played(served: Served, index: int) -> None:
    dice = random.Random(index)
    terminal = Terminal(served.url)
    opening = [str(index + 1), "2", "1"]
    while prompt := terminal.until_asked():
        terminal.type(opening.pop(0) if opening else anything(terminal, prompt, dice))
    assert terminal.ended() == 0, terminal.said
    assert "The game is over." in terminal.said
    assert "Traceback" not in terminal.said
    assert re.search(r"seat \d.* wins? ", terminal.said)


def test_friends_meet_and_one_gives_up(served: Served) -> None:
    with Gusher.sign_up(served.url, "host-of-friends") as host:
        table = host.open_table("oil-and-gas", seats=2)
        table.sit()
        friend = Terminal(served.url, "--game", table.game, "--name", "friend")
        for _ in table.follow():
            if all(seat.taken for seat in table.header().seats):
                break
        table.start()
        assert friend.until_asked() == "Your move:"
        assert "GUSHER_TOKEN=gsh_" in friend.said
        for typed in ("s", "99", "b"):
            friend.type(typed)
            assert friend.until_asked() == "Your move:"
        friend.type("resign")
        assert "yes" in friend.until_asked()
        friend.type("yes")
        assert friend.ended() == 0
        assert table.header().ended


def test_who_leaves_can_come_back(served: Served) -> None:
    with Gusher.sign_up(served.url, "comes-and-goes") as person:
        table = person.open_table("oil-and-gas", seats=2)
        table.sit()
        table.add_bot()
        table.start()
        assert person.token is not None
        for _ in range(2):
            terminal = Terminal(served.url, "--game", table.game, token=person.token)
            assert terminal.until_asked() == "Your move:"
            terminal.end_of_input()
            assert terminal.ended() == 0
            assert "the game waits for you" in terminal.said
        assert not table.header().ended


def test_a_service_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    terminal = Terminal("http://127.0.0.1:9")
    assert terminal.ended() == 1
    assert "cannot go on" in terminal.said
    assert "Traceback" not in terminal.said
