"""Records an answer of each operation for the OpenAPI document: `python -m tests.service.http.answers` writes them.

Every operation is done once, in an order in which each can be; the bodies are the document's own examples. Ids and
times follow from nothing but the scene; those that the system gave are written over, and so are tokens.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from httpx import ASGITransport, AsyncClient, Response

from service.auth.accounts import sign_up
from service.auth.scopes import ALL
from service.http.entries import moment
from service.http.examples import ANSWERS
from service.http.openapi import openapi_document
from service.http.site import Front, site
from service.settings import NO_LIMITS, Settings
from tests.course import START, course, on_course
from tests.desks import a_desk
from tests.memory_store import MemoryStore

ANSWERED: Final = Path(__file__).parents[3] / "service" / "http" / ANSWERS

SCENE: Final = (
    "is_live",
    "is_ready",
    "list_keys",
    "list_rulesets",
    "get_ruleset",
    "list_rules",
    "get_edition",
    "create_account",
    "get_me",
    "create_token",
    "list_tokens",
    "revoke_token",
    "create_games",
    "abort_game",
    "create_game",
    "list_games",
    "create_invitation",
    "list_invitations",
    "revoke_invitation",
    "take_seat",
    "leave_seat",
    "again:take_seat",
    "add_bot",
    "start_game",
    "get_game",
    "get_view",
    "get_options",
    "create_branch",
    "get_branch",
    "view_branch",
    "get_branch_options",
    "play_branch",
    "export_branch",
    "delete_branch",
    "check_command",
    "submit_command",
    "suspend_game",
    "resume_game",
    "get_head",
    "get_log",
    "file_dispute",
    "list_disputes",
    "judge:create_auditor",
    "judge:create_arbiter",
    "get_dispute",
    "arbiter:give_verdict",
    "resign",
    "export_log",
    "audit_log",
    "list_results",
    "get_feed",
    "get_metrics",
)
"""What is done, in this order. `again:` is done and not recorded, `judge:` by an administrator who does not play,
`arbiter:` with the token that an arbiter got.
"""

MAKES: Final = {
    "create_game": ("game", "game"),
    "create_branch": ("branch", "branch"),
    "create_invitation": ("invitation", "invitation"),
}
"""What an operation makes that others have in their path, and the member of the answer that names it."""

Operation = tuple[str, str, list[Any]]
"""Method, path, example bodies; the only body is None where there is none."""

LINES: Final = 4
"""Of an answer that is no JSON, so many are recorded."""

_TOKEN: Final = re.compile(r"gsh_[0-9A-Za-z]{46}")
_UUID7: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_DAY: Final = 86_400_000


def operations() -> dict[str, Operation]:
    """Every operation of the document."""
    return {
        operation["operationId"]: (method.upper(), path, list(_bodies(operation)) or [None])
        for path, item in openapi_document()["paths"].items()
        for method, operation in item.items()
    }


def _bodies(operation: dict[str, Any]) -> Iterator[Any]:
    for media in operation.get("requestBody", {}).get("content", {}).values():
        for example in media["examples"].values():
            yield example["value"]


async def play() -> dict[str, list[Response]]:
    """The answers of the scene: for each operation one for each of its example bodies."""
    desk = a_desk(MemoryStore())
    front: Any = Front(site(desk, Settings(limits=NO_LIMITS)))
    tokens = [(await sign_up(desk.store, name, "person", ALL)).first.secret for name in ("admin", "judge")]
    async with AsyncClient(transport=ASGITransport(app=front), base_url="http://gusher.test") as client:
        return await _Scene(client, *tokens).play()


class _Scene:
    def __init__(self, client: AsyncClient, token: str, judge: str) -> None:
        self._client, self._tokens = client, {"": token, "again": token, "judge": judge}
        self._names = {"ruleset": "oil-and-gas", "edition": "standard", "seat": "0", "number": "1"}
        self._operations = operations()

    async def play(self) -> dict[str, list[Response]]:
        answers: dict[str, list[Response]] = {}
        for word in SCENE:
            how, _, name = word.rpartition(":")
            found = [await self._do(name, body, self._tokens[how]) for body in self._operations[name][2]]
            if how != "again":
                answers[name] = found
        return answers

    async def _do(self, name: str, body: Any, token: str) -> Response:
        method, path, _ = self._operations[name]
        headers = {
            "authorization": f"Bearer {token}",
            "idempotency-key": course().new_key(),
        }
        answer = await self._client.request(method, path.format(**self._names), json=body, headers=headers)
        assert answer.is_success, (name, answer.text)
        self._learn(name, answer)
        return answer

    def _learn(self, name: str, answer: Response) -> None:
        if name in MAKES:
            place, member = MAKES[name]
            self._names[place] = answer.json()[member]
        elif name == "create_games":
            self._names["game"] = answer.json()["games"][0]["game"]
        elif name == "create_token":
            self._names["token"] = answer.json()["details"]["token_id"]
        elif name == "create_arbiter":
            self._tokens["arbiter"] = answer.json()["token"]


def written(answers: dict[str, list[Response]]) -> bytes:
    """The first answer of each operation: JSON, and how long lists in it begin; of anything else the first lines."""
    told = {name: _shown(found[0]) for name, found in answers.items() if found[0].content}
    return (_settled(json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)) + "\n").encode()


def _shown(answer: Response) -> Any:
    if answer.headers["content-type"] != "application/json":
        return "".join(answer.text.splitlines(keepends=True)[:LINES])
    return _brief(answer.json())


def _brief(value: Any) -> Any:
    """Long lists of like things say all with their first ones."""
    if isinstance(value, dict):
        return {key: _brief(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_brief(item) for item in (value[:2] if value and isinstance(value[0], dict) else value)]
    return value


def _settled(text: str) -> str:
    known: dict[str, str] = {}

    def settle_id(found: re.Match[str]) -> str:
        made = int(found[0].replace("-", "")[:12], 16)
        if made < START + _DAY:
            return found[0]
        begun = f"{START:012x}"
        return known.setdefault(found[0], f"{begun[:8]}-{begun[8:]}-7000-8000-{len(known) + 1:012x}")

    def settle_moment(found: re.Match[str]) -> str:
        return found[0] if found[0] < moment(START + _DAY) else moment(START)

    text = _TOKEN.sub("gsh_" + "x" * 46, text)
    return _MOMENT.sub(settle_moment, _UUID7.sub(settle_id, text))


def main() -> None:
    """Write the answers again."""
    with on_course("answers"):
        content = written(asyncio.run(play()))
    ANSWERED.write_bytes(content)
    print(f"{ANSWERED.name}: {len(content):,} bytes, {len(msgspec.json.decode(content))} operations")


if __name__ == "__main__":
    main()
