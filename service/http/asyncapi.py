"""The AsyncAPI 3.0 document: what the streams say, in schemas made from the very types that are encoded."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any, Final

from service.handling.follow_log import End
from service.http.components import VIEW, closure, own_shapes, words_of_all
from service.http.entries import EntryShown
from service.http.openapi import tidy
from service.http.streams import NDJSON, SSE, NewsShown
from service.http.words import REF, references

DESCRIPTION: Final = """
What the streams of Gusher say. Each address is an operation of the OpenAPI document as well, asked for with
`Accept: text/event-stream`, or with `follow=true` for a JSON value a line. As server-sent events a message's name is
its `event` and the payload its `data`. As lines, `entry` and `news` are the payload itself; the others are an object
whose only member has the message's name. Comments, or empty lines, come while nothing happens.
"""

_GAME: Final = {"game": {"description": "The game's id, a UUID."}}
_BEARER: Final = {"$ref": "#/components/securitySchemes/bearer"}
_MESSAGES: Final[dict[str, tuple[str, Any]]] = {
    "entry": ("An entry of the game's log, as the reader may see it. `id` is its seq.", EntryShown),
    "view": ("The state that the following entries start from, where it was asked for. `id` is its version.", VIEW),
    "news": ("An entry of any game that concerns the reader. `id` is its position.", NewsShown),
    "end": ("The last message: why the stream ends, and from where another one goes on.", End),
}
_CHANNELS: Final = {
    "log": ("/v1/games/{game}/log", "One game, entry by entry, until it has ended.", ("view", "entry", "end")),
    "feed": ("/v1/feed", "Everything that concerns the caller, for ever.", ("news", "end")),
}


@cache
def asyncapi_document() -> dict[str, Any]:
    """The document, as it stands in `openapi/asyncapi.json`."""
    kinds = [kind for _, kind in _MESSAGES.values() if kind != VIEW]
    shapes, own = own_shapes(kinds)
    components = {**own, **words_of_all()}
    payloads = {
        name: {"$ref": REF.format(name=VIEW)} if kind == VIEW else shapes[kind] for name, (_, kind) in _MESSAGES.items()
    }
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Gusher", "version": version("gusher"), "description": " ".join(DESCRIPTION.split())},
        "defaultContentType": "application/json",
        "channels": {name: _channel(name) for name in _CHANNELS},
        "operations": {
            f"follow_{name}": {"action": "receive", "channel": {"$ref": f"#/channels/{name}"}, "security": [_BEARER]}
            for name in _CHANNELS
        },
        "components": {
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token: `gsh_…`. The log of a public game needs none.",
                }
            },
            "messages": {name: _message(name, payloads[name]) for name in _MESSAGES},
            "schemas": tidy({name: components[name] for name in closure(references(payloads), components)}),
        },
    }


def _channel(name: str) -> dict[str, Any]:
    address, description, messages = _CHANNELS[name]
    found: dict[str, Any] = {
        "address": address,
        "description": description,
        "messages": {one: {"$ref": f"#/components/messages/{one}"} for one in messages},
        "x-media-types": [SSE, NDJSON],
    }
    if "{game}" in address:
        found["parameters"] = _GAME
    return found


def _message(name: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "summary": _MESSAGES[name][0], "payload": payload}
