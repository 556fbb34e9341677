"""The pages of the types of problems: what each means, code by code, and what it looks like."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from typing import Any, Final

from service.http.codes import CODES
from service.http.kinds import KINDS, REFUSED
from service.http.pages.reference import in_code, page

_MORE: Final[dict[str, dict[str, Any]]] = {
    "malformed": {
        "detail": "query: limt: no parameter of this operation",
        "code": "unknown_parameter",
        "errors": [{"in": "query", "name": "limt", "detail": "no parameter of this operation"}],
    },
    "forbidden": {"detail": "The caller holds no seat of this game.", "code": "not_a_player"},
    "not_found": {"detail": "There is no such game.", "code": "no_such_game"},
    "conflict": {"detail": "Another account has this name.", "code": "name_taken"},
    "version_mismatch": {"game_version": 12, "etag": "12-9f86d081884c7d65", "missed": ["… an entry for each"]},
    "unprocessable": {
        "detail": "This Idempotency-Key was used for a different request.",
        "code": "idempotency_mismatch",
    },
    REFUSED: {
        "detail": "OG-176 refuses this: stale decision.",
        "code": "stale_decision",
        "rule": "OG-176",
        "game_version": 12,
        "decision": 12,
        "errors": [{"in": "body", "name": "/decision_id", "detail": "stale decision"}],
    },
    "too_many_requests": {"detail": "The budget 'token' is spent.", "code": "rate_limited"},
    "internal": {"instance": "urn:uuid:0190a0a0-0000-4000-8000-000000000000"},
    "unavailable": {"detail": "The log does not answer.", "code": "not_ready"},
}
"""Members in which an example differs from what its type alone says."""


@cache
def problems_index() -> str:
    """Every type, with a link to its page."""
    rows = "".join(
        f'<tr><td>{found.status}</td><td><a href="/problems/{kind}">{escape(found.title)}</a></td>'
        f"<td>{' '.join(f'<code>{code}</code>' for code in CODES.get(kind, {}))}</td></tr>"
        for kind, found in KINDS.items()
    )
    about = (
        "<h1>Problems</h1><p>Every failure is <code>application/problem+json</code> (RFC 9457). Decide by "
        "<code>code</code>, show <code>detail</code> to people; <code>type</code> is the address of one of these "
        "pages.</p>"
    )
    return page(
        "Problems", f"{about}<table><tr><th>status</th><th>type</th><th>codes</th></tr>{rows}</table>", _contents()
    )


@cache
def problem_told(kind: str) -> str:
    """The page that `type` names."""
    found = KINDS[kind]
    rows = "".join(
        f"<tr><td><code>{code}</code></td><td>{in_code(escape(said))}</td></tr>"
        for code, said in CODES.get(kind, {}).items()
    )
    codes = f"<table><tr><th>code</th><th>what to do</th></tr>{rows}</table>" if rows else _REASONS
    example = {
        "type": f"/problems/{kind}",
        "title": found.title,
        "status": 409 if kind == REFUSED else found.status,
        "detail": found.title + ".",
        "code": next(iter(CODES.get(kind, {})), ""),
        **_MORE.get(kind, {}),
    }
    shown = escape(json.dumps(example, indent=2, ensure_ascii=False))
    main = (
        f"<h1>{found.status} {escape(found.title)}</h1><p><code>/problems/{kind}</code></p>"
        f"<p>{in_code(escape(found.advice))}</p>{codes}<pre>{shown}</pre>"
    )
    return page(found.title, main, _contents())


_REASONS: Final = (
    "<p>The code is the rules' own reason, and <code>rule</code> stands with its sentence on the page of the game: "
    '<a href="/docs/guide">Guide</a>. Some reasons are common to all games: <code>stale_decision</code> (another '
    "question is open now: ask for the options again), <code>not_awaited</code> (the question is not yours), "
    "<code>suspended</code> (nobody may move for now), <code>malformed</code> (the command makes no sense).</p>"
)


def _contents() -> str:
    items = "".join(
        f'<li><a href="/problems/{kind}">{found.status} {escape(found.title)}</a></li>' for kind, found in KINDS.items()
    )
    return f'<p><a href="/problems">Problems</a></p><ul>{items}</ul>'
