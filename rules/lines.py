"""On which line of a JSON text a value stands: msgspec tells paths, people need lines."""

from __future__ import annotations

import re

import msgspec


def keys_of(path: str) -> list[str | int]:
    """The steps of a JSONPath such as `$.cards[3].weight`."""
    return [int(index) if index else name for name, index in re.findall(r"\.([A-Za-z_]\w*)|\[(\d+)\]", path)]


def line_of_error(text: str, message: str) -> int:
    """The line at which msgspec could not read on, by the byte that its message names; else the last line."""
    found = re.search(r"byte (\d+)", message)
    offset = int(found[1]) if found else len(text)
    return text.encode()[:offset].count(b"\n") + 1


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def line_of(text: str, keys: list[str | int]) -> int:
    """The line on which the value at this path begins; where a key is missing, the line of the object it misses in."""
    scanner = _Scanner(text)
    return text.count("\n", 0, scanner.locate(keys)) + 1


class _Scanner:
    """Walks valid JSON text to the value at a path."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_TOKEN.finditer(text))
        self._at = 0

    def locate(self, keys: list[str | int]) -> int:
        start = self._tokens[self._at].start()
        for key in keys:
            if not self._enter(key):
                break
            start = self._tokens[self._at].start()
        return start

    def _enter(self, key: str | int) -> bool:
        opening = self._take()
        index = 0
        while self._peek() not in "]}":
            if opening == "{":
                name = msgspec.json.decode(self._take())
                self._take()
            else:
                name = index
            if name == key:
                return True
            self._skip()
            index += 1
            if self._peek() == ",":
                self._take()
        return False

    def _skip(self) -> None:
        depth = 0
        while True:
            text = self._take()
            depth += (text in "[{") - (text in "]}")
            if depth == 0:
                return

    def _peek(self) -> str:
        return self._tokens[self._at].group()

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1].group()
