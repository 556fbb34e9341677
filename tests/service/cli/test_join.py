"""`gusher join` as a person uses it: whole games, from what stands on the screen and what is typed."""

from __future__ import annotations

import fcntl
import os
import pty
import random
import re
import struct
import subprocess
import sys
import termios
import threading
from codecs import getincrementaldecoder
from collections.abc import Iterator
from pathlib import Path
from select import select

import pytest

from gusher_client import Gusher
from rules.catalogue import rulesets
from service.cli.child import Served, serving

pytestmark = [pytest.mark.slow]

RANGE = re.compile(r", (-?\d+) to (-?\d+):$")
SOME = re.compile(r", (\d+)(?: to (\d+))? of them, as numbers")
PROMPT = re.compile(r"^(?:Your move|.*, -?\d+ to -?\d+|.* of them, as numbers with spaces between|.*Type yes): $")
COLOURS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
HALF_A_COLOUR = re.compile(r"\x1b(\[[0-9;?]*)?\Z")
COLUMNS = 80
SILENCE = 5
CTRL_C, CTRL_D = "\x03", "\x04"
ITEM = re.compile(r"^ *(\d+)\. ")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("service") / "data") as running:
        yield running


class Terminal:
    """The program in a terminal of 80 columns, with a person who reads until it asks, and types something."""

    def __init__(self, *arguments: str, token: str = "") -> None:
        self._place, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
        unset = {"COLUMNS", "LINES", "NO_COLOR", "PYTHONUNBUFFERED"}
        environment = {name: value for name, value in os.environ.items() if name not in unset}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "service.cli.main", "join", *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment | {"GUSHER_TOKEN": token, "TERM": "xterm-256color"},
            preexec_fn=_in_charge,  # noqa: PLW1509 - no threads yet: the terminal is to send it signals
        )
        os.close(inner)
        self.said = self.since = self._cut = ""
        self._letters = getincrementaldecoder("utf-8")()

    def until_asked(self) -> str:
        """The prompt; empty once the program has ended. `since` is what was said before it."""
        start = len(self.said)
        while not PROMPT.search(self.prompt) and self.read():
            pass
        self.since = self.said[start:]
        return self.prompt.strip()

    @property
    def prompt(self) -> str:
        return self.said.rpartition("\n")[2]

    def type(self, text: str) -> None:
        self.press(text + "\r")

    def press(self, keys: str) -> None:
        """Keys as they are: `CTRL_C`, say."""
        self.said += "\n"
        os.write(self._place, keys.encode())

    def ended(self) -> int:
        """The exit code. A Ctrl-C in the very moment in which the program begins to read is noticed with the next key:
        so after a while without a word Enter is pressed, as a person would press something.
        """
        going = True
        while going:
            if select([self._place], [], [], SILENCE)[0]:
                going = self.read()
            else:
                self.press("\r")
        os.close(self._place)
        return self._process.wait(300)

    def read(self) -> bool:
        """Some more of what it says; False once it has ended."""
        try:
            piece = os.read(self._place, 65536)
        except OSError:
            return False
        text = self._cut + self._letters.decode(piece)
        half = HALF_A_COLOUR.search(text)
        self._cut = half[0] if half else ""
        self.said += COLOURS.sub("", text.removesuffix(self._cut)).replace("\r", "")
        return bool(piece)


def _in_charge() -> None:
    """Make its terminal the one that sends it signals, as a shell would."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


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
    assert re.search(r"The game is over\. .* wins?( together)?: ", terminal.said)
    assert re.search(r"^ +1\. (guest-\w+ \(you\)|bot 1) +-?\d+$", terminal.said, re.MULTILINE)
    assert "Traceback" not in terminal.said
    abouts = [ruleset.edition(ruleset.default_edition).edition.about for ruleset in rulesets().values()]
    assert any(about in " ".join(terminal.said.split()) for about in abouts), "nobody was told which data is ours"
    copied = re.compile(r"GUSHER_TOKEN=|gusher join|.*: \d+$|.*\bnumbers with spaces between")
    assert not [line for line in terminal.said.splitlines() if len(line) > COLUMNS and not copied.match(line)]


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


def play_to_the_end(terminal: Terminal, dice: random.Random) -> None:
    while prompt := terminal.until_asked():
        terminal.type(anything(terminal, prompt, dice))


def test_two_people_play_each_other(served: Served) -> None:
    """One opens a table, the other reads its id from the first one's screen; both see both names and the same end."""
    ada = Terminal(served.url, "--name", "ada-at-home")
    for typed in ("1", "2", "0"):
        ada.until_asked()
        ada.type(typed)
    while not (found := re.search(r"--game (\S+)", ada.said)):
        assert ada.read()
    bob = Terminal(served.url, "--name", "bob-at-work", "--game", found[1])
    players = [
        threading.Thread(target=play_to_the_end, args=(terminal, random.Random(seed)))
        for seed, terminal in enumerate((ada, bob))
    ]
    for player in players:
        player.start()
    for player in players:
        player.join()
    for terminal in (ada, bob):
        assert terminal.ended() == 0, terminal.said
        assert "ada-at-home" in terminal.said
        assert "bob-at-work" in terminal.said
        assert "The game is over." in terminal.said


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D, "q\r"])
def test_who_leaves_can_come_back(served: Served, key: str) -> None:
    terminal = Terminal(served.url)
    for typed in ("1", "2", "1"):
        terminal.until_asked()
        terminal.type(typed)
    assert terminal.until_asked() == "Your move:"
    terminal.press(key)
    assert terminal.ended() == 0
    assert "Traceback" not in terminal.said
    command = re.search(r"^GUSHER_TOKEN=(\S+) gusher join (\S+) --game (\S+)$", terminal.said, re.MULTILINE)
    assert command is not None
    token, url, game = command.groups()
    again = Terminal(url, "--game", game, token=token)
    assert again.until_asked() == "Your move:"
    again.press(CTRL_C)
    assert again.ended() == 0
    chosen = Terminal(url, token=token)
    assert chosen.until_asked().startswith("What would you like")
    offered = re.search(rf"(\d+)\. go on: Oil and Gas, at\s+entry \d+\s+\[{game}\]", chosen.said)
    assert offered is not None
    chosen.type(offered[1])
    assert chosen.until_asked() == "Your move:"
    chosen.press(CTRL_C)
    assert chosen.ended() == 0


def test_a_refusal_comes_with_the_text_of_its_rule(served: Served) -> None:
    """The same person moved elsewhere meanwhile: the question is not open any more."""
    with Gusher.sign_up(served.url, "in-two-places") as person:
        table = person.open_table("oil-and-gas", seats=2)
        table.sit()
        table.add_bot()
        table.start()
        assert person.token is not None
        terminal = Terminal(served.url, "--game", table.game, token=person.token)
        assert terminal.until_asked() == "Your move:"
        table.move({"type": "finish_phase", "discard": []})
        terminal.type("1")
        terminal.until_asked()
        sentences = {rule.id: rule.sentence for rule in person.ruleset("oil-and-gas").rules}
        refused = re.search(r"Refused: (\S+) refuses this", terminal.said)
        assert refused is not None
        assert " ".join(sentences[refused[1]].split()) in " ".join(terminal.said.split())
        terminal.press(CTRL_C)
        assert terminal.ended() == 0


def test_who_waits_for_friends_can_leave_too(served: Served) -> None:
    terminal = Terminal(served.url)
    for typed in ("1", "2", "0"):
        terminal.until_asked()
        terminal.type(typed)
    while "Waiting for 1 more" not in terminal.said:
        assert terminal.read()
    terminal.press(CTRL_C)
    assert terminal.ended() == 0
    assert "To come back:" in terminal.said


def test_a_service_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    terminal = Terminal("http://127.0.0.1:9")
    assert terminal.ended() == 1
    assert "cannot go on" in terminal.said
    assert "Traceback" not in terminal.said
