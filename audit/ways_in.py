"""The two ways in: a file, or lines from wherever they come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

from audit.progress import Heard, unheard, weighed
from audit.reading import lines_of
from audit.report import Ledger, Report, Unusable
from audit.rulings import EditionFile
from audit.run import Brought, run
from events import chain
from rules.catalogue import rulesets
from rules.ruleset import Ruleset


def audit_file(
    path: Path | str,
    *,
    games: Mapping[str, Ruleset] | None = None,
    editions: Sequence[Path | str] = (),
    keys: Sequence[str] = (),
    receipts: Sequence[Path | str] = (),
    heard: Heard = unheard,
    every: bool = False,
) -> Report:
    """The report on an export file. Nothing in the file makes this raise; what cannot be read is `unusable`.

    `editions` are files of editions that do not come with the games, `keys` verifier keys that you trust (by default
    those of the file itself), `receipts` files with signed heads that somebody was given when moving. `heard` is told
    how far the audit is. After a move that the rules decide otherwise, those that follow are decided again only where
    `every` difference is wanted.
    """
    ledger = Ledger(str(path))
    try:
        brought = Brought(
            rulesets() if games is None else games,
            tuple(EditionFile(Path(name).name, _text(name, "edition")) for name in editions),
            _keys(keys),
            tuple(_text(name, "receipt") for name in receipts),
            heard,
            every,
        )
        with Path(path).open("rb") as file:
            run(weighed(lines_of(file), Path(path).stat().st_size, heard), brought, ledger)
    except Unusable as why:
        return ledger.unusable(why)
    except OSError as error:
        return ledger.unusable(Unusable(f"the file cannot be read: {error.strerror}", None))
    return ledger.report()


def audit_lines(
    pieces: Iterable[bytes],
    *,
    name: str = "export",
    games: Mapping[str, Ruleset] | None = None,
    keys: Sequence[str] = (),
) -> Report:
    """The report on an export in pieces of whole lines, as `events.export.export_lines` makes them."""
    ledger = Ledger(name)
    lines = (line for piece in pieces for line in lines_of(BytesIO(piece)))
    try:
        run(lines, Brought(rulesets() if games is None else games, keys=_keys(keys)), ledger)
    except Unusable as why:
        return ledger.unusable(why)
    return ledger.report()


def _text(path: Path | str, what: str) -> str:
    """A file that the auditor brings. Raises `Unusable`, which names it: nothing is known to be wrong with the log."""
    try:
        return Path(path).read_text("utf-8")
    except OSError as error:
        raise Unusable(f"the {what} {path} cannot be read: {error.strerror}", None) from error
    except UnicodeDecodeError as error:
        raise Unusable(f"the {what} {path} is no text: {error}", None) from error


def _keys(texts: Sequence[str]) -> tuple[chain.VerifierKey, ...]:
    try:
        return tuple(chain.read_vkey(text.strip()) for text in texts)
    except ValueError as error:
        raise Unusable(str(error), None) from error
