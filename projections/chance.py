"""The n-th draw of a label from a game's seed: the only randomness in the project (log format, section 3)."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

from msgspec import UNSET, UnsetType

from events.words import Rng

T = TypeVar("T")

_COMMIT_TAG: Final = b"gusher/seed-commit/v1\n"
_KEY_TAG: Final = b"gusher/game-key/v1\n"
_DRAW_TAG: Final = b"gusher/draw/v1\n"
_WORDS_PER_BLOCK: Final = 8
_WORD_SPACE: Final = 2**32


def seed_commit(game: str, server_seed: bytes) -> str:
    """The commitment to a server seed that stands in entry 1, 64 hex digits."""
    return sha256(_COMMIT_TAG + UUID(game).bytes + server_seed).hexdigest()


def game_key(game: str, server_seed: bytes, client_seeds: Sequence[str]) -> bytes:
    """The key behind every draw: the server's seed mixed with each seat's (hex, empty where absent), in seat order."""
    message = _KEY_TAG + UUID(game).bytes + len(client_seeds).to_bytes(2, "big")
    for text in client_seeds:
        seed = bytes.fromhex(text)
        message += len(seed).to_bytes(2, "big") + seed
    return hmac.digest(server_seed, message, "sha256")


class Chance(Protocol):
    """A source of 32-bit words by label and position. Tests script it; a game has one keyed by its seed."""

    def word(self, label: str, position: int) -> int:
        """The word at this position of the label, 0 ≤ word < 2^32."""
        ...


class KeyedChance:
    """The words of one game key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block: tuple[str, int, bytes] = ("", -1, b"")

    def block(self, label: str, index: int) -> bytes:
        """Block `index` of a label: 32 bytes, read as eight big-endian words."""
        if self._block[:2] != (label, index):
            name = label.encode()
            message = _DRAW_TAG + len(name).to_bytes(2, "big") + name + index.to_bytes(8, "big")
            self._block = (label, index, hmac.digest(self._key, message, "sha256"))
        return self._block[2]

    def word(self, label: str, position: int) -> int:
        """The word at this position of the label."""
        index, offset = divmod(position, _WORDS_PER_BLOCK)
        block = self.block(label, index)
        return int.from_bytes(block[4 * offset : 4 * offset + 4], "big")


class Draw:
    """One draw under one label: takes successive words from where the label stands.

    `rng` afterwards is the range it consumed, UNSET where it took no word.
    """

    def __init__(self, chance: Chance, label: str, start: int) -> None:
        self._chance, self._label, self._start = chance, label, start
        self.position = start

    @property
    def rng(self) -> Rng | UnsetType:
        """The range of word positions consumed so far."""
        return UNSET if self.position == self._start else Rng(self._label, self._start, self.position)

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n-1, 1 ≤ n ≤ 2^32, without bias."""
        limit = _WORD_SPACE - _WORD_SPACE % n
        while True:
            word = self._chance.word(self._label, self.position)
            self.position += 1
            if word < limit:
                return word % n

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """A uniform permutation (Fisher and Yates, from the end down)."""
        return tuple(self._settle(list(items), len(items) - 1))

    def choose(self, k: int, items: Sequence[T]) -> tuple[T, ...]:
        """Pick k of the items, in the order picked: the first k steps of a shuffle, read from the end backwards.

        Choosing all of n items takes n-1 words.
        """
        settled = self._settle(list(items), k)
        return tuple(settled[::-1][:k])

    def weighted(self, weights: Sequence[int]) -> int:
        """An index, each with the chance of its weight; the weights are integers of positive sum."""
        remainder = self.below(sum(weights))
        for index, weight in enumerate(weights):
            remainder -= weight
            if remainder < 0:
                return index
        message = "weights are not negative"
        raise ValueError(message)

    def die(self) -> int:
        """A fair six-sided die."""
        return self.below(6) + 1

    def _settle(self, items: list[Any], steps: int) -> list[Any]:
        last = len(items) - 1
        for i in range(last, max(last - steps, 0), -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items
