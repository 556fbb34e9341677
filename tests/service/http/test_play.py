"""Moves: decided once, answered the same for ever, and telling nobody more than they may know."""

import random
from base64 import b64encode
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from httpx import AsyncClient, Response
from jsonschema_rs import Draft202012Validator

from events.chain import entry_hash, head_text, note_is_signed, read_vkey
from rules.catalogue import rulesets
from tests.desks import a_key
from tests.service.http.conftest import Meet, Person, move, problem, started


@pytest.fixture
async def pair(meet: Meet) -> tuple[Person, Person]:
    return await meet("ada"), await meet("bob")


async def finish(person: Person, game: str, **headers: str) -> Response:
    return await person.post(f"/v1/games/{game}/commands", {"type": "finish_phase", "discard": []}, **headers)


@pytest.mark.rule("OG-175")
async def test_a_move_is_made_once_per_key(pair: tuple[Person, Person]) -> None:
    """TS-110."""
    ada, bob = pair
    game, key = await started(ada, bob), a_key()
    first = await finish(ada, game, idempotency_key=key)
    assert first.status_code == 200, first.text
    assert (await finish(bob, game)).status_code == 200
    again = await finish(ada, game, idempotency_key=key)
    assert (again.status_code, again.content, again.headers["etag"]) == (200, first.content, first.headers["etag"])
    other = await ada.post(f"/v1/games/{game}/commands", {"type": "buy_extra_card"}, idempotency_key=key)
    problem(other, 422, "idempotency_mismatch")
    problem(await finish(bob, game, idempotency_key=key), 422, "idempotency_mismatch")


async def test_a_receipt_is_a_signed_head(pair: tuple[Person, Person], client: AsyncClient) -> None:
    game = await started(*pair)
    told = (await finish(pair[0], game)).json()
    keys = [read_vkey(key) for key in (await client.get("/.well-known/gusher-keys")).json()["vkeys"]]
    assert note_is_signed(told["receipt"], head_text(game, told["version"], told["head"]), keys)
    head = (await client.get(f"/v1/games/{game}/head")).json()
    assert (head["version"], head["head"], head["note"]) == (told["version"], told["head"], told["receipt"])


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"type": "fly"},
        {"type": 7},
        {"type": "finish_phase", "id": "mine"},
        {"type": "finish_phase", "seat": 0},
        {"type": "finish_phase", "decision_id": "6"},
        {"type": "finish_phase", "decision_id": -1},
        {"type": "finish_phase", "server_seed": "00"},
        {"type": "create_game", "ruleset": "oil-and-gas", "edition": "standard", "options": {}, "seats": 2},
        {"type": "expire", "seat": 1},
        {"type": "take_seat", "seat": 1},
        {"type": "abort_game", "reason": "bored"},
        {"type": "start_game"},
        {"type": "propose_trade", "to": 1},
    ],
)
async def test_what_is_no_command_of_a_player(pair: tuple[Person, Person], command: dict[str, Any]) -> None:
    game = await started(*pair)
    before = (await pair[0].get(f"/v1/games/{game}/head")).json()
    for address in ("commands", "commands:check"):
        problem(await pair[0].post(f"/v1/games/{game}/{address}", command), 400, "malformed")
    assert (await pair[0].get(f"/v1/games/{game}/head")).json() == before


async def test_a_refusal_names_rule_version_and_decision(pair: tuple[Person, Person]) -> None:
    ada, bob = pair
    game = await started(ada, bob)
    asked = (await ada.get(f"/v1/games/{game}/options")).json()
    late = {"type": "finish_phase", "decision_id": asked["decision_id"] - 1}
    for address in ("commands", "commands:check"):
        refused = problem(await ada.post(f"/v1/games/{game}/{address}", late), 409, "stale_decision")
        assert refused["rule"] == "OG-176"
        assert refused["game_version"] == asked["version"]
        assert refused["decision"] == asked["decision_id"]
        assert [(one["in"], one["name"]) for one in refused["errors"]] == [("body", "/decision_id")]
    absent = problem(await ada.post(f"/v1/games/{game}/commands", {"type": "finish_phase"}), 400, "malformed")
    assert (absent["rule"], absent["errors"]) == (
        "OG-44",
        [{"in": "body", "name": "/discard", "detail": "malformed"}],
    )
    wrong = problem(await ada.post(f"/v1/games/{game}/commands", {"type": "make_meld", "cards": "X01.1"}), 400)
    assert wrong["code"] == "malformed"
    phase = await ada.post(f"/v1/games/{game}/commands", {"type": "make_meld", "cards": []})
    assert problem(phase, 422, "wrong_phase")["rule"] == "OG-21"


async def test_who_holds_no_seat_cannot_move(pair: tuple[Person, Person], meet: Meet) -> None:
    game, cy = await started(*pair), await meet("cy")
    problem(await finish(cy, game), 403, "not_a_player")
    told = (await cy.get(f"/v1/games/{game}/options")).json()
    assert (told["seat"], told["decision_id"], told["options"]) == (None, None, [])
    problem(await pair[0].post(f"/v1/games/{game}/commands?seat=1", {"type": "finish_phase"}), 403, "not_your_seat")


async def test_if_match_holds_a_move_to_a_version(pair: tuple[Person, Person]) -> None:
    ada, bob = pair
    game = await started(ada, bob)
    etag = (await ada.get(f"/v1/games/{game}/view")).headers["etag"]
    assert (await finish(bob, game, if_match=etag)).status_code == 200
    refused = await finish(ada, game, if_match=etag)
    members = problem(refused, 412, "version_mismatch")
    now = await ada.get(f"/v1/games/{game}/view")
    assert members["game_version"] == now.json()["version"]
    assert f'"{members["etag"]}"' == now.headers["etag"] == refused.headers["etag"]
    assert [entry["actor"] for entry in members["missed"]] == ["seat:1"]
    assert members["missed"][0]["at"].endswith("Z")
    problem(await finish(ada, game, if_match="7"), 400)
    problem(await finish(ada, game, if_match='W/"7-0123456789abcdef"'), 400)
    problem(await finish(ada, game, if_match='"7-0123456789abcdef", "8-0123456789abcdef"'), 400)
    unknown = problem(await finish(ada, game, if_match='"5-0123456789abcdef"'), 412)
    assert unknown["missed"] == []
    assert (await finish(ada, game, if_match="*")).status_code == 200


async def test_checking_leaves_no_trace(pair: tuple[Person, Person]) -> None:
    ada, _ = pair
    game = await started(*pair)
    before = await ada.get(f"/v1/games/{game}/view")
    checked = await ada.post(f"/v1/games/{game}/commands:check", {"type": "buy_extra_card"})
    assert checked.status_code == 200, checked.text
    assert checked.json()["seat"] == 0
    after = await ada.get(f"/v1/games/{game}/view")
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])


async def test_views_are_of_a_version_and_of_eyes(pair: tuple[Person, Person], client: AsyncClient) -> None:
    ada, bob = pair
    game = await started(ada, bob)
    then = (await ada.get(f"/v1/games/{game}/view")).json()
    await finish(bob, game)
    assert (await ada.get(f"/v1/games/{game}/view?at={then['version']}")).json() == then
    assert (await ada.get(f"/v1/games/{game}/view")).headers["vary"] == "Authorization"
    assert (await ada.get(f"/v1/games/{game}/view")).json()["version"] == then["version"] + 1
    spectator = (await client.get(f"/v1/games/{game}/view")).json()
    assert spectator["viewer"] is None
    assert (await ada.get(f"/v1/games/{game}/view?as=spectator")).json() == spectator
    assert (await bob.get(f"/v1/games/{game}/view?as=seat:1")).json()["viewer"] == 1
    for eyes in ("seat:1", "auditor"):
        problem(await ada.get(f"/v1/games/{game}/view?as={eyes}"), 403)
        problem(await client.get(f"/v1/games/{game}/view?as={eyes}"), 403)
    for query in ("as=me", "as=seat:01", "as=seat:-1", "at=0", "at=-1", "at=x", "at=99999999999999999999", "at="):
        problem(await ada.get(f"/v1/games/{game}/view?{query}"), 400)
    problem(await ada.get(f"/v1/games/{game}/view?at=999"), 404)


async def test_the_log_comes_in_pages_and_in_lines(pair: tuple[Person, Person], client: AsyncClient) -> None:
    game = await started(*pair)
    first = await client.get(f"/v1/games/{game}/log?limit=3")
    page = first.json()
    assert [entry["seq"] for entry in page["entries"]] == [1, 2, 3]
    assert first.headers["link"] == f'<{page["next"]}>; rel="next"'
    rest = (await client.get(page["next"])).json()
    assert [entry["seq"] for entry in rest["entries"]] == list(range(4, page["version"] + 1))
    assert rest["next"] is None
    lines = await client.get(f"/v1/games/{game}/log", headers={"accept": "application/x-ndjson"})
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    entries = [msgspec.json.decode(line) for line in lines.content.splitlines()]
    assert entries == page["entries"] + rest["entries"]
    for line in lines.content.splitlines():
        entry = msgspec.json.decode(line, type=RawBody)
        assert entry_hash(bytes(entry.body)) == entry.hash
    problem(await client.get(f"/v1/games/{game}/log", headers={"accept": "image/png"}), 406, "not_acceptable")
    assert (await client.get(f"/v1/games/{game}/log?after=9000")).json()["entries"] == []


class RawBody(msgspec.Struct):
    hash: str
    body: msgspec.Raw


async def test_an_export_is_digested_and_the_viewers_own(pair: tuple[Person, Person], client: AsyncClient) -> None:
    ada, _ = pair
    game = await started(*pair)
    file = await ada.get(f"/v1/games/{game}/export")
    assert file.headers["repr-digest"] == f"sha-256=:{b64encode(sha256(file.content).digest()).decode()}:"
    assert file.headers["content-disposition"] == f'attachment; filename="{game}-seat-0.jsonl"'
    assert msgspec.json.decode(file.content.splitlines()[0])["viewer"] == "seat:0"
    seen = await client.get(f"/v1/games/{game}/export", headers={"if-none-match": file.headers["etag"]})
    assert seen.status_code == 304


async def test_no_answer_tells_what_its_reader_may_not_know(pair: tuple[Person, Person], client: AsyncClient) -> None:
    """Every address, and errors, as the other seat and as nobody: no disclosure of the first seat's is in them."""
    ada, bob = pair
    game = await started(ada, bob)
    below = random.Random(7).randrange
    answers = [answer for _ in range(20) if (answer := await move(game, below, ada, bob)) is not None]
    assert all(answer.status_code == 200 for answer in answers), [answer.text for answer in answers]
    of_both: list[set[str]] = []
    for person in (ada, bob):
        log = (await person.get(f"/v1/games/{game}/log?limit=200")).json()["entries"]
        of_both.append({text for entry in log for text in entry["disclosures"]})
    secret = of_both[0] - of_both[1]
    assert secret
    etag = f'"2-{"0" * 16}"'
    told = [await bob.get(f"/v1/games/{game}{part}") for part in ("", "/view", "/options", "/log", "/export", "/head")]
    told += [await client.get(f"/v1/games/{game}{part}") for part in ("", "/view", "/log", "/export", "/head")]
    told += [await finish(bob, game, if_match=etag), await bob.post(f"/v1/games/{game}/commands:check", {"type": "x"})]
    told += [answer for answer in answers if answer.json()["actor"] == "seat:1"]
    for answer in told:
        for disclosure in secret:
            assert disclosure not in answer.text


async def test_the_end_opens_everything(pair: tuple[Person, Person], client: AsyncClient, admin: Person) -> None:
    ada, bob = pair
    game = await started(ada, bob)
    problem(await admin.get(f"/v1/games/{game}/view?as=auditor"), 403)
    problem(await admin.get(f"/v1/games/{game}/view?as=seat:0"), 403)
    assert (await ada.post(f"/v1/games/{game}/resign")).status_code == 200
    header = (await client.get(f"/v1/games/{game}")).json()
    assert header["status"] == "finished"
    assert header["result"]["winners"] == [1]
    problem(await ada.post(f"/v1/games/{game}/resign"), 409, "game_over")
    assert (await admin.get(f"/v1/games/{game}/export?as=auditor")).status_code == 200
    everything = (await ada.get(f"/v1/games/{game}/log?as=seat:0&limit=200")).json()["entries"]
    for_all = (await client.get(f"/v1/games/{game}/log?limit=200")).json()["entries"]
    assert [entry["disclosures"] for entry in for_all] == [entry["disclosures"] for entry in everything]


@pytest.mark.parametrize("ruleset", list(rulesets()))
async def test_every_game_can_be_played_from_what_the_answers_say(
    meet: Meet, client: AsyncClient, ruleset: str
) -> None:
    """Options are sent back as they came; every view is of the shape that the ruleset publishes."""
    people = [await meet(name) for name in ("ada", "bob", "cy")]
    published = (await client.get(f"/v1/rulesets/{ruleset}")).json()
    shape = Draft202012Validator(published["view"])
    commands = {word["type"]: Draft202012Validator(word["json_schema"]) for word in published["commands"]}
    game = await started(*people, ruleset=ruleset)
    below = random.Random(3).randrange
    for _ in range(40):
        answer = await move(game, below, *people)
        if answer is None:
            break
        assert answer.status_code == 200, answer.text
        sent = msgspec.json.decode(answer.request.content)
        assert commands[sent["type"]].is_valid(sent)
        for reader in (people[0], people[1]):
            assert shape.is_valid((await reader.get(f"/v1/games/{game}/view")).json())
        assert shape.is_valid((await client.get(f"/v1/games/{game}/view")).json())
