"""The schemas of the OpenAPI document: those of the routes' own shapes, and those of the rulesets' words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rules.catalogue import rulesets
from rules.ruleset import Ruleset
from service.http.problems import ProblemDetails
from service.http.words import REF, commands_of, references, schemas, shapes, tag_of, view_of

COMMAND: Final = "Command"
VIEW: Final = "View"


def own_shapes(kinds: Iterable[Any]) -> tuple[dict[Any, dict[str, Any]], dict[str, Any]]:
    """Each type's schema, and the components they refer to. They come from msgspec, which also decodes by them."""
    wanted = list(dict.fromkeys([*kinds, ProblemDetails]))
    made, components = shapes(wanted)
    return dict(zip(wanted, made, strict=True)), components


def words_of_all() -> dict[str, Any]:
    """`Command` and `View`: any ruleset's, in the ruleset's own shapes, under the ruleset's own prefix."""
    found: dict[str, Any] = {}
    commands: list[dict[str, str]] = []
    views: list[dict[str, str]] = []
    for ruleset in rulesets().values():
        components, (*ours, view) = _words(ruleset)
        name = _prefix(ruleset) + COMMAND
        tags = map(tag_of, commands_of(ruleset))
        found |= components
        found[name] = {
            "title": name,
            "description": f"A command of {ruleset.title}.",
            "anyOf": ours,
            "discriminator": {
                "propertyName": "type",
                "mapping": {tag: reference["$ref"] for tag, reference in zip(tags, ours, strict=True)},
            },
        }
        commands.append({"$ref": REF.format(name=name)})
        views.append(view)
    says = "A command of the game's ruleset, as `options` offers it."
    found[COMMAND] = {"title": COMMAND, "description": says, "anyOf": commands}
    says = "The state of a game for one viewer, in its ruleset's shape."
    found[VIEW] = {"title": VIEW, "description": says, "anyOf": views}
    return found


def _words(ruleset: Ruleset) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """The components of a ruleset's commands and view; references to the commands, and last to the view."""
    found = schemas(ruleset)
    prefix = _prefix(ruleset)
    kinds = [*commands_of(ruleset), view_of(ruleset)]
    roots = [str(found["roots"][kind]["$ref"]).rsplit("/", 1)[-1] for kind in kinds]
    components = {
        _named(prefix, name): _renamed(found["components"][name], prefix)
        for name in closure(roots, found["components"])
    }
    return components, [{"$ref": REF.format(name=_named(prefix, name))} for name in roots]


def _prefix(ruleset: Ruleset) -> str:
    return "".join(part.title() for part in ruleset.name.split("-"))


def closure(names: Iterable[str], components: Mapping[str, Any]) -> list[str]:
    """The names and all that they refer to."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += references(components[name])
    return sorted(found)


def _named(prefix: str, name: str) -> str:
    """`GameView_BoardView_` of a ruleset as `OilAndGasGameView`, if that is the ruleset's name."""
    return prefix + name.split("_", 1)[0]


def _renamed(schema: Any, prefix: str) -> Any:
    if isinstance(schema, list):
        return [_renamed(one, prefix) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _renamed_member(key, value, prefix) for key, value in schema.items()}


def _renamed_member(key: str, value: Any, prefix: str) -> Any:
    if key == "$ref":
        return REF.format(name=_named(prefix, value.rsplit("/", 1)[-1]))
    if key == "mapping":
        return {tag: _renamed_member("$ref", reference, prefix) for tag, reference in value.items()}
    if key == "title" and isinstance(value, str):
        return value.split("[", 1)[0]
    return _renamed(value, prefix)
