"""What the command line needs of the HTTP API, over httpx."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

import httpx
import msgspec

from rules.choices import Option

TIMEOUT = 30.0


class Refused(Exception):
    """The service answered with a problem; the message is its title, detail and code."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__(_told(response))
        self.status = response.status_code


class Client:
    """One caller of one service. `token` None is somebody without an account."""

    def __init__(self, url: str, token: str | None = None) -> None:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT)

    def get(self, path: str, **query: str | int) -> Any:
        """The JSON of a resource. Raises `Refused`."""
        return _json(self._http.get(path, params=query))

    def post(self, path: str, body: Mapping[str, Any] | None = None, *, seat: int | None = None) -> Any:
        """The JSON answer to a request that is made once, however often it is sent. Raises `Refused`."""
        query = {} if seat is None else {"seat": seat}
        headers = {"idempotency-key": str(uuid4())}
        return _json(self._http.post(path, json=body, params=query, headers=headers))

    def options(self, game: str) -> tuple[int | None, list[Option]]:
        """What is asked of the caller's seat: the question's id and every legal answer."""
        found = self.get(f"/v1/games/{game}/options")
        return found["decision_id"], msgspec.convert(found["options"], list[Option])

    def export(self, game: str, viewer: str | None = None) -> Iterator[bytes]:
        """The log file of a game, piece by piece. Raises `Refused`."""
        query = {} if viewer is None else {"as": viewer}
        with self._http.stream("GET", f"/v1/games/{game}/export", params=query) as response:
            if response.is_error:
                response.read()
                raise Refused(response)
            yield from response.iter_bytes()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


def sign_up(url: str, name: str) -> Client:
    """A new account's client. Raises `Refused`."""
    stranger = Client(url)
    made = stranger.post("/v1/accounts", {"name": name})
    stranger.close()
    return Client(url, made["token"])


def _json(response: httpx.Response) -> Any:
    if response.is_error:
        raise Refused(response)
    return msgspec.json.decode(response.content) if response.content else None


def _told(response: httpx.Response) -> str:
    try:
        problem = msgspec.json.decode(response.content)
        return f"{problem['title']}: {problem['detail']} ({problem['code']})"
    except (msgspec.DecodeError, KeyError, TypeError):
        return f"{response.status_code} {response.reason_phrase}"
