"""Whether a signature is a key's: libsodium says so where PyNaCl is installed, else `events.ed25519`."""

from __future__ import annotations

try:
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey
except ImportError:
    from events.ed25519 import is_signed
else:

    def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
        """Whether the signature of the message is this key's. Raises `ValueError` where the key is none."""
        key = VerifyKey(public)
        try:
            key.verify(message, signature)
        except (BadSignatureError, ValueError):  # the other one where it has no 64 bytes
            return False
        return True


__all__ = ["is_signed"]
