"""The service's own secret: the seed it signs heads with, and what is derived from it."""

from __future__ import annotations

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

SEED_BYTES = 32


class UnusableKey(Exception):
    """The key file is not what this program wrote."""


def head_seed(data: Path) -> bytes:
    """The seed kept in the data folder, made at the first start; readable by its owner only.

    Workers that start at once agree on one: the file appears whole, under its name, or not at all.
    """
    path = data / "head.key"
    with suppress(FileNotFoundError):
        return _read(path)
    data.mkdir(parents=True, exist_ok=True)
    ours = data / f".head.key.{os.getpid()}.{secrets.token_hex(4)}"
    file = os.open(ours, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, secrets.token_bytes(SEED_BYTES).hex().encode() + b"\n")
        os.fsync(file)
        with suppress(FileExistsError):
            os.link(ours, path)
    finally:
        os.close(file)
        ours.unlink()
    return _read(path)


def derived(seed: bytes, purpose: str) -> bytes:
    """A key for one purpose: who learns it learns nothing about the seed or the other keys."""
    return hmac.digest(seed, f"gusher/{purpose}/v1\n".encode(), "sha256")


def _read(path: Path) -> bytes:
    text = path.read_text("ascii").strip()
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise UnusableKey(f"{path} does not hold a signing key (64 hex digits)")
    return seed
