"""Hashes, sealed fields and signed heads: log format, sections 1, 2 and 4."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import a2b_base64, b2a_base64
from hashlib import sha256
from typing import Any, Final

from msgspec import Struct

from events import codec
from events.signature import is_signed

ENTRY_TAG: Final = b"gusher/entry/v1\n"
GENESIS: Final = "0" * 64
SALT_BYTES: Final = 16
SIGNATURE_BYTES: Final = 64
_ED25519: Final = b"\x01"
_TO_URL: Final = bytes.maketrans(b"+/", b"-_")
_FROM_URL: Final = bytes.maketrans(b"-_", b"+/")


def entry_hash(body: bytes) -> str:
    """The hash of an entry's canonical bytes, 64 hex digits."""
    return sha256(ENTRY_TAG + body).hexdigest()


# ---- sealed fields


def base64url(data: bytes) -> str:
    """Unpadded base64url (RFC 4648, section 5)."""
    return _base64url(data).decode("ascii")


def _base64url(data: bytes) -> bytes:
    return b2a_base64(data, newline=False).translate(_TO_URL, b"=")


def from_base64url(text: str) -> bytes:
    """The bytes of unpadded base64url. Raises `ValueError` for any other spelling of them."""
    spelled = text.encode("ascii")
    data = a2b_base64(spelled.translate(_FROM_URL) + b"=" * (-len(spelled) % 4))
    if _base64url(data) != spelled:
        message = "not the one unpadded base64url spelling"
        raise ValueError(message)
    return data


class Disclosure(Struct, frozen=True):
    """A sealed field, opened: what `[salt, name, value]` says."""

    salt: str
    name: str
    value: Any


def disclosed(salt: bytes, name: str, value: Any) -> bytes:
    """What the disclosure text of one sealed field encodes, in base64url."""
    return b'["%b","%b",%b]' % (_base64url(salt), name.encode(), codec.encode(value))


def digest(disclosed: bytes) -> bytes:
    """The digest that stands in `_sd` for the disclosure that encodes this."""
    return _base64url(sha256(_base64url(disclosed)).digest())


def digest_of(disclosure: str) -> str:
    """The digest that stands in `_sd` for this disclosure."""
    return base64url(sha256(disclosure.encode("ascii")).digest())


def read_disclosure(disclosure: str) -> Disclosure:
    """The opened field. Raises `ValueError` where the text is no well-formed disclosure."""
    parts = codec.decode(from_base64url(disclosure))
    if type(parts) is list and len(parts) == 3:
        salt, name, value = parts
        if type(salt) is str and type(name) is str and name != "_sd" and len(from_base64url(salt)) == SALT_BYTES:
            return Disclosure(salt, name, value)
    message = "a disclosure is [salt of 16 bytes, name, value]"
    raise ValueError(message)


# ---- signed heads (C2SP signed-note, Ed25519)


class VerifierKey(Struct, frozen=True):
    """A key that signed heads are checked with: its name, the 4-byte key id, the public key."""

    name: str
    key_id: bytes
    public: bytes


class HeadSigner:
    """Signs heads. `name` is `<origin>/gusher/head`; `seed` the 32 bytes of the Ed25519 private key."""

    def __init__(self, name: str, seed: bytes) -> None:
        # Only the server signs; an auditor's single file comes without PyNaCl.
        from nacl import bindings  # noqa: PLC0415

        self._sign = bindings.crypto_sign
        public, self._secret = bindings.crypto_sign_seed_keypair(seed)
        self.key = VerifierKey(name, _key_id(name, public), public)

    @property
    def vkey(self) -> str:
        """The verifier key as published."""
        return write_vkey(self.key)

    def sign(self, game: str, seq: int, head: str) -> str:
        """The signed note over a game's head."""
        text = head_text(game, seq, head)
        # A message that is signed has its signature before it.
        signature = self._sign(text.encode(), self._secret)[:SIGNATURE_BYTES]
        return f"{text}\n— {self.key.name} {b64encode(self.key.key_id + signature).decode()}\n"


def head_text(game: str, seq: int, head: str) -> str:
    """The four lines that a head's note signs."""
    return f"gusher/head/v1\n{game}\n{seq}\n{head}\n"


def write_vkey(key: VerifierKey) -> str:
    """A verifier key as published: `name+key id+key`."""
    return f"{key.name}+{key.key_id.hex()}+{b64encode(_ED25519 + key.public).decode()}"


def read_vkey(vkey: str) -> VerifierKey:
    """A published verifier key. Raises `ValueError` where it is malformed or its key id is not its own."""
    name, _, rest = vkey.partition("+")
    public = b64decode(rest.partition("+")[2], validate=True)[1:]
    key = VerifierKey(name, _key_id(name, public), public)
    if len(public) != 32 or write_vkey(key) != vkey:
        message = f"not an Ed25519 verifier key: {vkey}"
        raise ValueError(message)
    return key


def note_is_signed(note: str, text: str, keys: list[VerifierKey]) -> bool:
    """Whether the note says this very text and one of the keys has signed it."""
    said, separator, signatures = note.partition("\n\n")
    if not separator or said + "\n" != text or not signatures.endswith("\n"):
        return False
    # Not `splitlines`: a form feed ends no line of a note.
    return any(_line_verifies(line, text.encode(), key) for line in signatures.split("\n") for key in keys)


def _line_verifies(line: str, text: bytes, key: VerifierKey) -> bool:
    prefix = f"— {key.name} "
    if not line.startswith(prefix):
        return False
    try:
        encoded = line[len(prefix) :]
        signature = b64decode(encoded, validate=True)
        # The last character's spare bits are read by nobody: without this, a changed note could still be signed.
        if signature[:4] != key.key_id or b64encode(signature).decode() != encoded:
            return False
        return is_signed(key.public, text, signature[4:])
    except ValueError:
        return False


def _key_id(name: str, public: bytes) -> bytes:
    return sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:4]
