"""Keys change, and what was signed stays signed: old answers byte for byte, old receipts good against new exports."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from audit import audit_lines
from audit.ways_in import audit_file
from events import chain
from service.handling.export_log import export_log
from service.handling.read_log import read_head
from service.handling.read_options import read_options
from service.handling.submit_command import submit_command
from service.keys import KeyFile
from service.store.protocol import Store
from tests.desks import a_desk, a_game, a_key, a_person


async def test_an_answer_is_the_same_bytes_after_its_key_has_retired(store: Store, tmp_path: Path) -> None:
    file = KeyFile(tmp_path)
    desk, people, below = a_desk(store, keys=file.read), (a_person(), a_person()), random.Random(2).randrange
    game = await a_game(desk, *people)
    asked = await read_options(desk, people[0], game)
    command = asked.options[below(len(asked.options))].pick(below)
    key = a_key()
    first = await submit_command(desk, people[0], game, key, command)
    old = desk.keys.vkeys[0]

    KeyFile(tmp_path).rotate(desk.clock() + 1)
    moment = desk.clock() + 10
    for worker in (desk, a_desk(store, keys=KeyFile(tmp_path).read)):
        worker.clock = lambda: moment
        again = await submit_command(worker, people[0], game, key, command)
        assert msgspec.json.encode(again) == msgspec.json.encode(first)
        new, known = worker.keys.vkeys
        assert known == old
        head = await read_head(worker, people[0], game)
        text = chain.head_text(game, head.version, head.head)
        assert chain.note_is_signed(head.note, text, [chain.read_vkey(new)])
        assert chain.note_is_signed(first.receipt, text, [chain.read_vkey(old)])

    lines = b"".join([piece async for piece in (await export_log(desk, people[0], game)).pieces])
    assert msgspec.json.decode(lines.split(b"\n")[0])["vkeys"] == [new, old]
    assert audit_lines([lines]).findings == ()
    exported, kept = tmp_path / "game.jsonl", tmp_path / "receipt"
    exported.write_bytes(lines)
    kept.write_text(first.receipt)
    report = audit_file(exported, receipts=[kept])
    assert report.findings == ()
    assert not [one for one in report.unchecked if one.code.startswith("receipt")]
