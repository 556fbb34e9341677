"""Signatures checked in plain Python and by libsodium: RFC 8032's vectors, and what `cryptography` says of others."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from events import ed25519, signature
from tests.effort import examples

# RFC 8032, section 7.1: public key, message, signature.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        (
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
            "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        ),
    ),
]

ORDER = 2**252 + 27742317777372353535851937790883648493


def of_cryptography(public: bytes, message: bytes, signed: bytes) -> bool:
    """A second library's answer."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signed, message)
    except InvalidSignature:
        return False
    return True


ALL = (ed25519.is_signed, signature.is_signed, of_cryptography)


@pytest.mark.parametrize(("public", "message", "signed"), VECTORS, ids=range(4))
def test_the_vectors_of_the_rfc(public: str, message: str, signed: str) -> None:
    for is_signed in ALL:
        assert is_signed(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signed))
        assert not is_signed(bytes.fromhex(public), bytes.fromhex(message) + b"x", bytes.fromhex(signed))


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=80), st.integers(0, 64 * 8 - 1))
@examples(60)
def test_it_says_what_cryptography_says_of_good_and_changed_signatures(seed: bytes, message: bytes, bit: int) -> None:
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public = private.public_key().public_bytes_raw()
    signed = private.sign(message)
    changed = (int.from_bytes(signed, "little") ^ 1 << bit).to_bytes(64, "little")
    assert [is_signed(public, message, signed) for is_signed in ALL] == [True] * 3
    assert [is_signed(public, message, changed) for is_signed in ALL] == [False] * 3
    assert [is_signed(public, message, signed[:-1]) for is_signed in ALL] == [False] * 3


@given(st.binary(min_size=32, max_size=32))
@examples(60)
def test_a_key_that_is_no_point_signs_nothing(public: bytes) -> None:
    answers = []
    for is_signed in ALL:
        try:
            answers.append(is_signed(public, b"", bytes(64)))
        except ValueError:
            answers.append(False)
    assert answers == [False] * 3


def test_the_second_spelling_of_a_signature_is_refused() -> None:
    """The scalar and the scalar plus the order sign alike: only the smaller counts (RFC 8032, section 5.1.7)."""
    public, message, signed = (bytes.fromhex(text) for text in VECTORS[1])
    again = int.from_bytes(signed[32:], "little") + ORDER
    for is_signed in ALL:
        assert not is_signed(public, message, signed[:32] + again.to_bytes(32, "little"))


@pytest.mark.parametrize(
    "public", [b"", bytes(31), b"\xff" * 32, (2).to_bytes(32, "little"), b"\x01" + bytes(30) + b"\x80"]
)
def test_what_is_no_key_is_refused(public: bytes) -> None:
    with pytest.raises(ValueError, match="curve"):
        ed25519.is_signed(public, b"", bytes(64))
