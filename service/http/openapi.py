"""The OpenAPI 3.1 document, made from the routes and from the rulesets' own words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, SecurityScheme, Server, Tag

from rules.catalogue import rulesets
from service.http.identity import ASKER
from service.http.words import commands_of, references, schemas, view_of

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
    Tag("operations", "For operators and auditors."),
]

_COMMANDS: Final = ("submit_command", "check_command")
_VIEWS: Final = ("get_view",)


@cache
def document() -> dict[str, Any]:
    """The document, as it stands in `openapi/openapi.json`."""
    from service.http.site import ROUTES  # noqa: PLC0415 - the site serves this document

    described = Litestar(
        ROUTES,
        dependencies={"caller": ASKER},
        openapi_config=OpenAPIConfig(
            title="Gusher",
            version=version("gusher"),
            description=DESCRIPTION.strip(),
            license=License("MIT", identifier="MIT"),
            servers=[Server("/", "This server")],
            tags=TAGS,
            components=Components(
                security_schemes={
                    "bearer": SecurityScheme(
                        type="http", scheme="bearer", description="A token: `gsh_…`, shown once when it is made."
                    )
                }
            ),
        ),
    )
    made: dict[str, Any] = msgspec.to_builtins(described.openapi_schema.to_schema(), str_keys=True)
    _add_words(made)
    return _in_order(made)


def _add_words(made: dict[str, Any]) -> None:
    """Commands and views in the rulesets' own shapes, where the routes only know that they are objects."""
    components = made["components"]["schemas"]
    commands, views = [], []
    for ruleset in rulesets().values():
        found = schemas(ruleset)
        prefix = "".join(part.title() for part in ruleset.name.split("-"))
        wanted = [_rooted(found["roots"][kind]) for kind in commands_of(ruleset)]
        view = _rooted(found["roots"][view_of(ruleset)])
        for name in _closure([*wanted, view], found["components"]):
            components[_named(prefix, name)] = _renamed(found["components"][name], prefix)
        commands += [{"$ref": f"#/components/schemas/{_named(prefix, name)}"} for name in wanted]
        views.append({"$ref": f"#/components/schemas/{_named(prefix, view)}"})
    components["Command"] = {
        "description": "A command of the game's ruleset, as `options` offers it.",
        "anyOf": commands,
    }
    components["View"] = {"description": "The state of a game for one viewer.", "anyOf": views}
    _refer(made, _COMMANDS, "requestBody", "Command")
    _refer(made, _VIEWS, "responses", "View")


def _refer(made: dict[str, Any], operations: tuple[str, ...], part: str, component: str) -> None:
    for item in made["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and operation.get("operationId") in operations:
                place = operation[part] if part == "requestBody" else operation[part]["200"]
                place["content"]["application/json"]["schema"] = {"$ref": f"#/components/schemas/{component}"}


def _rooted(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[-1]


def _closure(names: list[str], components: Mapping[str, Any]) -> list[str]:
    """The names and all that they refer to."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += references(components[name])
    return sorted(found)


def _named(prefix: str, name: str) -> str:
    """`GameView_BoardView_` of a ruleset as `OilAndGasGameView`."""
    return prefix + name.split("_", 1)[0]


def _renamed(schema: Any, prefix: str) -> Any:
    if isinstance(schema, list):
        return [_renamed(one, prefix) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: f"#/components/schemas/{_named(prefix, value.rsplit('/', 1)[-1])}"
        if key == "$ref"
        else {tag: f"#/components/schemas/{_named(prefix, ref.rsplit('/', 1)[-1])}" for tag, ref in value.items()}
        if key == "mapping"
        else _renamed(value, prefix)
        for key, value in schema.items()
    }


def _in_order(made: dict[str, Any]) -> dict[str, Any]:
    """Paths, components and statuses sorted, so that the committed file changes only where the API does."""
    made["paths"] = dict(sorted(made["paths"].items()))
    made["components"]["schemas"] = dict(sorted(made["components"]["schemas"].items()))
    return made
