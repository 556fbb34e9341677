"""A person's moves, from the first question to the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gusher_client import Asked, Entry, Gusher, Option, Problem, Table
from service.cli.joining.asking import Back, Person, chosen
from service.cli.joining.speech import Speech, Stories
from service.cli.joining.telling import tell_end, tell_entry, tell_state
from service.cli.joining.words import plain

ALONE = 1
RECENT = 8
HELP = "A number chooses. s: the table, w: let others go first, b: back, resign: give up, q: leave and come back later."


class Player:
    """A person at a table. Whoever reads along is told what others did since the last question."""

    def __init__(self, person: Person, gusher: Gusher, table: Table, stories: Stories) -> None:
        self._person, self._gusher, self._table = person, gusher, table
        header = table.header()
        self._ruleset = header.ruleset
        self._edition = gusher.edition(header.ruleset, header.edition)
        self._speech = Speech(header, self._edition.data, stories(header))
        self._rules: dict[str, str] = {}
        self._begun, self._awaited = False, list[str]()
        person.words = self._speech.words

    def play(self) -> None:
        """Tell what happens and ask what is to be done, until the game has ended. Raises `Left` and `GusherError`.

        Whoever comes back to a game is told its last entries first; before anything, what of the edition is ours.
        """
        self._person.say(f"{self._edition.title}. {self._edition.about}", "dim")
        known = self._table.options()
        for entry in self._table.follow(max(0, known.version - RECENT)):
            tell_entry(self._person, self._speech, entry, known.seat)
            if entry.seq < known.version:
                continue
            known = self._table.options()
            if entry.actor != f"seat:{known.seat}":
                self._person.forget_typed()
            while known.options and known.version == entry.seq and not self._answered(known):
                known = self._table.options()
            if not known.options:
                self._tell_waiting(entry)
        tell_state(self._person, self._speech, self._table.view())
        tell_end(self._person, self._speech, self._table.header())

    def _tell_waiting(self, entry: Entry) -> None:
        """For whom the table waits, where that is a person: house bots are quick."""
        awaited = [self._speech.name(seat) for seat in entry.awaits if seat not in self._speech.bots]
        if awaited and awaited != self._awaited:
            self._person.say(f"       Waiting for {' and '.join(awaited)}.", "dim")
        self._awaited = awaited

    def _answered(self, asked: Asked) -> bool:
        """One answer, or the wish to wait; False where it is to be asked again."""
        self._ask(asked)
        typed = self._typed()
        if typed in _WORDS:
            return _WORDS[typed](self)
        if not typed.isdecimal() or not 0 < int(typed) <= len(asked.options):
            self._person.say(HELP)
            return False
        try:
            command = _command(self._person, asked.options[int(typed) - 1])
            self._table.move(asked.answer(command))
        except Back:
            return False
        except Problem as problem:
            self._refused(problem)
            return False
        return True

    def _refused(self, problem: Problem) -> None:
        """Why, and what the rule says."""
        self._person.say(self._speech.named(f"Refused: {problem.detail}"), "red", hang=9)
        if problem.rule is not None:
            self._rules = self._rules or {rule.id: rule.sentence for rule in self._gusher.rules(self._ruleset)}
            self._person.say(f"{problem.rule}: {self._rules.get(problem.rule, 'a rule of the table')}", hang=9)

    def _typed(self) -> str:
        try:
            return self._person.line("Your move:")
        except Back:
            return ""

    def _ask(self, asked: Asked) -> None:
        if not self._begun:
            self._begun = True
            self.show()
            self._person.say(HELP)
        question = self._table.header().question
        if question is not None:
            about = f" ({self._person.words.value(question.about)})" if question.about else ""
            self._person.say()
            self._person.say(self._speech.named(f"You are asked: {plain(question.name)}{about}"), "bold", hang=4)
        for index, told in enumerate(self._person.words.options(asked.options), 1):
            self._person.say(f"{index:4}. {self._speech.named(told)}", hang=6)

    def show(self) -> bool:
        """Show the state; the question is still open."""
        tell_state(self._person, self._speech, self._table.view())
        return False

    def wait(self) -> bool:
        """Let the others go first, where there are any that are asked, too."""
        question = self._table.header().question
        if question is not None and len(question.awaits) < ALONE + 1:
            self._person.say("Nobody else is asked.")
            return False
        self._person.say("Waiting for the others.")
        return True

    def resign(self) -> bool:
        """Give up, if that is really meant."""
        try:
            if self._person.line("Give up? Type yes:") != "yes":
                return False
        except Back:
            return False
        self._table.resign()
        return True


def _command(person: Person, option: Option) -> dict[str, Any]:
    """The option's command, with what the person chooses for it. Raises `Left` and `Back`."""
    if option.choose is None:
        return option.command
    return {**option.command, **chosen(person, "", option.choose)}


_WORDS: dict[str, Callable[[Player], bool]] = {
    "s": Player.show,
    "w": Player.wait,
    "resign": Player.resign,
}
