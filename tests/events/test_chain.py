"""Hashes, sealed fields and signed heads, held against values of another implementation."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from events import chain
from events.opening import open_object, read_body
from tests.sealing import disclose
from tests.vectors.reading import vectors

GAME = "0198c0de-0000-7000-8000-00000000abcd"
SIGNER = chain.HeadSigner("example.org/gusher/head", bytes(32))
OTHER = chain.HeadSigner("example.org/gusher/head", bytes([1] * 32))


def test_the_vectors_entries_hash_and_chain() -> None:
    prev = chain.GENESIS
    for entry in vectors()["log"]["entries"]:
        body = read_body(entry["body"].encode())
        assert body.prev == prev
        prev = chain.entry_hash(entry["body"].encode())
        assert prev == entry["hash"]


def test_the_vectors_tampered_body_has_its_own_hash() -> None:
    tampered = vectors()["log"]["tampered"]
    good = vectors()["log"]["entries"][tampered["seq"] - 1]["hash"]
    assert chain.entry_hash(tampered["body"].encode()) == tampered["hash"] != good


def test_the_vectors_disclosures_are_made_again() -> None:
    sealed = [one for entry in vectors()["log"]["entries"] for one in entry.get("disclosures", ())]
    assert len(sealed) == 5
    for one in sealed:
        field = chain.read_disclosure(one["disclosure"])
        assert disclose(chain.from_base64url(field.salt), field.name, field.value) == one["disclosure"]
        assert chain.digest_of(one["disclosure"]) == one["digest"]


def test_the_vectors_sealed_objects_open() -> None:
    for entry in vectors()["log"]["entries"]:
        body = read_body(entry["body"].encode())
        opened = {one["digest"]: one["disclosure"] for one in entry.get("disclosures", ())}
        for word in (body.command, *body.events):
            plain, closed = open_object(word, opened)
            assert closed == 0
            assert "_sd" not in plain
            assert open_object(word, {})[1] == len(word.get("_sd", ()))


def test_the_vectors_note_is_made_again() -> None:
    note = vectors()["note"]
    name = note["vkey"].split("+")[0]
    signer = chain.HeadSigner(name, bytes.fromhex(note["private_key_seed"]))
    last = vectors()["log"]["entries"][-1]
    assert signer.vkey == note["vkey"]
    assert signer.sign(GAME, 5, last["hash"]) == note["note"]
    text = chain.head_text(GAME, 5, last["hash"])
    assert chain.note_is_signed(note["note"], text, [chain.read_vkey(note["vkey"])])


# ---- sealed fields


@given(st.binary(min_size=16, max_size=16), st.from_regex(r"\A[a-z]{1,8}\Z"), st.lists(st.text(max_size=5), max_size=5))
def test_a_disclosure_says_what_was_sealed(salt: bytes, name: str, value: list[str]) -> None:
    text = disclose(salt, name, value)
    assert "=" not in text
    assert chain.read_disclosure(text) == chain.Disclosure(chain.base64url(salt), name, value)
    assert len(chain.from_base64url(chain.digest_of(text))) == 32


@pytest.mark.parametrize(
    "plain",
    [
        ["c2hvcnQ", "card", "c01"],
        ["AQEBAQEBAQEBAQEBAQEBAQ", "_sd", []],
        ["AQEBAQEBAQEBAQEBAQEBAQ", "card"],
        ["AQEBAQEBAQEBAQEBAQEBAQ", "card", 1, 2],
        ["AQEBAQEBAQEBAQEBAQEBAR", "card", 1],
        ["AQEBAQEBAQEBAQEBAQEBAQ==", "card", 1],
        [1, "card", 1],
        {"salt": 1},
        "card",
    ],
)
def test_what_is_no_disclosure_is_refused(plain: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - every spelling has its own message
        chain.read_disclosure(chain.base64url(msgspec.json.encode(plain)))


@pytest.mark.parametrize("text", ["", "=", "a", "+/+/", "é", "AQ==", "AR", "A Q", "AQ\n"])
def test_base64url_has_one_spelling(text: str) -> None:
    if text == "":
        assert chain.from_base64url(text) == b""
        return
    with pytest.raises(ValueError):  # noqa: PT011
        chain.from_base64url(text)


def test_a_digest_cannot_be_opened_by_guessing_the_card() -> None:
    """The same card under two salts has two digests, and none of them is a hash of the card alone."""
    digests = {chain.digest_of(disclose(bytes([n] * 16), "card", "c01")) for n in range(50)}
    assert len(digests) == 50


# ---- signed heads


HEAD = "ab" * 32
NOTE = SIGNER.sign(GAME, 7, HEAD)
TEXT = chain.head_text(GAME, 7, HEAD)


def signed_text(text: str, seed: bytes, key_id: bytes, name: str = SIGNER.key.name) -> str:
    """A note over any text."""
    signature = Ed25519PrivateKey.from_private_bytes(seed).sign(text.encode())
    return f"{text}\n— {name} {b64encode(key_id + signature).decode()}\n"


def test_a_note_is_signed_by_its_key_and_no_other() -> None:
    assert chain.note_is_signed(NOTE, TEXT, [SIGNER.key])
    assert chain.note_is_signed(NOTE, TEXT, [OTHER.key, SIGNER.key])
    assert not chain.note_is_signed(NOTE, TEXT, [OTHER.key])
    assert not chain.note_is_signed(NOTE, TEXT, [])


def test_a_note_says_one_text() -> None:
    assert not chain.note_is_signed(NOTE, chain.head_text(GAME, 8, HEAD), [SIGNER.key])
    assert not chain.note_is_signed(NOTE.replace("\n7\n", "\n8\n"), chain.head_text(GAME, 8, HEAD), [SIGNER.key])


def test_a_wrong_key_id_or_name_is_no_signature() -> None:
    good = signed_text(TEXT, bytes(32), SIGNER.key.key_id)
    assert good == NOTE
    assert not chain.note_is_signed(signed_text(TEXT, bytes(32), OTHER.key.key_id), TEXT, [SIGNER.key, OTHER.key])
    assert not chain.note_is_signed(signed_text(TEXT, bytes(32), SIGNER.key.key_id, "x"), TEXT, [SIGNER.key])
    assert not chain.note_is_signed(signed_text(TEXT, bytes([1] * 32), SIGNER.key.key_id), TEXT, [SIGNER.key])


def test_a_second_signature_of_somebody_else_does_no_harm() -> None:
    both = NOTE + OTHER.sign(GAME, 7, HEAD).partition("\n\n")[2]
    assert chain.note_is_signed(both, TEXT, [SIGNER.key])
    assert chain.note_is_signed(both, TEXT, [OTHER.key])


@given(st.integers(0, len(NOTE) - 1), st.characters(codec="ascii"))
def test_a_note_with_any_character_changed_is_not_signed(position: int, letter: str) -> None:
    changed = NOTE[:position] + letter + NOTE[position + 1 :]
    text = changed.partition("\n\n")[0] + "\n"
    assert changed == NOTE or not chain.note_is_signed(changed, text, [SIGNER.key])


def test_a_verifier_key_comes_back() -> None:
    assert chain.read_vkey(SIGNER.vkey) == SIGNER.key


@pytest.mark.parametrize(
    "vkey",
    [
        "",
        "a",
        "a+b",
        "a+b+c",
        SIGNER.vkey + "=",
        SIGNER.vkey.upper(),
        SIGNER.vkey.replace("example", "Example"),
        SIGNER.vkey.replace("+AT", "+Ag"),
        SIGNER.vkey.replace("+AT", "+ AT"),
        f"{SIGNER.key.name}+{OTHER.key.key_id.hex()}+{SIGNER.vkey.rpartition('+')[2]}",
    ],
)
def test_a_malformed_verifier_key_is_refused(vkey: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        chain.read_vkey(vkey)
