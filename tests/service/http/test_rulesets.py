"""What a client learns before it plays."""

import re
from pathlib import Path

import pytest
from httpx import AsyncClient
from jsonschema_rs import Draft202012Validator, meta

from rules.catalogue import rulesets
from rules.register import read_register
from tests.service.http.conftest import problem

ROOT = Path(__file__).parents[3]


async def test_the_games_on_offer(client: AsyncClient) -> None:
    listed = (await client.get("/v1/rulesets")).json()["rulesets"]
    assert [one["ruleset"] for one in listed] == list(rulesets())
    for one in listed:
        assert one["default_edition"] in [edition["edition"] for edition in one["editions"]]
        assert 1 <= one["least_seats"] <= one["most_seats"]


@pytest.mark.parametrize("name", list(rulesets()))
async def test_a_game_describes_itself(client: AsyncClient, name: str) -> None:
    described = (await client.get(f"/v1/rulesets/{name}")).json()
    schemas = [described["options"], described["view"]]
    schemas += [word["json_schema"] for word in [*described["commands"], *described["events"]]]
    for schema in schemas:
        assert meta.is_valid(schema)
    assert Draft202012Validator(described["options"]).is_valid({})
    commands = {word["type"]: word for word in described["commands"]}
    assert "create_game" not in commands
    assert "expire" not in commands
    for word in commands.values():
        assert word["about"]
        assert '"id"' not in str(word["json_schema"]).replace("'", '"').partition("$defs")[0]
    assert "game_created" in {word["type"] for word in described["events"]}


@pytest.mark.parametrize("name", list(rulesets()))
async def test_an_edition_says_where_its_data_comes_from(client: AsyncClient, name: str) -> None:
    ruleset = rulesets()[name]
    for edition, loaded in ruleset.editions.built_in.items():
        described = (await client.get(f"/v1/rulesets/{name}/editions/{edition}")).json()
        assert described["digest"] == loaded.digest
        assert set(described["provenance"].values()) <= {"rulebook", "derived", "house"}
    problem(await client.get(f"/v1/rulesets/{name}/editions/none"), 404)


def test_a_register_is_read_line_by_line() -> None:
    page = """
- OG-01 [R G-01] A game starts only with 2 players.
- **PT-002** `[R]` Every player runs one company;
  nobody two.

  not a rule
- **PT-003** `[R]/[H]` The bank is kept. `[H]` By the server.
- PO-210 The option is `ship{route}`. [RB L364] [AMB-2]
"""
    assert [(rule.id, rule.sentence) for rule in read_register(page)] == [
        ("OG-01", "A game starts only with 2 players."),
        ("PT-002", "Every player runs one company; nobody two."),
        ("PT-003", "The bank is kept. `[H]` By the server."),
        ("PO-210", "The option is `ship{route}`."),
    ]


@pytest.mark.parametrize("name", list(rulesets()))
async def test_a_game_tells_its_rules(client: AsyncClient, name: str) -> None:
    rules = (await client.get(f"/v1/rulesets/{name}")).json()["rules"]
    ids = [rule["id"] for rule in rules]
    assert len(ids) == len(set(ids))
    assert len(ids) > 100
    assert {one.split("-")[0] for one in ids} == {rulesets()[name].register, "GU"}
    assert (await client.get(f"/v1/rulesets/{name}/rules")).json() == {"ruleset": name, "rules": rules}
    assert all(rule["sentence"].strip() and not rule["sentence"].startswith(("[", "`[")) for rule in rules)


def cited(folder: str) -> set[str]:
    """The rule ids that code in this folder names as words of their own: those of its refusals."""
    return {
        found
        for file in (ROOT / folder).rglob("*.py")
        for found in re.findall(r'"([A-Z]{2}-[0-9]+[a-z]?)"', file.read_text("utf-8"))
    }


async def test_every_rule_that_a_refusal_cites_has_a_sentence(client: AsyncClient) -> None:
    told: set[str] = set()
    for name in rulesets():
        rules = (await client.get(f"/v1/rulesets/{name}/rules")).json()["rules"]
        told |= {rule["id"] for rule in rules}
    refused_by = cited("rules") | cited("service/handling")
    assert {"GU-01", "GU-09"} <= refused_by
    assert len(refused_by) > 100
    assert not sorted(refused_by - told)
