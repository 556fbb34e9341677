"""The words of a ruleset as JSON Schema: what clients send and what they read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from events.words import Answer
from projections.view import GameView
from rules.ruleset import Ruleset
from service.handling.words import players_words

REF: Final = "#/components/schemas/{name}"
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def words_of(union: Any) -> tuple[type[Struct], ...]:
    """The members of a union of words, or the one word it is."""
    found: tuple[type[Struct], ...] = get_args(union) or (union,)
    return found


def commands_of(ruleset: Ruleset) -> tuple[type[Struct], ...]:
    """The commands that players of this ruleset send to `commands`."""
    return words_of(players_words(ruleset))


def about(kind: type[Any]) -> str:
    """What the docstring says of a word."""
    return " ".join((kind.__doc__ or "").split())


def tag_of(kind: type[Struct]) -> str:
    """The `type` of a word in JSON."""
    bare: type[Struct] = get_origin(kind) or kind
    return str(bare.__struct_config__.tag)


def view_of(ruleset: Ruleset) -> Any:
    """The type of a whole view in this ruleset."""
    return GameView[get_type_hints(ruleset.view)["return"]]  # type: ignore[misc]


@cache
def schemas(ruleset: Ruleset) -> Mapping[str, Any]:
    """`(schema, components)` for the view, the options, each command and each event of a ruleset, by their roots.

    Names are as short as msgspec makes them; whoever puts several rulesets into one document prefixes them.
    """
    roots = [view_of(ruleset), ruleset.options, *commands_of(ruleset), *words_of(ruleset.projection.events)]
    made, components = shapes(roots)
    bare = {name: without_key(schema) for name, schema in components.items()}
    return {"roots": dict(zip(roots, made, strict=True)), "components": bare}


def shapes(kinds: Sequence[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """Each type's schema, and the components they refer to. Descriptions are docstrings without the indentation of the
    source, which Python keeps before 3.13 and msgspec passes on.
    """
    made, components = msgspec.json.schema_components(kinds, ref_template=REF)
    for schema in components.values():
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
    return made, components


def without_key(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A command's schema without `id`: the envelope sets it, from `Idempotency-Key`."""
    if "type" not in schema.get("properties", {}) or "schema" in schema["properties"]:
        return dict(schema)
    return {**schema, "properties": {name: s for name, s in schema["properties"].items() if name != "id"}}


def schema_of(ruleset: Ruleset, kind: Any) -> dict[str, Any]:
    """One word's JSON Schema, complete in itself."""
    found = schemas(ruleset)
    defs: dict[str, Any] = {}
    root = _pull(found["roots"][kind], found["components"], defs)
    return {"$schema": _DIALECT, **root, **({"$defs": defs} if defs else {})}


def _pull(schema: Any, components: Mapping[str, Any], defs: dict[str, Any]) -> Any:
    """The schema with its references pointing into `defs`, which is filled with what they point to."""
    if isinstance(schema, list):
        return [_pull(one, components, defs) for one in schema]
    if not isinstance(schema, dict):
        return schema
    pulled: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "$ref":
            name = value.rsplit("/", 1)[-1]
            if name not in defs:
                defs[name] = {}
                defs[name] = _pull(components[name], components, defs)
            pulled[key] = f"#/$defs/{name}"
        elif key == "mapping":
            pulled[key] = {tag: f"#/$defs/{ref.rsplit('/', 1)[-1]}" for tag, ref in value.items()}
        else:
            pulled[key] = _pull(value, components, defs)
    return pulled


def answers(kind: type[Struct]) -> bool:
    """Whether the command answers the open question, so that `decision_id` guards it."""
    return issubclass(kind, Answer)


def references(schema: Any) -> Iterator[str]:
    """The names of the components that a schema refers to."""
    if isinstance(schema, list):
        for one in schema:
            yield from references(one)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value.rsplit("/", 1)[-1]
            else:
                yield from references(value)
