"""The OpenAPI document as one page: every operation with its parameters, bodies, answers and a line of curl."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final

_METHODS: Final = ("get", "post", "put", "patch", "delete")
_TEMPLATE: Final = Template(files("service.http.pages").joinpath("page.html").read_text("utf-8"))


@cache
def stylesheet() -> str:
    """The style of every page."""
    return files("service.http.pages").joinpath("pages.css").read_text("utf-8")


_ELSEWHERE: Final = """<p>The same as data: <a href="/openapi.json">openapi.json</a>; what streams say:
<a href="/asyncapi.json">asyncapi.json</a>. How it all hangs together: the <a href="/docs/guide">guide</a>.</p>"""


def page(title: str, main: str, contents: str = "") -> str:
    """A whole page. `main` and `contents` are HTML already."""
    return _TEMPLATE.substitute(title=escape(title), main=main, contents=contents)


def reference(document: Mapping[str, Any]) -> str:
    """The page of an OpenAPI document."""
    info = document["info"]
    by_tag: defaultdict[str, list[tuple[str, str, Mapping[str, Any]]]] = defaultdict(list)
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                by_tag[item[method]["tags"][0]].append((method.upper(), path, item[method]))
    sections = [
        f"<h1>{escape(info['title'])}</h1>{_paragraphs(info['description'])}",
        _ELSEWHERE,
    ]
    for tag in document["tags"]:
        sections.append(
            f'<h2 id="tag-{escape(tag["name"])}">{escape(tag["name"])}</h2>{_paragraphs(tag["description"])}'
        )
        sections += [_operation(*operation) for operation in by_tag[tag["name"]]]
    sections.append('<h2 id="schemas">schemas</h2>')
    sections += [component(name, schema) for name, schema in document["components"]["schemas"].items()]
    return page(
        info["title"], "\n".join(sections), _contents({tag["name"]: by_tag[tag["name"]] for tag in document["tags"]})
    )


def _contents(by_tag: Mapping[str, list[tuple[str, str, Mapping[str, Any]]]]) -> str:
    parts = []
    for tag, operations in by_tag.items():
        items = "".join(
            f'<li><a href="#{escape(operation["operationId"])}">{escape(operation["summary"])}</a></li>'
            for _, _, operation in operations
        )
        parts.append(f"<p>{escape(tag)}</p><ul>{items}</ul>")
    parts.append('<p><a href="#schemas">schemas</a></p>')
    return "\n".join(parts)


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    name = escape(operation["operationId"])
    parts = [
        f'<article id="{name}"><h3>{escape(operation["summary"])}</h3>',
        f'<p><span class="method">{method}</span> <span class="path">{escape(path)}</span></p>',
        _paragraphs(operation.get("description", "")),
        _parameters(operation.get("parameters", [])),
        _body(operation),
        _answers(operation["responses"]),
        _shown(operation["responses"]),
        f"<pre>{escape(curl(method, path, operation))}</pre></article>",
    ]
    return "\n".join(part for part in parts if part)


def _parameters(parameters: list[Mapping[str, Any]]) -> str:
    if not parameters:
        return ""
    rows = "".join(
        f"<tr><td><code>{escape(one['name'])}</code></td><td>{escape(one['in'])}"
        f"{', required' if one.get('required') else ''}</td><td>{_kind(one['schema'])}</td>"
        f"<td>{in_code(escape(one.get('description', '')))}</td></tr>"
        for one in parameters
    )
    return f"<table><tr><th>parameter</th><th>where</th><th>type</th><th></th></tr>{rows}</table>"


def _body(operation: Mapping[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    return "".join(f"<p>Body: {_kind(media['schema'])}</p>" for media in content.values())


def _answers(responses: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for status, response in responses.items():
        bodies = ", ".join(
            f"<code>{escape(kind)}</code> {_kind(media.get('schema', {}))}"
            for kind, media in response.get("content", {}).items()
        )
        rows.append(f"<tr><td>{status}</td><td>{in_code(escape(response['description']))}</td><td>{bodies}</td></tr>")
    return f"<table><tr><th>status</th><th></th><th>body</th></tr>{''.join(rows)}</table>"


def _shown(responses: Mapping[str, Mapping[str, Any]]) -> str:
    """The answer that the document shows, folded away."""
    media = [one for response in responses.values() for one in response.get("content", {}).values()]
    shown = [example["value"] for one in media for example in one.get("examples", {}).values()]
    texts = [one if isinstance(one, str) else json.dumps(one, indent=1, ensure_ascii=False) for one in shown]
    return "".join(f"<details><summary>An answer</summary><pre>{escape(text)}</pre></details>" for text in texts)


def component(name: str, schema: Mapping[str, Any], place: str = "") -> str:
    """A schema with its members, under its name; at another place of the page than its name says, if one is given."""
    rows = "".join(_property(member, found, schema) for member, found in schema.get("properties", {}).items())
    table = f"<table><tr><th>member</th><th>type</th><th></th></tr>{rows}</table>" if rows else ""
    kind = "" if rows else f"<p>{_kind(schema)}</p>"
    heading = f'<article id="schema-{escape(place or name)}"><h3>{escape(name)}</h3>'
    return f"{heading}{_paragraphs(schema.get('description', ''))}{kind}{table}</article>"


def _property(name: str, schema: Mapping[str, Any], owner: Mapping[str, Any]) -> str:
    must = "" if name in owner.get("required", ()) else " <span class='kind'>optional</span>"
    return (
        f"<tr><td><code>{escape(name)}</code>{must}</td><td>{_kind(schema)}</td>"
        f"<td>{in_code(escape(schema.get('description', '')))}</td></tr>"
    )


def _kind(schema: Any) -> str:
    """A schema in a few words, with links to the components it names."""
    return ", ".join(_kinds(schema)) or "anything"


def _kinds(schema: Any) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        return
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[-1])
        yield f'<a href="#schema-{name}">{name}</a>'
    for word in ("anyOf", "oneOf"):
        if word in schema:
            yield " or ".join(_kind(one) for one in schema[word])
    if "enum" in schema or "const" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        yield " or ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values)
    elif "type" in schema:
        yield _typed(schema)


def _typed(schema: Mapping[str, Any]) -> str:
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    words = " or ".join(map(str, kinds))
    if "array" in kinds and schema.get("items"):
        words = words.replace("array", f"list of {_kind(schema['items'])}")
    if "format" in schema:
        words += f" ({escape(schema['format'])})"
    limits = [f"{label} {schema[key]}" for key, label in _LIMITS.items() if key in schema]
    return " ".join([words, *limits])


_LIMITS: Final = {"minimum": "from", "maximum": "to", "minLength": "at least", "maxLength": "at most"}


def curl(method: str, path: str, operation: Mapping[str, Any]) -> str:
    """A line of curl for an operation; what is to be filled in is in capitals."""
    for one in operation.get("parameters", []):
        if one["in"] == "path":
            path = path.replace(f"{{{one['name']}}}", f"${one['name'].upper()}")
    words = ["curl", "-s"]
    if method != "GET":
        words += ["-X", method]
    words.append(f'"$GUSHER{path}"')
    if operation.get("security"):
        words.append('-H "Authorization: Bearer $TOKEN"')
    if any(one["name"] == "Idempotency-Key" for one in operation.get("parameters", [])):
        words.append('-H "Idempotency-Key: $(uuidgen)"')
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is not None:
        words += ['-H "Content-Type: application/json"', f"-d '{json.dumps(_example(content))}'"]
    return " ".join(words)


def _example(content: Mapping[str, Any]) -> Any:
    examples = content.get("examples", {})
    return next((one["value"] for one in examples.values()), {})


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{in_code(escape(' '.join(part.split())))}</p>" for part in text.split("\n\n") if part.strip())


def in_code(text: str) -> str:
    """Text between backticks as code."""
    pieces = text.split("`")
    return "".join(f"<code>{piece}</code>" if index % 2 else piece for index, piece in enumerate(pieces))
