"""The guide: the pages of `docs/guide`, and for each game a page of its commands, made of the types that decode."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
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
from service.http.register import rules_at
from service.http.words import commands_of, schema_of, tag_of, words_of

_PLACES: Final[tuple[Traversable, ...]] = (
    files("service.http") / "guide",
    Path(__file__).parents[3] / "docs" / "guide",
)
"""In an installed wheel, and in the repository."""

PAGES: Final = {
    "quick-start": ("Quick start", "a program that plays a whole game, in five minutes"),
    "concepts": ("Concepts", "games, entries, questions, options, eyes, chance: the words of everything else"),
    "api": ("What holds for all operations", "a game with curl; errors, keys, versions, limits, tokens, disputes"),
    "streams": ("Streams", "follow a game, or everything that concerns you, as it happens"),
    "python": ("The Python client", "every operation as a call; retries, failures"),
    "many-tables": ("Many tables", "an event: open, invite, start, hear how each game ended"),
    "versions": ("Versions", "what may change, what does not, and how you are told"),
}
"""Pages that are written, by the last part of their address: title, and what is in them."""

_REMARK: Final = re.compile(r"<!--.*?-->\n*", re.DOTALL)


def guide_page(name: str) -> str | None:
    """One page of the guide, whole; None where there is none of that name."""
    return _page(name) if name in PAGES or name in rulesets() else None


@cache
def _page(name: str) -> str:
    if name in PAGES:
        return page(PAGES[name][0], _rendered(_text(name)), _contents())
    return page(rulesets()[name].title, _game(rulesets()[name]), _contents())


@cache
def guide_index() -> str:
    """What there is to read."""
    about = (
        "<p>Gusher plays three oil-industry games over HTTP. A client that knows no rule can play them: the service "
        "lists every legal move. New here? Begin with the quick start, then read the concepts.</p>"
    )
    items = "".join(f"<li>{link}: {escape(said)}</li>" for link, said in _linked())
    return page("Guide", f"<h1>Guide</h1>{about}<ul>{items}</ul>", _contents())


def examples_of(ruleset: str) -> Mapping[str, Mapping[str, Any]]:
    """A command of each type, as it was sent in some game."""
    found: list[dict[str, Any]] = json.loads((_place() / "examples" / f"{ruleset}.json").read_text("utf-8"))
    return {example["type"]: example for example in found}


def _contents() -> str:
    return f"<p>Guide</p><ul>{''.join(f'<li>{link}</li>' for link, _ in _linked())}</ul>"


def _linked() -> Iterator[tuple[str, str]]:
    """A link to everything there is to read, and what is there."""
    for name, (title, said) in PAGES.items():
        yield _link(f"/docs/guide/{name}", title), said
    for ruleset in rulesets().values():
        yield _link(f"/docs/guide/{ruleset.name}", ruleset.title), "its commands with examples, its events, its rules"
    yield _link("/docs", "Every operation"), "parameters, bodies, answers, and a line of curl for each"
    yield _link("/problems", "Every type of problem"), "what it means and what to do about it, code by code"


def _link(address: str, title: str) -> str:
    return f'<a href="{address}">{escape(title)}</a>'


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


def _game(ruleset: Ruleset) -> str:
    """Everything about a game: what is sent, what is told, and by which rules."""
    seats = f"{ruleset.least_seats} to {ruleset.most_seats} play."
    parts = " · ".join(f'<a href="#{part}">{part}</a>' for part in ("commands", "events", "shapes", "rules"))
    about = f"<h1>{escape(ruleset.title)}</h1><p>{seats} {parts}</p>"
    shapes: dict[str, Any] = {}
    words = _commands(ruleset, shapes) + _events(ruleset, shapes)
    used = "".join(component(name, schema) for name, schema in sorted(shapes.items()))
    return about + words + f'<h2 id="shapes">Shapes in them</h2>{used}' + _rules(ruleset)


def _events(ruleset: Ruleset, shapes: dict[str, Any]) -> str:
    """What entries tell, with the members of each event. The shapes that they are made of are added to the others."""
    articles = []
    for kind in words_of(ruleset.projection.events):
        own, defs = _own(ruleset, kind)
        shapes.update(defs)
        articles.append(component(tag_of(kind), own, f"event-{tag_of(kind)}"))
    about = (
        '<h2 id="events">Events</h2><p>An entry of the log holds the events that follow from its command. A member '
        "that you may not know is missing, and its digest stands in <code>_sd</code>.</p>"
    )
    return about + "".join(articles)


def _rules(ruleset: Ruleset) -> str:
    """The register that refusals cite."""
    rows = "".join(
        f'<tr id="{rule.id}"><td><code>{rule.id}</code></td><td>{escape(rule.sentence)}</td></tr>'
        for rule in rules_at(ruleset.name)
    )
    about = (
        '<h2 id="rules">Rules</h2><p>The <code>rule</code> of a refusal is one of these. '
        f"<code>gusher rules {ruleset.register}-…</code> shows the function that rules it, and its tests.</p>"
    )
    return f"{about}<table><tr><th>rule</th><th></th></tr>{rows}</table>"


def _own(ruleset: Ruleset, kind: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of a word, and the shapes that it is made of."""
    schema = schema_of(ruleset, kind)
    defs = dict(schema["$defs"])
    return defs.pop(schema["$ref"].rsplit("/", 1)[-1]), defs


def _commands(ruleset: Ruleset, shapes: dict[str, Any]) -> str:
    """What is sent, with an example of each. The shapes that they are made of are added to the others."""
    examples, articles = examples_of(ruleset.name), []
    for kind in commands_of(ruleset):
        own, defs = _own(ruleset, kind)
        shapes.update(defs)
        sent = escape(json.dumps(examples[tag_of(kind)], ensure_ascii=False))
        articles.append(f"{component(tag_of(kind), own)}<pre><code>{sent}</code></pre>")
    about = (
        '<h2 id="commands">Commands</h2><p>A command is the body of <code>POST '
        "/v1/games/{game}/commands</code>. What may be sent now, with real cards and places, is what "
        "<code>GET /v1/games/{game}/options</code> lists; <code>decision_id</code> makes a command an answer to that "
        "very question. The names of cards and places are in the edition: <code>GET /v1/rulesets/"
        f"{ruleset.name}/editions/{ruleset.default_edition}</code>.</p>"
    )
    return about + "".join(articles)
