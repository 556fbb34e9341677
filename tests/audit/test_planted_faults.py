"""Every kind of damage is found and named: the entry, the event, the field, and a stable code."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from audit import Report, audit_file, audit_lines
from audit.reading import lines_of
from events import chain
from tests.audit import damage
from tests.audit.damage import edited, envelope, find, forged, resealed, setting, side_edited, with_note
from tests.audit.logs import SIGNER, STRANGER, Log, finished, running
from tests.toy.book import WILDCAT

GAMES = {"wildcat": WILDCAT}
LOG = finished(WILDCAT, number=3, seats=3)
FILE = LOG.export()
LAST = len(LOG.rows)


def audit(file: bytes, **given: Any) -> Report:
    return audit_lines(lines_of(io.BytesIO(file)), games=GAMES, **given)


def has(report: Report, code: str, **where: Any) -> bool:
    return any(
        one.code == code and all(getattr(one, name) == value for name, value in where.items())
        for one in report.findings
    )


def lines(change: Callable[[list[bytes]], Any]) -> bytes:
    """The good file with its list of lines changed in place."""
    found = damage.lines_of(FILE)
    change(found)
    return b"".join(found)


BODY = {seq: damage.line_of(FILE, seq) for seq in range(1, LAST + 1)}
DEALT = find(LOG, "cards_dealt")
BID = find(LOG, "bid_sealed")
DRILLED = find(LOG, "well_drilled")
REVEALED = find(LOG, "bids_revealed")
SHUFFLED = find(LOG, "deck_shuffled")
END = find(LOG, "game_finished")
AWAITING = find(LOG, "awaiting", 3)


def _drop_sd(plain: dict[str, Any]) -> None:
    del plain["events"][DEALT.index]["_sd"]


def _add_digest(plain: dict[str, Any]) -> None:
    word = plain["events"][DEALT.index]
    word["_sd"] = sorted([*word["_sd"], chain.base64url(bytes(32))])


def _drop_last_event(seq: int) -> Callable[[dict[str, Any]], None]:
    def edit(plain: dict[str, Any]) -> None:
        assert plain["seq"] == seq
        plain["events"].pop()

    return edit


def _repeat_event(plain: dict[str, Any]) -> None:
    plain["events"].insert(0, plain["events"][0])


def _lie_about_disclosure(plain: dict[str, Any]) -> None:
    field = chain.read_disclosure(plain["disclosures"][1])
    plain["disclosures"][1] = chain.disclose(chain.from_base64url(field.salt), field.name, ["c01", "c02"])


IN_FILE: list[tuple[str, bytes, str, dict[str, Any]]] = [
    # chain
    ("a body changed", edited(FILE, 7, envelope(at=1)), "entry_changed", {"seq": 7}),
    ("a body's event changed", edited(FILE, 9, setting(0, oil=99)), "entry_changed", {"seq": 9}),
    (
        "the last body changed",
        edited(FILE, LAST, setting(END.index, scores=[99, 0, 0])),
        "note_differs",
        {"seq": LAST},
    ),
    ("prev changed", edited(FILE, 8, envelope(prev=damage.other_hash())), "prev_differs", {"seq": 8, "field": "prev"}),
    ("entry 1 follows something", edited(FILE, 1, envelope(prev=damage.other_hash())), "prev_differs", {"seq": 1}),
    ("an entry dropped", lines(lambda found: found.pop(BODY[4])), "seq_gap", {"seq": 5, "field": "seq"}),
    ("an entry twice", lines(lambda found: found.insert(BODY[4], found[BODY[4]])), "seq_repeated", {"seq": 4}),
    ("entry 1 dropped", lines(lambda found: found.pop(BODY[1])), "seq_gap", {"seq": 2}),
    ("a number changed", edited(FILE, 6, envelope(seq=60)), "seq_gap", {"seq": 60}),
    (
        "two entries exchanged",
        lines(lambda found: found.insert(BODY[2], found.pop(BODY[3]))),
        "seq_gap",
        {"seq": 3},
    ),
    ("another game", edited(FILE, 6, envelope(game=str(finished(WILDCAT, 9).game))), "game_differs", {"seq": 6}),
    ("time goes back", edited(FILE, 6, envelope(at=5)), "at_decreases", {"seq": 6, "field": "at"}),
    # form
    ("no JSON", FILE.replace(b'"seq":6,"v":1}', b'"seq":6,"v":1'), "not_json", {"seq": 6}),
    ("a space", FILE.replace(b'"seq":6,"v":1}', b'"seq":6, "v":1}'), "not_canonical", {"seq": 6}),
    ("a member twice", FILE.replace(b'"seq":6,"v":1}', b'"seq":6,"v":1,"v":1}'), "not_canonical", {"seq": 6}),
    ("a float", FILE.replace(b'"seq":6,"v":1}', b'"seq":6,"v":1.5}'), "float", {"seq": 6, "field": "v"}),
    ("an unknown member", edited(FILE, 6, envelope(note="x")), "envelope", {"seq": 6}),
    ("another format version", edited(FILE, 6, envelope(v=2)), "envelope", {"seq": 6, "field": "v"}),
    ("an actor that is none", edited(FILE, 6, envelope(actor="ana")), "envelope", {"seq": 6, "field": "actor"}),
    ("no events", edited(FILE, 6, envelope(events=[])), "envelope", {"seq": 6, "field": "events"}),
    ("a carriage return", FILE.replace(b'"seq":6,"v":1}\n', b'"seq":6,"v":1}\r\n'), "not_canonical", {"seq": 6}),
    ("carriage returns", FILE.replace(b"\n", b"\r\n", 99).replace(b"\r\n", b"\n", 1), "not_canonical", {"seq": 1}),
    ("an empty line", lines(lambda found: found.insert(BODY[3], b"\n")), "not_json", {"seq": 3}),
    ("no last newline", FILE[:-1], "newline_missing", {}),
    ("a second header", lines(lambda found: found.insert(3, found[0])), "header_again", {"line": 4}),
    ("a line of another kind", lines(lambda found: found.insert(3, b'{"kind":"x"}\n')), "line_unknown", {"line": 4}),
    (
        "the header names other options",
        side_edited(FILE, "header", None, lambda plain: plain.update(options={"rounds": 4})),
        "header_differs",
        {"line": 1, "field": "options"},
    ),
    (
        "the header names another edition",
        side_edited(FILE, "header", None, lambda plain: plain.update(edition="deluxe")),
        "header_differs",
        {"field": "edition"},
    ),
    (
        "the header names another game",
        side_edited(FILE, "header", None, lambda plain: plain.update(game=finished(WILDCAT, 9).game)),
        "game_differs",
        {"seq": 1},
    ),
    # disclosures
    (
        "a disclosure changed",
        side_edited(FILE, "disclosures", DEALT.seq, _lie_about_disclosure),
        "disclosure_unknown",
        {"seq": DEALT.seq},
    ),
    (
        "a disclosure twice",
        side_edited(FILE, "disclosures", 6, lambda plain: plain["disclosures"].append(plain["disclosures"][0])),
        "disclosure_repeated",
        {"seq": 6},
    ),
    (
        "no disclosure",
        side_edited(FILE, "disclosures", 6, lambda plain: plain["disclosures"].append("%%%")),
        "disclosure_malformed",
        {"seq": 6},
    ),
    (
        "an empty line of disclosures",
        side_edited(FILE, "disclosures", 6, lambda plain: plain.update(disclosures=[])),
        "disclosures_empty",
        {"seq": 6},
    ),
    (
        "disclosures for another entry",
        side_edited(FILE, "disclosures", 6, lambda plain: plain.update(seq=7)),
        "disclosures_misplaced",
        {"seq": 7},
    ),
    (
        "disclosures before their entry",
        lines(lambda found: found.insert(BODY[6], found.pop(BODY[6] + 1))),
        "disclosures_misplaced",
        {"seq": 6},
    ),
    # note
    ("no note", b"".join(damage.lines_of(FILE)[:-1]), "note_missing", {}),
    ("the log cut short", lines(lambda found: found.pop(BODY[LAST])), "note_of_another_entry", {"seq": LAST - 1}),
    ("a line after the note", FILE + damage.lines_of(FILE)[-1], "line_after_note", {}),
    ("an entry after the note", FILE + damage.lines_of(FILE)[BODY[LAST]], "line_after_note", {}),
    ("a stranger's note", with_note(LOG, damage.signed_by_stranger(LOG)), "note_forged", {"seq": LAST}),
    ("a forged note", with_note(LOG, damage.with_key_id_of_ours(LOG)), "note_forged", {"seq": LAST}),
    ("spare bits", with_note(LOG, damage.without_spare_bits(LOG.note())), "note_forged", {"seq": LAST}),
    ("a form feed", FILE.replace(b'=\\n"}\n', b'=\\f"}\n'), "note_forged", {"seq": LAST}),
    ("another game's note", with_note(LOG, finished(WILDCAT, 9).note()), "note_of_another_game", {}),
    (
        "a note of an earlier entry",
        with_note(LOG, SIGNER.sign(LOG.game, 5, chain.entry_hash(LOG.rows[4][0]))),
        "note_of_another_entry",
        {},
    ),
    ("a note's line of another entry", with_note(LOG, LOG.note(), 5), "note_of_another_entry", {}),
    ("a note that says nothing", with_note(LOG, "hello"), "note_malformed", {}),
    (
        "a malformed key",
        side_edited(FILE, "header", None, lambda plain: plain["vkeys"].append("x+y+z")),
        "vkey_malformed",
        {"line": 1},
    ),
]

BY_THE_SERVER: list[tuple[str, Log, str, dict[str, Any]]] = [
    # form
    ("an unknown event", forged(LOG, {6: setting(0, type="gusher_found")}), "word_unknown", {"seq": 6, "event": 0}),
    ("an unknown command", forged(LOG, {6: setting(None, type="cheat")}), "word_unknown", {"field": "command.type"}),
    ("a type that is none", forged(LOG, {9: setting(0, type="Well")}), "word_type", {"seq": 9, "event": 0}),
    ("no schema", forged(LOG, {9: lambda plain: plain["events"][0].pop("schema")}), "word_schema", {"seq": 9}),
    ("a field too many", forged(LOG, {9: setting(0, luck=1)}), "word_shape", {"seq": 9, "event": 0}),
    ("a field's type", forged(LOG, {9: setting(0, oil="much")}), "word_shape", {"seq": 9, "event": 0, "field": "oil"}),
    ("a command's id", forged(LOG, {9: setting(None, id="1")}), "command_id", {"seq": 9, "field": "command.id"}),
    (
        "a sealed field in the open",
        forged(LOG, {DEALT.seq: setting(DEALT.index, cards=["c01", "c02"])}),
        "sealed_in_clear",
        {"seq": DEALT.seq, "event": DEALT.index, "field": "cards"},
    ),
    ("a seal removed", forged(LOG, {DEALT.seq: _drop_sd}), "sealed_count", {"seq": DEALT.seq, "event": DEALT.index}),
    ("a seal added", forged(LOG, {DEALT.seq: _add_digest}), "sealed_count", {"seq": DEALT.seq, "event": DEALT.index}),
    (
        "digests that are none",
        forged(LOG, {DEALT.seq: setting(DEALT.index, _sd=["abc"])}),
        "sd_shape",
        {"seq": DEALT.seq, "event": DEALT.index, "field": "_sd"},
    ),
    (
        "a digest used again",
        forged(LOG, {BID.seq: setting(BID.index, _sd=DEALT.plain["_sd"])}),
        "digest_reused",
        {"seq": BID.seq},
    ),
    # chance
    (
        "another commitment",
        forged(LOG, {1: setting(0, seed_commit=damage.other_hash())}),
        "seed_differs",
        {"seq": LAST, "event": END.index, "field": "server_seed"},
    ),
    (
        "another seed",
        forged(LOG, {LAST: setting(END.index, server_seed=damage.other_hash())}),
        "seed_differs",
        {"seq": LAST, "event": END.index},
    ),
    (
        "words of chance skipped",
        forged(LOG, {DRILLED.seq: setting(DRILLED.index, rng={"label": "dice", "from": 1, "to": 4})}),
        "rng_not_contiguous",
        {"seq": DRILLED.seq, "event": DRILLED.index, "field": "rng.from"},
    ),
    (
        "words of chance used again",
        forged(LOG, {13: setting(0, rng={"label": "dice", "from": 0, "to": 3})}),
        "rng_not_contiguous",
        {"seq": 13, "event": 0, "field": "rng.from"},
    ),
    (
        "more words than the draw takes",
        forged(LOG, {DRILLED.seq: setting(DRILLED.index, rng={"label": "dice", "from": 0, "to": 9})}),
        "draw_range_differs",
        {"seq": DRILLED.seq, "event": DRILLED.index, "field": "rng.to"},
    ),
    (
        "another die",
        forged(LOG, {DRILLED.seq: setting(DRILLED.index, rolls=[6, 6, 6], oil=18)}),
        "draw_outcome_differs",
        {"seq": DRILLED.seq, "event": DRILLED.index},
    ),
    (
        "a stacked deck",
        resealed(LOG, SHUFFLED.seq, SHUFFLED.index, "order", [f"c{n:02}" for n in range(1, 25)]),
        "draw_outcome_differs",
        {"seq": SHUFFLED.seq, "event": SHUFFLED.index, "field": "order[0]"},
    ),
    ("another client seed", forged(LOG, {3: setting(0, client_seed="ff")}), "event_differs", {"seq": 3, "event": 0}),
    # moves
    (
        "a card from the sleeve",
        resealed(LOG, BID.seq, BID.index, "card", "c24"),
        "fold_fails",
        {"seq": BID.seq},
    ),
    (
        "a command that the rules refuse",
        forged(LOG, {DRILLED.seq: setting(None, dice=7)}),
        "unlawful_move",
        {"seq": DRILLED.seq, "field": "command"},
    ),
    (
        "a move out of turn",
        forged(LOG, {DRILLED.seq: envelope(actor="seat:2")}),
        "unlawful_move",
        {"seq": DRILLED.seq},
    ),
    ("a host who plays", forged(LOG, {DRILLED.seq: envelope(actor="host")}), "unlawful_actor", {"seq": DRILLED.seq}),
    (
        "one seat takes another",
        forged(LOG, {3: envelope(actor="seat:0")}),
        "unlawful_actor",
        {"seq": 3, "field": "actor"},
    ),
    (
        "another winner of the bids",
        forged(LOG, {REVEALED.seq: setting(REVEALED.index, winner=2)}),
        "event_differs",
        {"seq": REVEALED.seq, "event": REVEALED.index, "field": "winner"},
    ),
    (
        "another question",
        forged(LOG, {AWAITING.seq: setting(AWAITING.index, steps=[{"step": "bids", "awaits": [0], "decision": 5}])}),
        "event_differs",
        {"seq": AWAITING.seq, "event": AWAITING.index},
    ),
    ("nobody is awaited", forged(LOG, {9: _drop_last_event(9)}), "nothing_awaited", {"seq": 9}),
    ("an event missing", forged(LOG, {9: _drop_last_event(9)}), "event_missing", {"seq": 9, "event": 1}),
    ("an event too many", forged(LOG, {2: _repeat_event}), "event_too_many", {"seq": 2, "event": 1}),
    ("a game for too many", forged(LOG, {1: setting(0, seats=2**40)}), "unlawful_move", {"seq": 1, "field": "seats"}),
    (
        "options that do not exist",
        forged(LOG, {1: setting(0, options={"rounds": 99})}),
        "unlawful_move",
        {"seq": 1, "field": "options"},
    ),
    ("a log without a creation", forged(LOG, {1: lambda plain: plain["events"].pop()}), "envelope", {"seq": 1}),
    # result
    (
        "another winner",
        forged(LOG, {LAST: setting(END.index, winners=[2], standings=[[2], [0, 1]])}),
        "event_differs",
        {"seq": LAST, "event": END.index, "field": "standings"},
    ),
    (
        "another score",
        forged(LOG, {LAST: setting(END.index, scores=[1, 2, 3])}),
        "event_differs",
        {"seq": LAST, "event": END.index, "field": "scores[0]"},
    ),
    (
        "a score too few",
        forged(LOG, {LAST: setting(END.index, scores=[11, 0])}),
        "result_impossible",
        {"seq": LAST, "event": END.index, "field": "scores"},
    ),
    (
        "a place for nobody",
        forged(LOG, {LAST: setting(END.index, standings=[[0], [1]])}),
        "result_impossible",
        {"seq": LAST, "field": "standings"},
    ),
]


@pytest.mark.parametrize(("file", "code", "where"), [row[1:] for row in IN_FILE], ids=[row[0] for row in IN_FILE])
def test_damage_to_the_file_is_named(file: bytes, code: str, where: dict[str, Any]) -> None:
    assert file != FILE
    report = audit(file)
    assert (report.verdict, report.exit) == ("broken", 1)
    assert has(report, code, **where), report.findings


@pytest.mark.parametrize(
    ("log", "code", "where"), [row[1:] for row in BY_THE_SERVER], ids=[row[0] for row in BY_THE_SERVER]
)
def test_what_a_lying_server_signed_is_named(log: Log, code: str, where: dict[str, Any]) -> None:
    """The chain is whole and the signature good: only what the log says is wrong."""
    assert log.rows != LOG.rows
    report = audit(log.export())
    assert (report.verdict, report.exit) == ("broken", 1)
    assert has(report, code, **where), report.findings
    assert not any(one.check in {1, 4} for one in report.findings)


def test_an_untouched_log_is_good_for_every_viewer() -> None:
    for viewer in ("spectator", "seat:0", "seat:2", "auditor"):
        report = audit(LOG.export(viewer))
        assert (report.verdict, report.exit, report.unchecked) == ("good", 0, ())
        assert report.counts.decided == report.counts.entries == LAST


def test_a_missing_disclosure_is_incomplete_and_listed() -> None:
    file = lines(lambda found: found.pop(BODY[6] + 1))
    report = audit(file)
    assert (report.verdict, report.exit) == ("incomplete", 2)
    listed = [(one.code, one.seq) for one in report.unchecked if one.code == "sealed"]
    assert listed == [("sealed", 6), ("sealed", 6)]
    assert report.counts.decided == 5


def test_a_receipt_proves_an_entry_that_was_rewritten_or_lost(tmp_path: Path) -> None:
    """The server replaced the last move and signed again; the player kept the first signature."""
    receipt = tmp_path / "receipt"
    receipt.write_text(SIGNER.sign(LOG.game, LAST, chain.entry_hash(LOG.rows[-1][0])))
    rewritten = forged(LOG, {LAST: envelope(at=1_764_999_999_999)})
    cut = replace(LOG, rows=LOG.rows[:-1], ended=False)
    assert audit(rewritten.export()).verdict == "good"
    for log, code in ((LOG, None), (rewritten, "receipt_differs"), (cut, "receipt_lost")):
        file = tmp_path / "game.jsonl"
        file.write_bytes(log.export())
        report = audit_file(file, games=GAMES, receipts=[receipt])
        assert has(report, code, seq=LAST) if code else report.verdict == "good"


def test_a_trusted_key_replaces_the_files_own() -> None:
    assert audit(FILE, keys=[SIGNER.vkey]).verdict == "good"
    assert has(audit(FILE, keys=[STRANGER.vkey]), "note_forged")
    forged_whole = side_edited(
        with_note(LOG, LOG.note(STRANGER)), "header", None, lambda plain: plain.update(vkeys=[STRANGER.vkey])
    )
    assert audit(forged_whole).verdict == "good"
    assert has(audit(forged_whole, keys=[SIGNER.vkey]), "note_forged")


def test_a_running_games_export_that_shows_too_much_is_named() -> None:
    """A spectator's file that opens a hand is a leak, though every digest fits."""
    log = running(WILDCAT, 3, 3)
    leaky = side_edited(log.export("auditor"), "header", None, lambda plain: plain.update(viewer="spectator"))
    report = audit(leaky)
    assert has(report, "disclosed_too_widely", seq=DEALT.seq, event=DEALT.index, field="cards")
    other_seat = side_edited(log.export("seat:1"), "header", None, lambda plain: plain.update(viewer="seat:2"))
    assert has(audit(other_seat), "disclosed_too_widely", seq=DEALT.seq)


def test_a_salt_used_twice_is_named() -> None:
    salt = chain.read_disclosure(str(LOG.rows[5][1][0].disclosure)).salt

    def same_salt(one: Any) -> Any:
        field = chain.read_disclosure(one.disclosure)
        text = chain.disclose(chain.from_base64url(salt), field.name, field.value)
        return replace(one, digest=chain.digest_of(text), disclosure=text)

    rows = [(body, tuple(map(same_salt, sealed)) if n == 6 else sealed) for n, (body, sealed) in enumerate(LOG.rows)]
    targets = dict(zip((one.digest for one in LOG.rows[6][1]), (one.digest for one in rows[6][1]), strict=True))

    def edit(plain: dict[str, Any]) -> None:
        for word in (plain["command"], *plain["events"]):
            if "_sd" in word:
                word["_sd"] = sorted(targets[one] for one in word["_sd"])

    assert has(audit(forged(replace(LOG, rows=rows), {7: edit}).export()), "salt_reused", seq=7)


def test_the_report_for_programs_is_one_json_object() -> None:
    report = audit(edited(FILE, 7, envelope(at=1)))
    plain = msgspec.json.decode(report.to_json())
    assert plain["report"] == "gusher-audit/1"
    assert (plain["verdict"], plain["exit"], plain["first"]["seq"]) == ("broken", 1, 7)
    assert [check["name"] for check in plain["checks"]] == [
        "chain", "form", "disclosures", "note", "fold", "chance", "moves", "result",
    ]  # fmt: skip
