"""The OpenAPI 3.1 document: paths from the routes, schemas from the very types that decode and encode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.handlers.http_handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, SecurityScheme, Server, Tag

from service.http.components import COMMAND, VIEW, own_shapes, words_of_all
from service.http.deprecation import mark_of
from service.http.done import Done
from service.http.examples import answer_of, example_of
from service.http.identity import ASKER
from service.http.routes import ROUTES
from service.http.words import REF

DESCRIPTION: Final = """
Three oil-industry games over HTTP. Every accepted move is one entry in the game's append-only log; the state is what
follows from the log. Chance is committed before play and can be checked afterwards, by anybody.

Errors are `application/problem+json` on every path: `type` names a page, `code` is one stable word, and a refused move
names the `rule` that refuses it. Unknown members and unknown query parameters are refused. The same `Idempotency-Key`
with the same request gives the first answer again. `ETag` names a game's version, `If-Match` holds a command to it.
"""

TAGS: Final = [
    Tag("rulesets", "Which games are on offer, and everything a client must know to play them."),
    Tag("accounts", "Who you are, and the tokens that say so."),
    Tag("games", "Make a table, find one, sit down."),
    Tag("play", "See the state, ask what may be done, do it."),
    Tag("log", "What happened, and the proof that it did."),
    Tag("feed", "What concerns you, over all games."),
    Tag("results", "How games ended."),
    Tag("disputes", "When something is wrong: say so, look into it, settle it."),
    Tag("branches", "What if? Copies of games to play on with, apart from the games themselves."),
    Tag("operations", "For operators and auditors."),
]

_BODIES: Final = {"submit_command": COMMAND, "check_command": COMMAND, "play_branch": COMMAND}
_ANSWERS: Final = {"get_view": VIEW, "view_branch": VIEW}
_STREAMS: Final = {
    "get_log": {
        "application/x-ndjson": 'An `EntryShown` a line. With `follow=true` also `{"view": View}` first if asked for '
        'by `state`, empty lines while nothing happens, and `{"end": End}` last.',
        "text/event-stream": "Events `entry` (an `EntryShown`, `id` its seq), `view` (a `View`, `id` its version) and "
        "`end` (an `End`); comments while nothing happens. Schemas: `/asyncapi.json`.",
    },
    "get_feed": {
        "application/x-ndjson": "With `follow=true`: a `NewsShown` a line, empty lines while nothing happens, and "
        '`{"end": End}` last.',
        "text/event-stream": "Events `news` (a `NewsShown`, `id` its position) and `end` (an `End`); comments while "
        "nothing happens.",
    },
}
"""What a stream is made of. `openapi/asyncapi.json` has the schemas."""

_HEADERS: Final = {
    "create_game": {"Location": "The game's address."},
    "list_games": {"Link": "The addresses of the next and the previous page."},
    "list_results": {"Link": "The addresses of the next and the previous page."},
    "get_log": {"Link": "The address of the entries that follow."},
    "get_feed": {"Link": "The address of the news that follow."},
    "export_log": {"Repr-Digest": "The SHA-256 of the file (RFC 9530)."},
}
_GOING: Final = {
    "Deprecation": {"description": "From when on this holds (RFC 9745).", "schema": {"type": "string"}},
    "Sunset": {"description": "From when on it may be gone (RFC 8594).", "schema": {"type": "string"}},
}
_DROPPED: Final = ("deprecated", "allowEmptyValue", "allowReserved")


@cache
def openapi_document() -> dict[str, Any]:
    """The document, as it stands in `openapi/openapi.json`."""
    return document_of(ROUTES)


def document_of(routes: Sequence[HTTPRouteHandler]) -> dict[str, Any]:
    """The document of these routes."""
    made = _paths_by_litestar(routes)
    named = {route.operation_id: route for route in routes}
    shapes, components = own_shapes([kind for route in routes for kind in _kinds(route)])
    for operation in _operations(made):
        _describe(operation, named[operation["operationId"]], shapes)
    made["paths"] = dict(sorted(made["paths"].items()))
    schemas = tidy(dict(sorted({**components, **words_of_all()}.items())))
    # Defaults are tuples in Python, and lists in JSON.
    made["components"]["schemas"] = msgspec.json.decode(msgspec.json.encode(schemas))
    return made


def tidy(value: Any) -> Any:
    """Descriptions come from docstrings: their line breaks mean nothing."""
    if isinstance(value, list):
        return [tidy(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: " ".join(found.split()) if key == "description" and isinstance(found, str) else tidy(found)
        for key, found in value.items()
    }


def _paths_by_litestar(routes: Sequence[HTTPRouteHandler]) -> dict[str, Any]:
    config = OpenAPIConfig(
        title="Gusher",
        version=version("gusher"),
        description=DESCRIPTION.strip(),
        license=License("MIT", identifier="MIT"),
        servers=[Server("/", "This server")],
        tags=TAGS,
        use_handler_docstrings=True,
        components=Components(
            security_schemes={
                "bearer": SecurityScheme(
                    type="http", scheme="bearer", description="A token: `gsh_…`, shown once when it is made."
                )
            }
        ),
    )
    app = Litestar(list(routes), dependencies={"caller": ASKER}, openapi_config=config, logging_config=None)
    made: dict[str, Any] = msgspec.to_builtins(app.openapi_schema.to_schema(), str_keys=True)
    return made


def _operations(made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for item in made["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "operationId" in operation:
                yield operation


def _kinds(route: HTTPRouteHandler) -> Iterator[Any]:
    """The types that a route reads and answers."""
    body, answer = _body(route), _answer(route)
    if body is not None and route.operation_id not in _BODIES:
        yield body
    if answer is not None and route.operation_id not in _ANSWERS:
        yield answer


def _body(route: HTTPRouteHandler) -> Any:
    field = route.parsed_fn_signature.parameters.get("data")
    return None if field is None else field.annotation


def _answer(route: HTTPRouteHandler) -> Any:
    inner = route.parsed_fn_signature.return_type.inner_types
    return inner[0].annotation if inner else None


def _describe(operation: dict[str, Any], route: HTTPRouteHandler, shapes: dict[Any, dict[str, Any]]) -> None:
    name = operation["operationId"]
    operation.pop("deprecated", None)
    operation.setdefault("security", [])
    operation["description"] = " ".join(operation.get("description", "").split())
    for parameter in operation.get("parameters", []):
        parameter["schema"] = _without_null(parameter["schema"])
        for member in _DROPPED:
            parameter.pop(member, None)
    if "requestBody" in operation:
        schema = {"$ref": REF.format(name=_BODIES[name])} if name in _BODIES else shapes[_body(route)]
        examples = {"plain": {"value": example_of(name)}}
        operation["requestBody"]["content"] = {"application/json": {"schema": schema, "examples": examples}}
    answer = operation["responses"][str(route.status_code)]
    if "content" in answer and "application/json" in answer["content"]:
        schema = {"$ref": REF.format(name=_ANSWERS[name])} if name in _ANSWERS else shapes[_answer(route)]
        answer["content"] = {"application/json": {"schema": schema}}
    shown = answer_of(name)
    if shown is not None:
        next(iter(answer["content"].values()))["examples"] = {"real": {"value": shown}}
    for kind, says in _STREAMS.get(name, {}).items():
        answer["content"][kind] = {"schema": {"type": "string", "description": says}}
    answer["description"] = "Done." if answer.get("description", "").startswith("Document created") else "So it is."
    answer["headers"] = _headers(operation, route)
    _mark(operation, route)
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _mark(operation: dict[str, Any], route: HTTPRouteHandler) -> None:
    """What an operation that is to go says of itself."""
    mark = mark_of(route.opt)
    if mark is not None:
        operation["deprecated"] = True
        operation["description"] += f" Deprecated since {mark.since}, to go on {mark.until}: use `{mark.instead}`."
        for response in operation["responses"].values():
            response["headers"] = {**response.get("headers", {}), **_GOING}


def _headers(operation: dict[str, Any], route: HTTPRouteHandler) -> dict[str, Any]:
    told = dict(_HEADERS.get(operation["operationId"], {}))
    if "304" in operation["responses"] or _answer(route) is Done:
        told["ETag"] = "The version of the game."
    return {header: {"description": says, "schema": {"type": "string"}} for header, says in sorted(told.items())}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is there or not, but never null; and limits of whole numbers are whole."""
    made = dict(schema)
    kinds = [one for one in made.pop("oneOf", []) if one != {"type": "null"}]
    if kinds:
        made = {**kinds[0], **made}
    if isinstance(made.get("type"), list):
        made["type"] = next(kind for kind in made["type"] if kind != "null")
    if "enum" in made:
        made["enum"] = [value for value in made["enum"] if value is not None]
    return {key: int(value) if isinstance(value, float) else value for key, value in made.items()}
