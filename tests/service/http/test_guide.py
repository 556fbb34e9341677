"""The guide is served, complete, true to the types, and its first program plays a game."""

import re
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from jsonschema_rs import Draft202012Validator

from gusher_client import Gusher
from rules.catalogue import rulesets
from service.http.pages.guide import PAGES, examples_of
from service.http.words import commands_of, schema_of, tag_of
from tests.service.http.conftest import problem
from tests.service.http.running import Server

GUIDE = Path(__file__).parents[3] / "docs" / "guide"


async def test_every_page_is_served_and_every_link_in_it_leads_somewhere(client: AsyncClient) -> None:
    for name in ["", *(f"/{page}" for page in [*PAGES, *rulesets()])]:
        page = await client.get(f"/docs/guide{name}")
        assert page.status_code == 200
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "<script" not in page.text
        assert "<!--" not in page.text
        anchors = set(re.findall(r'id="([^"]+)"', page.text))
        for address in set(re.findall(r'href="([^"]+)"', page.text)):
            if address.startswith("#"):
                assert address[1:] in anchors
            else:
                assert (await client.get(address)).status_code == 200, address
    problem(await client.get("/docs/guide/nothing"), 404, "not_found")


def test_every_page_that_is_written_is_listed() -> None:
    assert {page.stem for page in GUIDE.glob("*.md")} | {"api"} == set(PAGES)


@pytest.mark.parametrize("name", list(rulesets()))
def test_every_command_has_an_example_that_fits(name: str) -> None:
    ruleset = rulesets()[name]
    examples = examples_of(name)
    assert sorted(examples) == sorted(map(tag_of, commands_of(ruleset)))
    for kind in commands_of(ruleset):
        assert Draft202012Validator(schema_of(ruleset, kind)).is_valid(examples[tag_of(kind)])


@pytest.mark.parametrize("name", list(rulesets()))
async def test_every_command_is_on_the_page_of_its_game(client: AsyncClient, name: str) -> None:
    page = (await client.get(f"/docs/guide/{name}")).text
    for kind in commands_of(rulesets()[name]):
        assert f'id="schema-{tag_of(kind)}"' in page


@pytest.mark.slow
@pytest.mark.parametrize("better", [False, True])
def test_the_first_program_plays_a_game_in_a_folder_of_its_own(server: Server, tmp_path: Path, *, better: bool) -> None:
    """As it stands on the page; and with the better player that the page gives it afterwards."""
    program, choosing = re.findall(r"```python\n(.*?)```", (GUIDE / "quick-start.md").read_text(), re.DOTALL)
    assert len(program.splitlines()) < 100
    if better:
        head, player, rest = program.partition("table.move(asked.pick())")
        assert player
        program = head.replace("url = ", f"{choosing}\n\nurl = ", 1) + "table.move(choose(asked))" + rest
    folder = tmp_path / "fresh"
    folder.mkdir()
    (folder / "play.py").write_text(program)
    command = [sys.executable, "play.py", server.url]
    played = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "oil-and-gas ended" in played.stdout
    audit = [sys.executable, "-m", "service.cli.main", "audit", str(folder / "game.jsonl")]
    audited = subprocess.run(audit, capture_output=True, text=True, check=False, timeout=300)
    assert audited.returncode == 0, audited.stdout


@pytest.mark.slow
def test_nine_players_meet_at_three_tables(server: Server) -> None:
    """The page's programs as they stand: whoever is invited sits down where the organizer wished, and is scored."""
    programs = re.findall(r"```python\n(.*?)```", (GUIDE / "many-tables.md").read_text(), re.DOTALL)
    page: dict[str, Any] = {}
    for program in programs:
        exec(program, page)  # noqa: S102 - a page of ours
    names = [f"guest-{number}" for number in range(9)]
    tables = [names[:3], names[3:6], names[6:]]
    with ThreadPoolExecutor(len(names)) as pool, ExitStack() as stack:
        players = {name: stack.enter_context(Gusher.sign_up(server.url, name)) for name in names}
        host = stack.enter_context(Gusher.sign_up(server.url, "organizer-of-nine"))
        playing: list[Future[None]] = []

        def tell(player: str, game: str, code: str) -> None:
            playing.append(pool.submit(page["play"], players[player], game, code))

        beaten = page["play_round"](host, "oil-and-gas", tables, tell)
        for one in playing:
            one.result(300)
    assert sorted(beaten) == names
    assert {max(beaten[name] for name in table) for table in tables} <= {1, 2}


@pytest.mark.slow
def test_the_reader_without_a_client_follows_a_game_to_its_end(server: Server, tmp_path: Path) -> None:
    """The page's program as it stands, while the game is played."""
    blocks = re.findall(r"```python\n(.*?)```", (GUIDE / "streams.md").read_text(), re.DOTALL)
    (program,) = [block for block in blocks if "def follow(" in block]
    (tmp_path / "follow.py").write_text(program + FOLLOWING)
    with Gusher.sign_up(server.url, "followed") as gusher:
        table = gusher.open_table("oil-and-gas", seats=2)
        table.sit()
        table.add_bot()
        table.start()
        command = [sys.executable, "follow.py", server.url, table.game, str(gusher.token)]
        reader = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        table.move({"type": "finish_phase", "discard": []})
        last = table.resign().version
        told, _ = reader.communicate(timeout=300)
    assert told.split() == list(map(str, range(1, last + 1)))


FOLLOWING = """
import sys

for entry in follow(*sys.argv[1:]):
    print(entry["seq"])
"""
