"""What was recorded is asked again, over HTTP of the service as it is run: whoever relied on an answer still can."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from httpx import Client, Response
from msgspec.structs import replace

from rules.catalogue import rulesets
from service.embedded import Embedded
from tests.contract.record_traffic import serving
from tests.contract.traffic import Line, Symbols, at, body_of, corpus, differences, read, send
from tests.databases import a_database
from tests.service.http.answers import operations

BEYOND = {"get_feed", "list_results"}
"""What follows the log at its own pace: how much of it is there when it is asked for is nobody's promise."""


@pytest.fixture
def served(servers: Embedded, tmp_path: Path) -> Iterator[tuple[Client, str]]:
    """On a database of its own each time: what was asked before is a part of what is told."""
    assert servers.database_url is not None
    assert servers.redis_url is not None
    with (
        a_database(servers.database_url) as database_url,
        serving(database_url, servers.redis_url, tmp_path) as found,
    ):
        yield found


def replay(lines: list[Line], client: Client, admin: str) -> Iterator[str]:
    """What is different, by request."""
    symbols = Symbols(admin)
    for number, line in enumerate(lines, 1):
        asked = symbols.fill(line.asked)
        answer = send(client, asked)
        for path, symbol in line.learn.items():
            value = at(body_of(answer), path)
            if isinstance(value, str):
                symbols.learn(symbol, value)
        for difference in differences(_promised(line), answer):
            yield f"{number} {asked.operation}: {asked.method} {line.asked.path}: {difference}"


def _promised(line: Line) -> Line:
    """What an answer must still have."""
    if line.asked.operation not in BEYOND:
        return line
    return replace(line, members=(), headers=tuple(name for name in line.headers if name != "link"))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(rulesets()))
def test_recorded_traffic_is_answered_as_it_was(name: str, served: tuple[Client, str]) -> None:
    client, admin = served
    found = list(replay(read(corpus(name)), client, admin))
    assert not found, f"{len(found)} differences; if they are meant, `make traffic`:\n" + "\n".join(found[:20])


def test_the_traffic_is_of_every_operation_good_and_careless() -> None:
    for name in rulesets():
        lines = read(corpus(name))
        done = {line.asked.operation for line in lines if line.status < 400}
        assert done == set(operations()), name
        refused = {line.problem[1] for line in lines if line.problem is not None}
        assert {"unauthenticated", "malformed", "unknown_parameter", "missing_parameter", "version_mismatch"} <= refused
        assert sum(line.asked.operation == "submit_command" and line.status == 200 for line in lines) > 20


def test_no_token_is_in_the_traffic() -> None:
    for name in rulesets():
        text = msgspec.json.encode(read(corpus(name))).decode()
        assert text.count("gsh_") == text.count("gsh_wrong")


def an_answer(status: int, content: dict[str, object]) -> Response:
    kind = "application/json" if status < 400 else "application/problem+json"
    return Response(status, content=msgspec.json.encode(content), headers={"content-type": kind})


def test_whatever_is_gone_is_told() -> None:
    """The replay can fail: each way in which an answer can be less is a difference."""
    line = next(one for one in read(corpus("oil-and-gas")) if one.asked.operation == "is_live" and one.status == 200)
    assert not list(differences(line, an_answer(200, {"status": "live"})))
    assert not list(differences(line, an_answer(200, {"status": "live", "since": 3})))
    assert ["members are gone" in one for one in differences(line, an_answer(200, {}))] == [True, False]
    (told,) = differences(line, an_answer(200, {"status": 3}))
    assert told.startswith("not as described")
    (told,) = differences(line, an_answer(503, {"type": "x", "code": "y"}))
    assert told.startswith("status 200 is 503")
    (told,) = differences(replace(line, headers=("etag",)), an_answer(200, {"status": "live"}))
    assert told == "header etag is gone"
