"""The service's own secrets: the keys it signs heads with, and what is derived from the first of them.

A key is in force from its moment on, until the next one is. Which key an entry's receipt is signed with follows from
the moment in the entry itself, and Ed25519 signs the same text the same way: so an old answer is the same bytes for
ever, and nothing has to be kept beside the entry.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Final

from msgspec import Struct

from events.chain import HeadSigner

SEED_BYTES: Final = 32
FILE: Final = "head.key"

_KEY: Final = re.compile(r"(?P<seed>[0-9a-fA-F]{64})(?:@(?P<since>[0-9]{1,16}))?\Z")


class UnusableKey(Exception):
    """The key file, or the setting, is not what this program writes."""


class SigningKey(Struct, frozen=True):
    """A seed, and since when (milliseconds since 1970) it signs."""

    seed: bytes
    since: int = 0


def read_keys(text: str, where: str = "the text") -> tuple[SigningKey, ...]:
    """Keys, oldest first, one a line or separated by commas: `<64 hex digits>`, or with `@<milliseconds>` since when.

    Raises `UnusableKey`.
    """
    keys = []
    for item in text.replace(",", "\n").split():
        found = _KEY.match(item)
        if found is None:
            raise UnusableKey(f"{where} does not hold signing keys (64 hex digits each, later ones with @milliseconds)")
        keys.append(SigningKey(bytes.fromhex(found["seed"]), int(found["since"] or 0)))
    moments = [key.since for key in keys]
    if not keys or moments != sorted(set(moments)) or len({key.seed for key in keys}) < len(keys):
        raise UnusableKey(f"{where} holds no keys, or not the oldest first, each once and since a moment of its own")
    return tuple(keys)


class Keyring:
    """The signers, each in its time. `read` gives the keys; it is asked often, and must be cheap where nothing changed.

    A key that comes into force must be known to all workers before its moment.
    """

    def __init__(self, name: str, read: Callable[[], Sequence[SigningKey]]) -> None:
        self._name, self._read = name, read
        self._keys: Sequence[SigningKey] = ()
        self._signers: list[tuple[int, HeadSigner]] = []

    def of(self, at: int) -> HeadSigner:
        """The signer of what happened at this moment."""
        signers = self._known()
        for since, signer in reversed(signers):
            if since <= at:
                return signer
        return signers[0][1]

    @property
    def vkeys(self) -> list[str]:
        """Every verifier key as published, newest first: retired ones, and one whose moment is still to come."""
        return [signer.vkey for _, signer in reversed(self._known())]

    def _known(self) -> list[tuple[int, HeadSigner]]:
        keys = self._read()
        if keys is not self._keys:
            self._keys, self._signers = keys, [(key.since, HeadSigner(self._name, key.seed)) for key in keys]
        return self._signers


class KeyFile:
    """The keys in the data folder; the first is made at the first start. Readable by its owner only.

    `glance` is how many seconds pass between two looks at the file: a look for each signature would be a fiftieth of a
    move, and a key that is added comes into force much later.
    """

    def __init__(self, data: Path, *, glance: float = 0) -> None:
        self._data, self._path = data, data / FILE
        self._glance, self._seen = glance, -inf
        self._stamp: tuple[int, int, int] | None = None
        self._keys: tuple[SigningKey, ...] = ()

    def read(self) -> tuple[SigningKey, ...]:
        """The keys, oldest first, read again where the file is another one. Raises `UnusableKey`.

        Workers that start at once agree on the first: the file appears whole, under its name, or not at all.
        """
        now = time.monotonic()
        if now - self._seen < self._glance:
            return self._keys
        try:
            found = self._path.stat()
        except FileNotFoundError:
            self._make()
            found = self._path.stat()
        stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
        if stamp != self._stamp:
            self._keys, self._stamp = read_keys(self._path.read_text("ascii"), str(self._path)), stamp
        self._seen = now
        return self._keys

    def rotate(self, since: int) -> SigningKey:
        """Add a key that is in force from then on. Raises `UnusableKey` where a later one is there already."""
        self._seen = -inf
        keys = (*self.read(), SigningKey(secrets.token_bytes(SEED_BYTES), since))
        text = "".join(f"{key.seed.hex()}@{key.since}\n" for key in keys)
        read_keys(text, "the new file")
        self._written(text).replace(self._path)
        return keys[-1]

    def _make(self) -> None:
        self._data.mkdir(parents=True, exist_ok=True)
        ours = self._written(secrets.token_bytes(SEED_BYTES).hex() + "\n")
        try:
            with suppress(FileExistsError):
                os.link(ours, self._path)
        finally:
            ours.unlink()

    def _written(self, text: str) -> Path:
        ours = self._data / f".{FILE}.{os.getpid()}.{secrets.token_hex(4)}"
        file = os.open(ours, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(file, text.encode())
            os.fsync(file)
        finally:
            os.close(file)
        return ours


def derived(seed: bytes, purpose: str) -> bytes:
    """A key for one purpose: who learns it learns nothing about the seed or the other keys."""
    return hmac.digest(seed, f"gusher/{purpose}/v1\n".encode(), "sha256")
