"""The eight checks over one log, in one pass over its lines; the moves are decided again when the seed is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET, Struct

from audit.chance import Draws
from audit.disclosing import Disclosing
from audit.entries import Envelope, Kept, OpenObject
from audit.folding import Fold, Whole
from audit.form import WordCheck, is_game_id, read_envelope
from audit.links import Links
from audit.moves import Replay
from audit.notes import Notes, read_keys
from audit.progress import Heard, counted, unheard
from audit.reading import BodyLine, SideLine, read
from audit.report import Ledger
from audit.result import check_result
from audit.rulings import EditionFile, Rulings, rulings_of
from audit.typed import ShortWay, shapes_of
from audit.vocabulary import Vocabulary, vocabulary_of
from events import chain
from events.entry import Entry
from events.export import SPECTATOR, Disclosures, Header, Note
from events.table import GameCreated
from rules.ruleset import Ruleset


class Brought(Struct, frozen=True):
    """What an auditor brings along: the games, edition files, trusted keys, receipts that somebody kept, an ear.

    `every`: moves are decided again after a difference too. `short` False: every entry goes the long way.
    """

    rulesets: Mapping[str, Ruleset]
    editions: tuple[EditionFile, ...] = ()
    keys: tuple[chain.VerifierKey, ...] = ()
    receipts: tuple[str, ...] = ()
    heard: Heard = unheard
    every: bool = False
    short: bool = True


def run(lines: Iterable[bytes], brought: Brought, ledger: Ledger) -> None:
    """All checks. Raises `Unusable` where there is no log at all."""
    source = read(lines, ledger)
    first = next(source)
    assert isinstance(first, SideLine), "the first line is a header, or `read` has raised"
    assert isinstance(first.said, Header), "the first line is a header, or `read` has raised"
    audit = _Audit(first.said, brought, ledger)
    for line in source:
        audit.take(line)
    audit.close()


class _Audit:
    def __init__(self, header: Header, brought: Brought, ledger: Ledger) -> None:
        self._header, self._brought, self._ledger = header, brought, ledger
        self._viewer = SPECTATOR if header.viewer is UNSET else header.viewer
        self._keys = read_keys(header.vkeys, ledger)
        self._links = Links(header.game, ledger)
        self._disclosing = Disclosing(self._viewer, ledger)
        self._draws, self._whole = Draws(ledger), Whole(ledger)
        self._short: ShortWay | None = None
        self._vocabulary: Vocabulary | None = None
        self._rulings: Rulings | None = None
        self._lenient = True
        self._waiting: BodyLine | None = None
        self._disclosed: list[tuple[int, Disclosures]] = []
        self._note: tuple[int, Note] | None = None
        ledger.facts.game = header.game
        ledger.facts.viewer = self._viewer

    def take(self, line: BodyLine | SideLine) -> None:
        """The next line."""
        if self._note is not None:
            self._ledger.find(4, "line_after_note", "the note is the last line", line=line.number)
        if isinstance(line, BodyLine):
            self._finish()
            self._waiting = line
        elif isinstance(line.said, Disclosures):
            if self._waiting is None:
                self._misplaced(line.number, line.said)
            else:
                self._disclosed.append((line.number, line.said))
        elif isinstance(line.said, Note):
            self._note = line.number, line.said

    def _misplaced(self, line: int, said: Disclosures) -> None:
        words = "disclosures follow the body of their entry, once"
        self._ledger.find(3, "disclosures_misplaced", words, line=line, seq=said.seq)

    def _finish(self) -> None:
        """Everything about the entry that waits is known: check it, the short way if nothing is wrong with it."""
        line, disclosed = self._waiting, self._disclosed
        if line is None:
            return
        self._waiting, self._disclosed = None, []
        if self._short is not None and len(disclosed) < 2:
            kept = self._short.take(line.number, line.text, disclosed[0][1] if disclosed else None, self._ledger.counts)
            if kept is not None:
                self._whole.add(kept)
                return
        entry = read_envelope(line.number, line.text, self._links.due, self._ledger)
        if entry is None:
            self._lose(line, disclosed)
        else:
            self._check(entry, disclosed)

    def _lose(self, line: BodyLine, disclosed: list[tuple[int, Disclosures]]) -> None:
        """A line that is no entry, and what is said to be disclosed of it."""
        self._links.lose()
        self._whole.stop("fold_stopped", "from this line on nothing is folded: it is no entry", line=line.number)
        for number, said in disclosed:
            words = "the entry before cannot be read, and neither can what is disclosed of it"
            self._ledger.leave(3, "disclosures_unused", words, line=number, seq=said.seq)

    def _check(self, entry: Envelope, disclosed: list[tuple[int, Disclosures]]) -> None:
        """The long way: every check writes down what it finds."""
        own = [(number, said) for number, said in disclosed if said.seq == entry.seq]
        for number, said in disclosed:
            if (number, said) not in own[:1]:
                self._misplaced(number, said)
        counts = self._ledger.counts
        counts.entries, counts.events = counts.entries + 1, counts.events + len(entry.body.events)
        self._links.add(entry)
        self._draws.add(entry)
        if counts.entries == 1:
            self._meet(entry)
        number, mine = own[0] if own else (entry.line, None)
        kept = self._words(entry, self._disclosing.open(entry, number, mine))
        if kept is not None:
            self._whole.add(kept)
        if counts.entries == 1:
            self._choose_rules(entry)

    def _meet(self, entry: Envelope) -> None:
        """Entry 1 names the ruleset; the header has to repeat what it says."""
        created = entry.body.events[0]
        facts = self._ledger.facts
        for name in ("ruleset", "edition", "options"):
            said = getattr(self._header, name)
            if said is UNSET:
                words = f"the header does not name {name}, which section 5 has it repeat"
                self._ledger.leave(2, "header_short", words, line=1, field=name)
            elif said != created.get(name):
                self._ledger.find(2, "header_differs", "not what entry 1 says", line=1, seq=1, field=name)
        named = created.get("ruleset")
        facts.ruleset, facts.edition = _text(named), _text(created.get("edition"))
        facts.edition_digest = _text(created.get("edition_digest"))
        version = created.get("rules_version")
        facts.rules_version = version if isinstance(version, int) else None
        newest = self._brought.rulesets.get(facts.ruleset or "")
        if newest is None:
            words = f"{named!r} is no ruleset that we have"
            self._ledger.leave(2, "ruleset_unknown", words, line=entry.line, seq=entry.seq)
            self._ledger.leave(6, "ruleset_unknown", words, line=entry.line, seq=entry.seq)
            self._whole.stop("ruleset_unknown", words, line=entry.line, seq=entry.seq)
            return
        pinned = None if facts.rules_version is None else newest.of_version(facts.rules_version)
        ruleset, self._lenient = pinned or newest, pinned is None
        self._vocabulary = vocabulary_of(ruleset.projection)
        self._whole.begin(ruleset)
        if pinned is not None and self._brought.short and is_game_id(self._header.game):
            self._short = ShortWay(
                shapes_of(ruleset.projection), self._header.game, self._links, self._disclosing, self._draws
            )

    def _choose_rules(self, entry: Envelope) -> None:
        created = self._whole.created
        ruleset = self._brought.rulesets.get(created.ruleset) if created else None
        if isinstance(created, GameCreated) and ruleset is not None:
            place = {"line": entry.line, "seq": entry.seq}
            self._rulings = rulings_of(created, ruleset, self._brought.editions, self._ledger, place)

    def _words(self, entry: Envelope, opened: list[OpenObject]) -> Kept | None:
        known = self._vocabulary
        commands = WordCheck(entry, self._ledger, known.commands if known else None, self._lenient)
        events = WordCheck(entry, self._ledger, known.events if known else None, self._lenient)
        command, *happened = opened
        typed = [self._word(commands, command), *(self._word(events, word) for word in happened)]
        whole = [one for one in typed if one is not None]
        if len(whole) < len(typed):
            words_of_stop = "from this entry on nothing is folded: it is not whole"
            self._whole.stop("fold_stopped", words_of_stop, line=entry.line, seq=entry.seq)
            return None
        body = entry.body
        return Kept(entry.line, Entry(body.game, body.seq, body.at, body.actor, whole[0], tuple(whole[1:])))

    def _word(self, check: WordCheck, word: OpenObject) -> Struct | None:
        typed = check.read(word)
        if word.disclosed and check.words is not None:
            self._disclosing.judge(word, check.words.get(str(word.plain.get("type"))), check.envelope)
        if word.closed:
            self._closed(check.envelope, word, whole=typed is not None)
        return typed

    def _closed(self, entry: Envelope, word: OpenObject, *, whole: bool) -> None:
        place = {"line": entry.line, "seq": entry.seq, "event": word.event, "field": word.path("_sd")}
        code = "personal_closed" if whole else "sealed"
        self._ledger.leave(
            3, code, f"{word.closed} sealed field(s) of `{word.plain.get('type')}` not disclosed", **place
        )

    def close(self) -> None:
        """The end of the file."""
        self._finish()
        ledger, links = self._ledger, self._links
        ledger.facts.head = links.head
        if ledger.counts.entries == 0:
            ledger.find(2, "no_entries", "a log has at least one entry", line=ledger.counts.lines)
        notes = Notes(self._keys, list(self._brought.keys), ledger)
        number, note = self._note or (ledger.counts.lines, None)
        links.close(notes.check(note, number, self._header.game, links.hashes))
        for receipt in self._brought.receipts:
            notes.check_receipt(receipt, self._header.game, links.hashes)
        seed = self._draws.close(self._header.game)
        self._disclosing.close(ended=self._draws.opened is not None)
        if self._whole.entries:
            self._replay(seed)

    def _replay(self, seed: bytes | None) -> None:
        whole, rulings, ledger = self._whole, self._rulings, self._ledger
        ruleset = whole.ruleset
        assert ruleset is not None, "entries are kept of a known ruleset only"
        if rulings is not None and seed is None and self._draws.opened is not None:
            ledger.leave(7, "seed_differs", "without the committed seed no move can be decided again")
            rulings = None
        fold = Fold(ruleset.projection, ledger)
        replay = Replay(fold, rulings, seed, ledger, every=self._brought.every)
        broken = replay.run(counted(whole.entries, "deciding again", self._brought.heard))
        if broken is not None:
            whole.break_off(broken)
        game = fold.game
        if game is None:
            return
        if not whole.complete:
            return
        ledger.facts.status = game.status
        if not game.ended:
            ledger.leave(8, "no_result", "the game is running: there is no result yet")
        else:
            check_result(game, whole.entries[-1], ledger, earned=replay.earned)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
