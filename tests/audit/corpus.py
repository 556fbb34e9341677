"""The planted faults: what was done to a good log, and who has to name it, where.

A fault of `format` is named by whoever reads the log format; one of the `rules` only by who knows the words and rules
of the game, and a reader of the format alone must at least not call the file good. `wildcat-draws.json` tells the
second verifier which draws of the game for tests it can compute again.
"""

from __future__ import annotations

from msgspec.structs import replace

from events import chain
from tests.audit import damage
from tests.audit.damage import edited, envelope, forged, resealed, setting, side_edited, with_note
from tests.audit.edits import (
    AWAITING,
    BID,
    BODY,
    DEALT,
    DRILLED,
    END,
    REVEALED,
    SHUFFLED,
    add_digest,
    drop_last_event,
    drop_sd,
    header,
    lie_about_disclosure,
    lines,
    repeat_event,
    same_salt,
)
from tests.audit.kinds import FILE, LAST, LOG, RUNNING, Kind, Named
from tests.audit.logs import SIGNER, STRANGER, finished
from tests.toy.book import WILDCAT

RECEIPT = SIGNER.sign(LOG.game, LAST, chain.entry_hash(LOG.rows[-1][0]))
BACKUP = replace(LOG, rows=LOG.rows[:-2], ended=False)
FORGED_WHOLE = header(with_note(LOG, LOG.note(STRANGER)), vkeys=[STRANGER.vkey])

IN_FILE = [
    Kind("a body changed", edited(FILE, 7, envelope(at=1)), Named(1, "entry_changed", seq=7)),
    Kind("a body's event changed", edited(FILE, 9, setting(0, oil=99)), Named(1, "entry_changed", seq=9)),
    Kind(
        "the last body changed",
        edited(FILE, LAST, setting(END.index, scores=[99, 0, 0])),
        Named(4, "note_differs", seq=LAST),
    ),
    Kind(
        "prev changed",
        edited(FILE, 8, envelope(prev=damage.other_hash())),
        Named(1, "prev_differs", seq=8, field="prev"),
    ),
    Kind(
        "entry 1 follows something",
        edited(FILE, 1, envelope(prev=damage.other_hash())),
        Named(1, "prev_differs", seq=1),
    ),
    Kind("an entry dropped", lines(lambda found: found.pop(BODY[4])), Named(1, "seq_gap", seq=5, field="seq")),
    Kind("an entry twice", lines(lambda found: found.insert(BODY[4], found[BODY[4]])), Named(1, "seq_repeated", seq=4)),
    Kind("entry 1 dropped", lines(lambda found: found.pop(BODY[1])), Named(1, "seq_gap", seq=2)),
    Kind("a number changed", edited(FILE, 6, envelope(seq=60)), Named(1, "seq_gap", seq=60)),
    Kind(
        "two entries exchanged",
        lines(lambda found: found.insert(BODY[2], found.pop(BODY[3]))),
        Named(1, "seq_gap", seq=3),
    ),
    Kind(
        "another game", edited(FILE, 6, envelope(game=str(finished(WILDCAT, 9).game))), Named(1, "game_differs", seq=6)
    ),
    Kind("time goes back", edited(FILE, 6, envelope(at=5)), Named(1, "at_decreases", seq=6, field="at")),
    Kind("no JSON", FILE.replace(b'"seq":6,"v":1}', b'"seq":6,"v":1'), Named(2, "not_json", seq=6)),
    Kind("a space", FILE.replace(b'"seq":6,"v":1}', b'"seq":6, "v":1}'), Named(2, "not_canonical", seq=6)),
    Kind("a member twice", FILE.replace(b'"seq":6,"v":1}', b'"seq":6,"v":1,"v":1}'), Named(2, "not_canonical", seq=6)),
    Kind("a float", FILE.replace(b'"seq":6,"v":1}', b'"seq":6,"v":1.5}'), Named(2, "float", seq=6, field="v")),
    Kind("an unknown member", edited(FILE, 6, envelope(note="x")), Named(2, "envelope", seq=6)),
    Kind("another format version", edited(FILE, 6, envelope(v=2)), Named(2, "envelope", seq=6, field="v")),
    Kind("an actor that is none", edited(FILE, 6, envelope(actor="ana")), Named(2, "envelope", seq=6, field="actor")),
    Kind("no events", edited(FILE, 6, envelope(events=[])), Named(2, "envelope", seq=6, field="events")),
    Kind(
        "a carriage return", FILE.replace(b'"seq":6,"v":1}\n', b'"seq":6,"v":1}\r\n'), Named(2, "not_canonical", seq=6)
    ),
    Kind(
        "carriage returns",
        FILE.replace(b"\n", b"\r\n", 99).replace(b"\r\n", b"\n", 1),
        Named(2, "not_canonical", seq=1),
    ),
    Kind("an empty line", lines(lambda found: found.insert(BODY[3], b"\n")), Named(2, "not_json", seq=3)),
    Kind("no last newline", FILE[:-1], Named(2, "newline_missing")),
    Kind("a second header", lines(lambda found: found.insert(3, found[0])), Named(2, "header_again", line=4)),
    Kind(
        "a line of another kind",
        lines(lambda found: found.insert(3, b'{"kind":"x"}\n')),
        Named(2, "line_unknown", line=4),
    ),
    Kind(
        "the header names other options",
        side_edited(FILE, "header", None, lambda plain: plain.update(options={"rounds": 4})),
        Named(2, "header_differs", line=1, field="options"),
    ),
    Kind(
        "the header names another edition",
        side_edited(FILE, "header", None, lambda plain: plain.update(edition="deluxe")),
        Named(2, "header_differs", field="edition"),
    ),
    Kind(
        "the header names another game",
        side_edited(FILE, "header", None, lambda plain: plain.update(game=finished(WILDCAT, 9).game)),
        Named(1, "game_differs", seq=1),
    ),
    Kind(
        "a disclosure changed",
        side_edited(FILE, "disclosures", DEALT.seq, lie_about_disclosure),
        Named(3, "disclosure_unknown", seq=DEALT.seq),
    ),
    Kind(
        "a disclosure twice",
        side_edited(FILE, "disclosures", 6, lambda plain: plain["disclosures"].append(plain["disclosures"][0])),
        Named(3, "disclosure_repeated", seq=6),
    ),
    Kind(
        "no disclosure",
        side_edited(FILE, "disclosures", 6, lambda plain: plain["disclosures"].append("%%%")),
        Named(3, "disclosure_malformed", seq=6),
    ),
    Kind(
        "an empty line of disclosures",
        side_edited(FILE, "disclosures", 6, lambda plain: plain.update(disclosures=[])),
        Named(3, "disclosures_empty", seq=6),
    ),
    Kind(
        "disclosures for another entry",
        side_edited(FILE, "disclosures", 6, lambda plain: plain.update(seq=7)),
        Named(3, "disclosures_misplaced", seq=7),
    ),
    Kind(
        "disclosures before their entry",
        lines(lambda found: found.insert(BODY[6], found.pop(BODY[6] + 1))),
        Named(3, "disclosures_misplaced", seq=6),
    ),
    Kind("no note", b"".join(damage.lines_of(FILE)[:-1]), Named(4, "note_missing")),
    Kind(
        "the log cut short", lines(lambda found: found.pop(BODY[LAST])), Named(4, "note_of_another_entry", seq=LAST - 1)
    ),
    Kind("a line after the note", FILE + damage.lines_of(FILE)[-1], Named(4, "line_after_note")),
    Kind("an entry after the note", FILE + damage.lines_of(FILE)[BODY[LAST]], Named(4, "line_after_note")),
    Kind("a stranger's note", with_note(LOG, damage.signed_by_stranger(LOG)), Named(4, "note_forged", seq=LAST)),
    Kind("a forged note", with_note(LOG, damage.with_key_id_of_ours(LOG)), Named(4, "note_forged", seq=LAST)),
    Kind("spare bits", with_note(LOG, damage.without_spare_bits(LOG.note())), Named(4, "note_forged", seq=LAST)),
    Kind("a form feed", FILE.replace(b'=\\n"}\n', b'=\\f"}\n'), Named(4, "note_forged", seq=LAST)),
    Kind("another game's note", with_note(LOG, finished(WILDCAT, 9).note()), Named(4, "note_of_another_game")),
    Kind(
        "a note of an earlier entry",
        with_note(LOG, SIGNER.sign(LOG.game, 5, chain.entry_hash(LOG.rows[4][0]))),
        Named(4, "note_of_another_entry"),
    ),
    Kind("a note's line of another entry", with_note(LOG, LOG.note(), 5), Named(4, "note_of_another_entry")),
    Kind("a note that says nothing", with_note(LOG, "hello"), Named(4, "note_malformed")),
    Kind(
        "a malformed key",
        side_edited(FILE, "header", None, lambda plain: plain["vkeys"].append("x+y+z")),
        Named(4, "vkey_malformed", line=1),
    ),
]
BY_THE_SERVER = [
    Kind(
        "an unknown event",
        forged(LOG, {6: setting(0, type="gusher_found")}).export(),
        Named(2, "word_unknown", seq=6, event=0),
        of="rules",
    ),
    Kind(
        "an unknown command",
        forged(LOG, {6: setting(None, type="cheat")}).export(),
        Named(2, "word_unknown", field="command.type"),
        of="rules",
    ),
    Kind(
        "a type that is none", forged(LOG, {9: setting(0, type="Well")}).export(), Named(2, "word_type", seq=9, event=0)
    ),
    Kind(
        "no schema",
        forged(LOG, {9: lambda plain: plain["events"][0].pop("schema")}).export(),
        Named(2, "word_schema", seq=9),
    ),
    Kind(
        "a field too many",
        forged(LOG, {9: setting(0, luck=1)}).export(),
        Named(2, "word_shape", seq=9, event=0),
        of="rules",
    ),
    Kind(
        "a field's type",
        forged(LOG, {9: setting(0, oil="much")}).export(),
        Named(2, "word_shape", seq=9, event=0, field="oil"),
        of="rules",
    ),
    Kind(
        "a command's id",
        forged(LOG, {9: setting(None, id="1")}).export(),
        Named(2, "command_id", seq=9, field="command.id"),
    ),
    Kind(
        "a sealed field in the open",
        forged(LOG, {DEALT.seq: setting(DEALT.index, cards=["c01", "c02"])}).export(),
        Named(2, "sealed_in_clear", seq=DEALT.seq, event=DEALT.index, field="cards"),
        of="rules",
    ),
    Kind(
        "a seal removed",
        forged(LOG, {DEALT.seq: drop_sd}).export(),
        Named(2, "sealed_count", seq=DEALT.seq, event=DEALT.index),
        of="rules",
    ),
    Kind(
        "a seal added",
        forged(LOG, {DEALT.seq: add_digest}).export(),
        Named(2, "sealed_count", seq=DEALT.seq, event=DEALT.index),
        of="rules",
    ),
    Kind(
        "digests that are none",
        forged(LOG, {DEALT.seq: setting(DEALT.index, _sd=["abc"])}).export(),
        Named(2, "sd_shape", seq=DEALT.seq, event=DEALT.index, field="_sd"),
    ),
    Kind(
        "a digest used again",
        forged(LOG, {BID.seq: setting(BID.index, _sd=DEALT.plain["_sd"])}).export(),
        Named(3, "digest_reused", seq=BID.seq),
    ),
    Kind(
        "another commitment",
        forged(LOG, {1: setting(0, seed_commit=damage.other_hash())}).export(),
        Named(6, "seed_differs", seq=LAST, event=END.index, field="server_seed"),
    ),
    Kind(
        "another seed",
        forged(LOG, {LAST: setting(END.index, server_seed=damage.other_hash())}).export(),
        Named(6, "seed_differs", seq=LAST, event=END.index),
    ),
    Kind(
        "words of chance skipped",
        forged(LOG, {DRILLED.seq: setting(DRILLED.index, rng={"label": "dice", "from": 1, "to": 4})}).export(),
        Named(6, "rng_not_contiguous", seq=DRILLED.seq, event=DRILLED.index, field="rng.from"),
    ),
    Kind(
        "words of chance used again",
        forged(LOG, {13: setting(0, rng={"label": "dice", "from": 0, "to": 3})}).export(),
        Named(6, "rng_not_contiguous", seq=13, event=0, field="rng.from"),
    ),
    Kind(
        "more words than the draw takes",
        forged(LOG, {DRILLED.seq: setting(DRILLED.index, rng={"label": "dice", "from": 0, "to": 9})}).export(),
        Named(6, "draw_range_differs", seq=DRILLED.seq, event=DRILLED.index, field="rng.to"),
    ),
    Kind(
        "another die",
        forged(LOG, {DRILLED.seq: setting(DRILLED.index, rolls=[6, 6, 6], oil=18)}).export(),
        Named(6, "draw_outcome_differs", seq=DRILLED.seq, event=DRILLED.index),
    ),
    Kind(
        "a stacked deck",
        resealed(LOG, SHUFFLED.seq, SHUFFLED.index, "order", [f"c{n:02}" for n in range(1, 25)]).export(),
        Named(6, "draw_outcome_differs", seq=SHUFFLED.seq, event=SHUFFLED.index, field="order[0]"),
    ),
    Kind(
        "another client seed",
        forged(LOG, {3: setting(0, client_seed="ff")}).export(),
        Named(7, "event_differs", seq=3, event=0),
        of="rules",
    ),
    Kind(
        "a card from the sleeve",
        resealed(LOG, BID.seq, BID.index, "card", "c24").export(),
        Named(5, "fold_fails", seq=BID.seq),
        of="rules",
    ),
    Kind(
        "a command that the rules refuse",
        forged(LOG, {DRILLED.seq: setting(None, dice=7)}).export(),
        Named(7, "unlawful_move", seq=DRILLED.seq, field="command"),
        of="rules",
    ),
    Kind(
        "a move out of turn",
        forged(LOG, {DRILLED.seq: envelope(actor="seat:2")}).export(),
        Named(7, "unlawful_move", seq=DRILLED.seq),
        of="rules",
    ),
    Kind(
        "a host who plays",
        forged(LOG, {DRILLED.seq: envelope(actor="host")}).export(),
        Named(7, "unlawful_actor", seq=DRILLED.seq),
        of="rules",
    ),
    Kind(
        "one seat takes another",
        forged(LOG, {3: envelope(actor="seat:0")}).export(),
        Named(7, "unlawful_actor", seq=3, field="actor"),
        of="rules",
    ),
    Kind(
        "another winner of the bids",
        forged(LOG, {REVEALED.seq: setting(REVEALED.index, winner=2)}).export(),
        Named(7, "event_differs", seq=REVEALED.seq, event=REVEALED.index, field="winner"),
        of="rules",
    ),
    Kind(
        "another question",
        forged(
            LOG, {AWAITING.seq: setting(AWAITING.index, steps=[{"step": "bids", "awaits": [0], "decision": 5}])}
        ).export(),
        Named(7, "event_differs", seq=AWAITING.seq, event=AWAITING.index),
        of="rules",
    ),
    Kind(
        "nobody is awaited",
        forged(LOG, {9: drop_last_event(9)}).export(),
        Named(5, "nothing_awaited", seq=9),
        of="rules",
    ),
    Kind(
        "an event missing",
        forged(LOG, {9: drop_last_event(9)}).export(),
        Named(7, "event_missing", seq=9, event=1),
        of="rules",
    ),
    Kind(
        "an event too many",
        forged(LOG, {2: repeat_event}).export(),
        Named(7, "event_too_many", seq=2, event=1),
        of="rules",
    ),
    Kind(
        "a game for too many",
        forged(LOG, {1: setting(0, seats=2**40)}).export(),
        Named(7, "unlawful_move", seq=1, field="seats"),
        of="rules",
    ),
    Kind(
        "options that do not exist",
        forged(LOG, {1: setting(0, options={"rounds": 99})}).export(),
        Named(7, "unlawful_move", seq=1, field="options"),
        of="rules",
    ),
    Kind(
        "a log without a creation",
        forged(LOG, {1: lambda plain: plain["events"].pop()}).export(),
        Named(2, "envelope", seq=1),
    ),
    Kind(
        "another winner",
        forged(LOG, {LAST: setting(END.index, winners=[2], standings=[[2], [0, 1]])}).export(),
        Named(7, "event_differs", seq=LAST, event=END.index, field="standings"),
        of="rules",
    ),
    Kind(
        "another score",
        forged(LOG, {LAST: setting(END.index, scores=[1, 2, 3])}).export(),
        Named(7, "event_differs", seq=LAST, event=END.index, field="scores[0]"),
        of="rules",
    ),
    Kind(
        "a score too few",
        forged(LOG, {LAST: setting(END.index, scores=[11, 0])}).export(),
        Named(8, "result_impossible", seq=LAST, event=END.index, field="scores"),
        of="rules",
    ),
    Kind(
        "a place for nobody",
        forged(LOG, {LAST: setting(END.index, standings=[[0], [1]])}).export(),
        Named(8, "result_impossible", seq=LAST, field="standings"),
        of="rules",
    ),
    # what only somebody with a receipt, or with the key from elsewhere, can see
    Kind("an old backup", BACKUP.export(), Named(4, "receipt_lost", seq=LAST), receipts=(RECEIPT,)),
    Kind(
        "a move replaced and signed again",
        forged(LOG, {LAST: envelope(at=1_764_999_999_999)}).export(),
        Named(4, "receipt_differs", seq=LAST),
        receipts=(RECEIPT,),
    ),
    Kind("a whole log forged", FORGED_WHOLE, Named(4, "note_forged", seq=LAST), keys=(SIGNER.vkey,)),
    # disclosures
    Kind("a salt used again", same_salt(LOG).export(), Named(3, "salt_reused", seq=7)),
    Kind(
        "a running game's hands shown to spectators",
        header(RUNNING.export("auditor"), viewer="spectator"),
        Named(3, "disclosed_too_widely", seq=DEALT.seq, event=DEALT.index, field="cards"),
    ),
    Kind(
        "a running game's hand shown to another seat",
        header(RUNNING.export("seat:1"), viewer="seat:2"),
        Named(3, "disclosed_too_widely", seq=DEALT.seq),
        of="rules",
    ),
]

KINDS = [*IN_FILE, *BY_THE_SERVER]
