"""The AsyncAPI 3.0 document: what the streams say, in schemas made from the very types that are encoded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from service.handling.streaming import End
from service.http.components import VIEW, closure, own_shapes, words_of_all
from service.http.entries import EntryShown
from service.http.openapi import openapi_document, tidy
from service.http.streams import JSONL, NDJSON, SSE, NewsShown
from service.http.words import REF, references

DESCRIPTION: Final = """
What the streams of Gusher say. Each address is an operation of the OpenAPI document as well, asked for with
`Accept: text/event-stream`, or with `follow=true` for a JSON value a line. As server-sent events a message's name is
its `event`, the payload its `data`, and `id` the place to go on from. As lines, `entry` and `news` are the payload
itself; the others are an object whose only member has the message's name. A comment, or an empty line, comes at least
every 15 seconds while nothing happens. A stream may break off without an `end`: go on from the last place that came.
Docs: /docs/guide/streams.
"""

_BEARER_IS: Final = "A token: `gsh_…`. The log of a public game needs none."
_HTTP_BINDING: Final = "0.3.0"
_MESSAGES: Final[dict[str, tuple[str, Any, str]]] = {
    "entry": ("An entry of the game's log, as the reader may see it.", EntryShown, "Its seq."),
    "view": ("The state that the following entries start from, where it was asked for.", VIEW, "Its version."),
    "news": ("An entry of any game that concerns the reader.", NewsShown, "Its position."),
    "end": ("The last message: why the stream ends, and from where another one goes on.", End, ""),
}
"""What each one is, the type of its payload, and what its `id` is, if it has one."""

_CHANNELS: Final = {
    "log": ("get_log", "One game, entry by entry, until it has ended.", ("view", "entry", "end")),
    "feed": ("get_feed", "Everything that concerns the caller, for ever.", ("news", "end")),
}
"""The operation of the OpenAPI document that each one is, and what it says."""

_OF_PAGES: Final = frozenset({"limit", "wait", "If-None-Match"})
"""Parameters that a stream refuses, or has no use for."""


@cache
def asyncapi_document() -> dict[str, Any]:
    """The document, as it stands in `openapi/asyncapi.json`."""
    kinds = [kind for _, kind, _ in _MESSAGES.values() if kind != VIEW]
    shapes, own = own_shapes(kinds)
    components = {**own, **words_of_all()}
    payloads = {
        name: {"$ref": REF.format(name=VIEW)} if kind == VIEW else shapes[kind]
        for name, (_, kind, _) in _MESSAGES.items()
    }
    described = openapi_document()
    channels = {name: _channel(name, described) for name in _CHANNELS}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Gusher", "version": version("gusher"), "description": " ".join(DESCRIPTION.split())},
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": {f"follow_{name}": _operation(name, described) for name in _CHANNELS},
        "components": {
            "messages": {name: _message(name, payloads[name]) for name in _MESSAGES},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": _BEARER_IS}},
            "schemas": tidy({name: components[name] for name in closure(references(payloads), components)}),
        },
    }


def _channel(name: str, described: Mapping[str, Any]) -> dict[str, Any]:
    operation, description, messages = _CHANNELS[name]
    path, asked = _operation_of(operation, described)
    found: dict[str, Any] = {
        "address": path,
        "description": description,
        "messages": {one: {"$ref": f"#/components/messages/{one}"} for one in messages},
        "x-media-types": [SSE, NDJSON, JSONL],
    }
    places = {one["name"]: {"description": one["description"]} for one in asked["parameters"] if one["in"] == "path"}
    return {**found, "parameters": places} if places else found


def _operation(name: str, described: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked: a GET with the parameters and the headers that the OpenAPI document has for it."""
    _, asked = _operation_of(_CHANNELS[name][0], described)
    return {
        "action": "receive",
        "channel": {"$ref": f"#/channels/{name}"},
        "title": asked["summary"],
        "description": asked["description"],
        "security": [{"$ref": "#/components/securitySchemes/bearer"}],
        "bindings": {
            "http": {"method": "GET", "query": _asked(asked, "query"), "bindingVersion": _HTTP_BINDING},
        },
        "x-request-headers": _asked(asked, "header"),
        "x-problems": {status: one["description"] for status, one in asked["responses"].items() if status >= "400"},
    }


def _operation_of(name: str, described: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """An operation of the OpenAPI document by its id, and its path."""
    return next(
        (path, operation)
        for path, item in described["paths"].items()
        for operation in item.values()
        if operation.get("operationId") == name
    )


def _asked(operation: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The parameters of a stream in one place, as the schema of an object."""
    properties = {
        one["name"]: {**one["schema"], "description": one["description"]}
        for one in operation["parameters"]
        if one["in"] == place and one["name"] not in _OF_PAGES
    }
    return {"type": "object", "properties": properties}


def _message(name: str, payload: dict[str, Any]) -> dict[str, Any]:
    """As a server-sent event its `event` and `id` are told as headers."""
    summary, _, place = _MESSAGES[name]
    headers: dict[str, Any] = {"event": {"const": name}}
    if place:
        headers["id"] = {"type": "integer", "minimum": 0, "description": place}
    return {
        "name": name,
        "summary": summary,
        "headers": {"type": "object", "properties": headers, "required": list(headers)},
        "payload": payload,
    }
