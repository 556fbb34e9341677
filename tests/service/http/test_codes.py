"""Each type of problem has a page that explains its codes; none is forgotten."""

import ast
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from httpx import AsyncClient

import service
from service.http.codes import CODES
from service.http.kinds import KINDS, REFUSED


async def test_each_page_tells_its_codes_and_shows_an_example(client: AsyncClient) -> None:
    for kind, found in KINDS.items():
        page = (await client.get(f"/problems/{kind}")).text
        for code in CODES.get(kind, {}):
            assert f"<code>{code}</code>" in page
        (shown,) = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
        example = json.loads(unescape(shown))
        assert example["type"] == f"/problems/{kind}"
        assert example["title"] == found.title
        assert kind == REFUSED or example["code"] in CODES[kind]


def test_every_code_that_is_given_is_explained() -> None:
    """The codes as they stand in the service's sources, so that a new one is not forgotten."""
    given: dict[str, set[str]] = {kind: set() for kind in CODES}
    for file in Path(service.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(call, ast.Call):
                for kind, code in codes_in(call):
                    given[kind].add(code)
    explained = {(kind, code) for kind, codes in CODES.items() for code in codes}
    assert {(kind, code) for kind, codes in given.items() for code in codes} | ELSEWHERE == explained


def codes_in(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Type and code of the problem that a call makes, if it makes one."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    words = [word.value for word in call.args if isinstance(word, ast.Constant) and isinstance(word.value, str)]
    named = {word.arg: getattr(word.value, "value", None) for word in call.keywords}
    if name == "malformed":
        yield "malformed", "malformed"
    elif name == "bad_parameter" and words:
        yield "malformed", f"{words[0]}_parameter"
    elif name == "too_many":
        yield "too_many_requests", words[0]
    elif name == "Problem" and words and words[0] in CODES:
        code = named.get("code", words[0])
        if code is not None:
            yield words[0], code
    elif name in _FAILURES and words:
        yield _FAILURES[name], words[0]


ELSEWHERE = {
    ("method_not_allowed", "method_not_allowed"),
    ("body_too_large", "body_too_large"),
    ("unprocessable", "idempotency_mismatch"),
}
"""What the framework refuses, and what has no word of its own in the call."""

_FAILURES = {
    "Malformed": "malformed",
    "Unauthenticated": "unauthenticated",
    "Forbidden": "forbidden",
    "NotFound": "not_found",
    "Conflict": "conflict",
    "Damaged": "internal",
    "Unavailable": "unavailable",
}
