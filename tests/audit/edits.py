"""Edits of the good log that only the planted faults need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events import chain
from tests.audit import damage
from tests.audit.damage import find, forged, side_edited
from tests.audit.kinds import FILE, LAST, LOG
from tests.audit.logs import Log
from tests.sealing import disclose


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


def drop_sd(plain: dict[str, Any]) -> None:
    del plain["events"][DEALT.index]["_sd"]


def add_digest(plain: dict[str, Any]) -> None:
    word = plain["events"][DEALT.index]
    word["_sd"] = sorted([*word["_sd"], chain.base64url(bytes(32))])


def drop_last_event(seq: int) -> Callable[[dict[str, Any]], None]:
    def edit(plain: dict[str, Any]) -> None:
        assert plain["seq"] == seq
        plain["events"].pop()

    return edit


def repeat_event(plain: dict[str, Any]) -> None:
    plain["events"].insert(0, plain["events"][0])


def lie_about_disclosure(plain: dict[str, Any]) -> None:
    field = chain.read_disclosure(plain["disclosures"][1])
    plain["disclosures"][1] = disclose(chain.from_base64url(field.salt), field.name, ["c01", "c02"])


def same_salt(log: Log) -> Log:
    """The log with one salt used for two fields."""
    salt = chain.read_disclosure(str(log.rows[5][1][0].disclosure)).salt

    def salted(one: Any) -> Any:
        field = chain.read_disclosure(one.disclosure)
        text = disclose(chain.from_base64url(salt), field.name, field.value)
        return replace(one, digest=chain.digest_of(text), disclosure=text)

    rows = [(body, tuple(map(salted, sealed)) if n == 6 else sealed) for n, (body, sealed) in enumerate(log.rows)]
    targets = dict(zip((one.digest for one in log.rows[6][1]), (one.digest for one in rows[6][1]), strict=True))

    def edit(plain: dict[str, Any]) -> None:
        for word in (plain["command"], *plain["events"]):
            if "_sd" in word:
                word["_sd"] = sorted(targets[one] for one in word["_sd"])

    return forged(replace(log, rows=rows), {7: edit})


def header(file: bytes, **values: Any) -> bytes:
    return side_edited(file, "header", None, lambda plain: plain.update(values))
