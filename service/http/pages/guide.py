"""The guide: the pages of `docs/guide`, and for each game a page of its commands, made of the types that decode."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from markdown_it import MarkdownIt

from rules.catalogue import rulesets
from rules.ruleset import Ruleset
from service.http.pages.reference import component, page
from service.http.words import commands_of, schema_of, tag_of

_PLACES: Final[tuple[Traversable, ...]] = (
    files("service.http") / "guide",
    Path(__file__).parents[3] / "docs" / "guide",
)
"""In an installed wheel, and in the repository."""

PAGES: Final = {
    "quick-start": "Quick start",
    "concepts": "Concepts",
    "api": "What holds for all operations",
    "python": "The Python client",
    "versions": "Versions",
}
"""Pages that are written, by the last part of their address."""

_REMARK: Final = re.compile(r"<!--.*?-->\n*", re.DOTALL)


@cache
def guide_page(name: str) -> str | None:
    """One page of the guide, whole; None where there is none of that name."""
    if name in PAGES:
        return page(PAGES[name], _rendered(_text(name)), _contents())
    ruleset = rulesets().get(name)
    return None if ruleset is None else page(ruleset.title, _commands(ruleset), _contents())


@cache
def guide_index() -> str:
    """What there is to read."""
    return page("Guide", f"<h1>Guide</h1>{_contents()}", _contents())


def examples_of(ruleset: str) -> Mapping[str, Mapping[str, Any]]:
    """A command of each type, as it was sent in some game."""
    found: list[dict[str, Any]] = json.loads((_place() / "examples" / f"{ruleset}.json").read_text("utf-8"))
    return {example["type"]: example for example in found}


def _contents() -> str:
    written = [(name, title) for name, title in PAGES.items()]
    games = [(ruleset.name, f"Commands of {ruleset.title}") for ruleset in rulesets().values()]
    items = "".join(f'<li><a href="/docs/guide/{name}">{escape(title)}</a></li>' for name, title in [*written, *games])
    more = '<li><a href="/docs">Every operation</a></li><li><a href="/problems">Every type of problem</a></li>'
    return f"<p>Guide</p><ul>{items}{more}</ul>"


def _text(name: str) -> str:
    place = _place()
    beside = place / f"{name}.md"
    return (beside if beside.is_file() else place.joinpath("..", f"{name}.md")).read_text("utf-8")


@cache
def _place() -> Traversable:
    return next(place for place in _PLACES if place.is_dir())


def _rendered(text: str) -> str:
    """Markdown as HTML. Comments speak to the test runner; raw HTML is shown as text."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return str(markdown.render(_REMARK.sub("", text)))


def _commands(ruleset: Ruleset) -> str:
    examples, shapes, articles = examples_of(ruleset.name), dict[str, Any](), []
    for kind in commands_of(ruleset):
        schema = schema_of(ruleset, kind)
        defs = dict(schema["$defs"])
        own = defs.pop(schema["$ref"].rsplit("/", 1)[-1])
        shapes.update(defs)
        sent = escape(json.dumps(examples[tag_of(kind)], ensure_ascii=False))
        articles.append(f"{component(tag_of(kind), own)}<pre><code>{sent}</code></pre>")
    about = (
        f"<h1>Commands of {escape(ruleset.title)}</h1><p>A command is the body of <code>POST "
        "/v1/games/{game}/commands</code>. What may be sent now, with real cards and places, is what "
        "<code>GET /v1/games/{game}/options</code> lists; <code>decision_id</code> makes a command an answer to that "
        "very question. The names of cards and places are in the edition: <code>GET /v1/rulesets/"
        f"{ruleset.name}/editions/{ruleset.default_edition}</code>.</p>"
    )
    used = "".join(component(name, schema) for name, schema in sorted(shapes.items()))
    return about + "".join(articles) + (f"<h2>Shapes in them</h2>{used}" if used else "")
