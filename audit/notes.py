"""Check 4: the last entry is signed, and every receipt that somebody kept fits the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from audit.report import Ledger
from events import chain
from events.export import Note


class Head(Struct, frozen=True):
    """What a note says: this game has an entry of this number and hash."""

    game: str
    seq: int
    hash: str


def read_head(note: str) -> Head | None:
    """What a note says, whoever signed it; None where it is no head's note."""
    lines = note.split("\n")
    match lines[:5]:
        case ["gusher/head/v1", game, seq, head, ""] if seq.isascii() and seq.isdecimal() and len(seq) < 17:
            said = Head(game, int(seq), head)
            return said if note.startswith(chain.head_text(game, said.seq, head)) else None
    return None


def read_keys(vkeys: Sequence[str], ledger: Ledger) -> list[chain.VerifierKey]:
    """The keys of the header that are verifier keys."""
    keys = []
    for vkey in vkeys:
        try:
            keys.append(chain.read_vkey(vkey))
        except ValueError as error:
            ledger.find(4, "vkey_malformed", f"no Ed25519 verifier key: {error}", line=1, field="vkeys")
    return keys


class Notes(Struct, frozen=True):
    """Checks signed heads. `trusted` keys, where somebody brought them, stand in for those of the file itself."""

    keys: list[chain.VerifierKey]
    trusted: list[chain.VerifierKey]
    ledger: Ledger

    def check(self, note: Note | None, line: int, game: str, hashes: Mapping[int, str]) -> str | None:
        """The hash that a well-signed note gives to the last entry; None, with a finding, where there is none."""
        if note is None:
            self.ledger.find(4, "note_missing", "no signed head at the end: the log may have been cut short", line=line)
            return None
        said = read_head(note.note)
        last = max(hashes, default=0)
        place = {"line": line, "seq": last}
        if said is None:
            self.ledger.find(4, "note_malformed", "the four lines of a head are not there", **place)
            return None
        signer = self._signer(note.note)
        if signer is None:
            whose = "a trusted key" if self.trusted else "a key of the header"
            self.ledger.find(4, "note_forged", f"not signed by {whose}", **place)
            return None
        self.ledger.facts.signed_by = signer.name
        self._compare(said, note, game, hashes, place)
        return said.hash if said.seq == last else None

    def check_receipt(self, receipt: str, game: str, hashes: Mapping[int, str]) -> None:
        """A head that somebody was given when moving: the log has that very entry."""
        said = read_head(receipt)
        if said is None or self._signer(receipt) is None:
            self.ledger.leave(4, "receipt_forged", "a receipt is no head signed by one of the keys: it proves nothing")
        elif said.game != game:
            self.ledger.leave(4, "receipt_of_another_game", f"a receipt is for {said.game}", seq=said.seq)
        elif said.seq not in hashes:
            words = f"a receipt is for entry {said.seq}, and the log has none"
            self.ledger.find(4, "receipt_lost", words, seq=said.seq)
        elif hashes[said.seq] != said.hash:
            words = f"a receipt gives entry {said.seq} another hash: it was rewritten after it was signed"
            self.ledger.find(4, "receipt_differs", words, seq=said.seq)

    def _compare(self, said: Head, note: Note, game: str, hashes: Mapping[int, str], place: dict[str, int]) -> None:
        last = place["seq"]
        if said.game != game:
            self.ledger.find(4, "note_of_another_game", f"the note signs {said.game}", **place)
        elif said.seq != last or note.seq != said.seq:
            words = f"the note signs entry {said.seq}, its line says {note.seq}, the log ends at entry {last}"
            self.ledger.find(4, "note_of_another_entry", words, **place)
        elif said.hash != hashes.get(last):
            words = f"the note signs another entry {said.seq}: it was changed after it was signed"
            self.ledger.find(4, "note_differs", words, **place)

    def _signer(self, note: str) -> chain.VerifierKey | None:
        text = note.partition("\n\n")[0] + "\n"
        keys = self.trusted or self.keys
        return next((key for key in keys if chain.note_is_signed(note, text, [key])), None)
