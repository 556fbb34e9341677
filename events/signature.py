"""Whether a signature is a key's: `cryptography` says so where it is installed, else `events.ed25519`."""

from __future__ import annotations

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    from events.ed25519 import is_signed
else:

    def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
        """Whether the signature of the message is this key's. Raises `ValueError` where the key is none."""
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        except InvalidSignature:
            return False
        return True


__all__ = ["is_signed"]
