"""Played games of every ruleset, for every viewer: what is good, what is incomplete, and why."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from audit import Report, audit_file, audit_lines, tell
from audit.reading import lines_of
from events.table import AbortGame, Expire, LeaveSeat, Resign, TakeSeat
from rules.catalogue import rulesets
from rules.ruleset import Ruleset
from tests.audit.damage import envelope, find, forged, resealed, setting
from tests.audit.logs import Log, Player, finished, running
from tests.effort import examples
from tests.toy.book import EDITIONS, WILDCAT, edition_text
from tests.vectors.reading import DEMO_EXPORT

GAMES = {**rulesets(), "wildcat": WILDCAT}
VIEWERS = ("spectator", "seat:0", "seat:1", "auditor")


def audit(log: Log, viewer: str = "spectator", **given: Any) -> Report:
    games = given.pop("games", GAMES)
    return audit_lines(lines_of(io.BytesIO(log.export(viewer))), games=games, **given)


def reasons(report: Report) -> set[str]:
    return {one.code for one in report.unchecked}


@pytest.mark.parametrize("ruleset", GAMES.values(), ids=GAMES)
@given(number=st.integers(0, 10**6), viewer=st.sampled_from(VIEWERS))
@examples(6)
def test_a_finished_game_is_good_whoever_looks(ruleset: Ruleset, number: int, viewer: str) -> None:
    report = audit(finished(ruleset, number, ruleset.least_seats), viewer)
    assert (report.verdict, report.findings, report.unchecked) == ("good", (), ())
    assert report.counts.decided == report.counts.folded == report.counts.entries
    assert report.facts.status == "finished"


@pytest.mark.parametrize("ruleset", GAMES.values(), ids=GAMES)
@given(number=st.integers(0, 10**6), moves=st.integers(0, 8))
@examples(6)
def test_a_running_game_is_incomplete_and_says_what_is_open(ruleset: Ruleset, number: int, moves: int) -> None:
    log = running(ruleset, number, ruleset.least_seats, moves)
    if log.ended:
        return
    heads = set()
    for viewer in VIEWERS:
        report = audit(log, viewer)
        heads.add(report.facts.head)
        assert (report.verdict, report.findings) == ("incomplete", ())
        assert {"seed_unknown", "no_result"} & reasons(report)
        first_four = [check.outcome for check in report.checks if check.number in {1, 2, 4}]
        assert first_four == ["good"] * 3
    assert len(heads) == 1, "everybody checks the same log"
    assert reasons(audit(log, "auditor")) <= {"seed_unknown", "chance_unknown", "no_result"}
    assert audit(log, "auditor").counts.folded == len(log.rows)


def test_moves_without_chance_are_decided_again_in_a_running_game() -> None:
    """A dispute need not wait for the end: a false move is found as long as it did not draw."""
    log = running(WILDCAT, 3, 3, 3)
    bid = find(log, "bid_sealed")
    report = audit(log, "auditor")
    assert report.counts.decided == len(log.rows) - sum(one.code == "chance_unknown" for one in report.unchecked)
    broken = audit(forged(log, {bid.seq: setting(None, decision_id=3)}), "auditor")
    assert broken.first is not None
    assert (broken.first.code, broken.first.seq) == ("unlawful_move", bid.seq)


def test_a_closed_field_stops_the_fold_there_and_nowhere_before() -> None:
    log = running(WILDCAT, 3, 3, 5)
    report = audit(log, "spectator")
    shuffled = find(log, "deck_shuffled")
    stopped = [one for one in report.unchecked if one.code == "fold_stopped"]
    assert {(one.check, one.seq) for one in stopped} == {(5, shuffled.seq), (7, shuffled.seq), (8, shuffled.seq)}
    assert report.counts.folded == shuffled.seq - 1
    assert report.counts.closed == sum(len(sealed) for _, sealed in log.rows)


def test_erased_remarks_do_not_hinder_the_audit() -> None:
    log = finished(WILDCAT, 2, 3, options={"remarks": True, "rounds": 9})
    erased = replace(
        log,
        rows=[
            (body, tuple(replace(one, disclosure=None) if one.kind == "p" else one for one in sealed))
            for body, sealed in log.rows
        ],
    )
    for report in (audit(erased, "auditor"), audit(log, "spectator")):
        assert (report.verdict, reasons(report)) == ("incomplete", {"personal_closed"})
        assert report.counts.decided == len(log.rows)
    assert audit(log, "auditor").verdict == "good"


def test_every_way_to_end_is_good() -> None:
    resigned = Player(WILDCAT, 1, 3).open_table().play(4)
    resigned.send(Resign(), "seat:0")
    expired = Player(WILDCAT, 2, 2).open_table()
    while expired.game is not None and expired.game.waiting is not None:
        waiting = expired.game.waiting
        expired.send(Expire(waiting.awaits[0], decision_id=waiting.decision), "clock")
    aborted = Player(WILDCAT, 3, 2).open_table().play(3)
    aborted.send(AbortGame("host_left"), "host")
    for player in (resigned.play(), expired, aborted):
        report = audit(player.log())
        assert (report.verdict, report.findings) == ("good", ())


def test_a_table_that_never_started_is_good_when_aborted() -> None:
    player = Player(WILDCAT, 4, 2)
    player.create()
    player.send(TakeSeat(1, "aa"), "seat:1")
    player.send(LeaveSeat(1), "seat:1")
    assert audit(player.log()).verdict == "incomplete"
    player.send(AbortGame("nobody_came"), "system")
    assert audit(player.log()).verdict == "good"


def test_another_rules_version_is_incomplete_not_broken() -> None:
    log = finished(replace(WILDCAT, version=2), 3, 3)
    report = audit(log)
    assert (report.verdict, reasons(report)) == ("incomplete", {"rules_version_unknown", "result_not_recomputed"})
    assert report.counts.folded == len(log.rows)
    assert report.counts.decided == 0


def test_words_of_a_later_rules_version_are_left_not_blamed() -> None:
    later = finished(replace(WILDCAT, version=2), 3, 3)
    dealt = find(later, "cards_dealt")
    report = audit(forged(later, {dealt.seq: setting(dealt.index, type="cards_dealt_later")}))
    assert report.verdict == "incomplete"
    assert any((one.code, one.seq, one.event) == ("word_unknown", dealt.seq, dealt.index) for one in report.unchecked)


def test_an_unknown_game_is_checked_as_far_as_the_format_goes() -> None:
    log = finished(WILDCAT, 3, 3)
    report = audit(log, games={})
    assert (report.verdict, reasons(report)) == ("incomplete", {"ruleset_unknown"})
    assert report.counts.draws > 0
    drilled = find(log, "well_drilled")
    skipping = setting(drilled.index, rng={"label": "dice", "from": 8, "to": 9})
    assert audit(forged(log, {drilled.seq: skipping}), games={}).exit == 1
    lie = setting(0, seed_commit="0" * 64)
    assert audit(forged(log, {1: lie}), games={}).exit == 1


def test_an_edition_of_ones_own_is_brought_along(tmp_path: Path) -> None:
    text = edition_text("deluxe", cards=40, hand=3)
    log = finished(WILDCAT, 3, 3, edition=EDITIONS.read("deluxe.json", text))
    file, edition, other = tmp_path / "game.jsonl", tmp_path / "deluxe.json", tmp_path / "other.json"
    file.write_bytes(log.export())
    edition.write_text(text)
    other.write_text(edition_text("deluxe", cards=41, hand=3))
    assert reasons(audit_file(file, games=GAMES)) == {"edition_unknown", "result_not_recomputed"}
    assert audit_file(file, games=GAMES, editions=[edition]).verdict == "good"
    assert audit_file(file, games=GAMES, editions=[other]).verdict == "incomplete"
    assert audit_file(file, games=GAMES, editions=[other, edition]).verdict == "good"
    edition.write_text(text.replace("40", '"many"'))
    report = audit_file(file, games=GAMES, editions=[edition])
    assert (report.verdict, report.exit) == ("unusable", 64)
    assert "deluxe.json, line" in report.findings[0].words


def test_the_demo_of_the_format_is_whole_and_its_rules_unknown() -> None:
    report = audit_file(DEMO_EXPORT, games=GAMES)
    assert (report.verdict, report.exit, report.findings) == ("incomplete", 2, ())
    assert reasons(report) == {"header_short", "ruleset_unknown"}
    assert [check.outcome for check in report.checks] == [
        "good", "incomplete", "good", "good", "incomplete", "incomplete", "incomplete", "incomplete",
    ]  # fmt: skip
    assert report.facts.head == "00459c2a42b3761af4ddf3c67582f7347e8fdaf5511600ffa8602e322df90459"


def test_the_report_for_people_names_verdict_place_and_rule() -> None:
    log = finished(WILDCAT, 3, 3)
    drilled = find(log, "well_drilled")
    broken = tell(audit(forged(log, {drilled.seq: setting(None, dice=7)})))
    assert "BROKEN" in broken
    assert (
        f"[unlawful_move] entry {drilled.seq}, command: unlawful move: the rules refuse it, WC-03 (bad_dice)" in broken
    )
    assert "GOOD" in tell(audit(log))
    assert "Not checked" in tell(audit(running(WILDCAT, 3, 3)))


def test_a_long_report_tells_how_much_it_leaves_out() -> None:
    log = running(WILDCAT, 3, 3, 8)
    assert "more" in tell(audit(log))


OIL_AND_GAS = finished(rulesets()["oil-and-gas"], 5, 3)


@pytest.mark.parametrize(
    ("kind", "values", "code"),
    [
        ("meld_made", {"profit": 24}, "event_differs"),
        ("turn_leader_set", {"seat": 2}, "event_differs"),
        ("roll_off", {"roll": 7}, "draw_outcome_differs"),
        ("conversion_made", {"tokens": 9}, "draw_outcome_differs"),
        ("profit_changed", {"delta": 5}, "event_differs"),
        ("game_finished", {"scores": [99, 99, 99]}, "event_differs"),
        ("phase_opened", {"phase": "profit"}, "event_differs"),
        ("seat_finished", {"cause": "standing"}, "event_differs"),
    ],
)
def test_oil_and_gas_a_lie_in_an_event_is_named(kind: str, values: dict[str, Any], code: str) -> None:
    found = find(OIL_AND_GAS, kind)
    report = audit(forged(OIL_AND_GAS, {found.seq: setting(found.index, **values)}))
    assert any(
        (one.code, one.seq, one.event) == (code, found.seq, found.index)
        or (one.code, one.seq) == ("fold_fails", found.seq)
        for one in report.findings
    ), report.findings


def test_oil_and_gas_a_stacked_deck_is_named() -> None:
    shuffled = find(OIL_AND_GAS, "deck_shuffled")
    cards = sorted(_order_of(OIL_AND_GAS))
    report = audit(resealed(OIL_AND_GAS, shuffled.seq, shuffled.index, "order", cards))
    assert any(
        (one.code, one.seq, one.event) == ("draw_outcome_differs", shuffled.seq, shuffled.index)
        for one in report.findings
    )


def _order_of(log: Log) -> list[str]:
    from events import chain

    fields = (chain.read_disclosure(str(one.disclosure)) for _, sealed in log.rows for one in sealed)
    order: list[str] = next(field.value for field in fields if field.name == "order")
    return order


def test_oil_and_gas_another_seats_move_is_named() -> None:
    found = find(OIL_AND_GAS, "finish_phase", 20)
    report = audit(forged(OIL_AND_GAS, {found.seq: envelope(actor="seat:9")}))
    assert report.first is not None
    assert report.first.seq == found.seq
    assert report.exit == 1
