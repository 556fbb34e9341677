"""Recorded API traffic: what random clients asked, good and careless, and what they were told.

A line is a request and what its answer must still have: the status, the problem's type, code and rule, the headers, and
every member, by its path. Ids, tokens and versions that an answer gave stand in later requests as `{{game1}}`.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from httpx import Client, Response
from jsonschema_rs import Draft202012Validator
from msgspec import Struct, field

from service.http.openapi import openapi_document

FOLDER: Final = Path(__file__).parent / "traffic"
ADMIN: Final = "admin"
"""The symbol of the administrator's token, which whoever replays brings along."""

TOLD: Final = ("allow", "content-type", "etag", "link", "location", "repr-digest", "vary", "www-authenticate")
"""Headers that an answer must still have."""

_CAPTURED: Final = frozenset({"game", "token", "token_id", "account", "invitation", "code", "branch", "etag"})
_SYMBOL: Final = re.compile(r"\{\{(\w+)\}\}")


class Asked(Struct, frozen=True, omit_defaults=True):
    """A request. `body` is JSON, `raw` is text that may be none."""

    operation: str
    method: str
    path: str
    headers: dict[str, str] = {}
    body: Any = None
    raw: str | None = None


class Line(Struct, frozen=True, omit_defaults=True):
    """A request and its answer. `learn` names what later requests need: from the member at a path to its symbol."""

    asked: Asked
    status: int
    problem: tuple[str, str, str] | None = None
    headers: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    learn: dict[str, str] = field(default_factory=dict)


def corpus(name: str) -> Path:
    """Where the traffic of a ruleset is kept."""
    return FOLDER / f"{name}.jsonl.gz"


def read(path: Path) -> list[Line]:
    """The lines of a corpus."""
    return [msgspec.json.decode(line, type=Line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def write(path: Path, lines: list[Line]) -> None:
    """Keep a corpus; the same lines are the same bytes."""
    path.parent.mkdir(exist_ok=True)
    content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    path.write_bytes(gzip.compress(content, mtime=0))


class Symbols:
    """What symbols stand for, in one run."""

    def __init__(self, admin: str) -> None:
        self._values = {ADMIN: admin}
        self._names = {admin: ADMIN}
        self._made: dict[str, int] = {}

    def name(self, kind: str, value: str) -> str | None:
        """A new symbol for the value; None where it has one."""
        if value in self._names:
            return None
        self._made[kind] = self._made.get(kind, 0) + 1
        symbol = f"{kind}{self._made[kind]}"
        self.learn(symbol, value)
        return symbol

    def learn(self, symbol: str, value: str) -> None:
        """From now on this stands for that."""
        self._values[symbol], self._names[value] = value, symbol

    def hide(self, asked: Asked) -> Asked:
        """The request with symbols for values."""
        text = msgspec.json.encode(asked).decode()
        for value, name in sorted(self._names.items(), key=lambda one: -len(one[0])):
            text = text.replace(json.dumps(value)[1:-1], f"{{{{{name}}}}}")
        return msgspec.json.decode(text, type=Asked)

    def fill(self, asked: Asked) -> Asked:
        """The request with values for symbols."""
        text = msgspec.json.encode(asked).decode()
        filled = _SYMBOL.sub(lambda found: json.dumps(self._values[found[1]])[1:-1], text)
        return msgspec.json.decode(filled, type=Asked)


def send(client: Client, asked: Asked) -> Response:
    """Ask it, with real values."""
    content = asked.raw
    headers = dict(asked.headers)
    if asked.body is not None:
        content = json.dumps(asked.body)
        headers.setdefault("content-type", "application/json")
    return client.request(asked.method, asked.path, headers=headers, content=content)


def line_of(asked: Asked, answer: Response, symbols: Symbols) -> Line:
    """What is kept of a request and its answer."""
    hidden = symbols.hide(asked)
    told = body_of(answer)
    named = ((path, symbols.name(kind, value)) for path, kind, value in _captured(told))
    learn = {path: symbol for path, symbol in named if symbol is not None}
    headers = tuple(name for name in TOLD if name in answer.headers)
    return Line(hidden, answer.status_code, problem_of(answer), headers, tuple(sorted(set(members(told)))), learn)


def body_of(answer: Response) -> Any:
    """The JSON of an answer; None where it is something else."""
    plain = answer.headers.get("content-type") in ("application/json", "application/problem+json")
    return answer.json() if plain and answer.content else None


def problem_of(answer: Response) -> tuple[str, str, str] | None:
    """Type, code and rule of a problem."""
    if answer.status_code < 400:
        return None
    told = answer.json()
    return told["type"], told["code"], told.get("rule", "")


def members(value: Any, path: str = "") -> Iterator[str]:
    """The paths of all members; items of a list are alike."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield f"{path}/{name}"
            yield from members(item, f"{path}/{name}")
    elif isinstance(value, list):
        for item in value:
            yield from members(item, f"{path}/*")


def _captured(value: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    if isinstance(value, dict) and not str(value.get("type", "")).startswith("/problems/"):
        for name, item in value.items():
            if name in _CAPTURED and isinstance(item, str):
                yield f"{path}/{name}", name, item
            yield from _captured(item, f"{path}/{name}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _captured(item, f"{path}/{index}")


def at(value: Any, path: str) -> Any:
    """The member at a path; None where there is none."""
    for step in path.split("/")[1:]:
        try:
            value = value[int(step)] if isinstance(value, list) else value[step]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return value


def differences(line: Line, answer: Response) -> Iterator[str]:
    """What an answer does not have any more, and where it is not as the document says."""
    if answer.status_code != line.status:
        yield f"status {line.status} is {answer.status_code}: {answer.text[:300]}"
        return
    if problem_of(answer) != line.problem:
        yield f"problem {line.problem} is {problem_of(answer)}"
    yield from (f"header {name} is gone" for name in line.headers if name not in answer.headers)
    told = body_of(answer)
    gone = set(line.members) - set(members(told))
    if gone:
        yield f"members are gone: {', '.join(sorted(gone)[:10])}"
    schema = _schema(line.asked.operation, answer.status_code, answer.headers.get("content-type", ""))
    if schema is not None and told is not None:
        yield from (f"not as described: {fault.message[:200]}" for fault in schema.iter_errors(told))


@cache
def _schema(operation: str, status: int, kind: str) -> Draft202012Validator | None:
    document = openapi_document()
    for item in document["paths"].values():
        for found in item.values():
            if found["operationId"] == operation:
                media = found["responses"].get(str(status), {}).get("content", {}).get(kind.partition(";")[0])
                return media and Draft202012Validator({**media["schema"], "components": document["components"]})
    return None
