"""The one thing the type checker cannot see: the dispatch tables of every game agree with the functions' signatures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from events.table import Expire
from events.words import Answer, Runs, Waits
from rules.catalogue import rulesets
from rules.rulebook import Rulebook
from rules.ruleset import Ruleset, _book
from tests.playouts import playing

GAMES = sorted(rulesets())


def books(ruleset: Ruleset) -> Iterator[Rulebook]:
    """The rules in force in each setup that the tests play."""
    for setup in playing(ruleset.name).setups:
        edition = ruleset.edition(setup.edition or ruleset.default_edition).edition
        yield ruleset.book(edition, ruleset.read_options(setup.options), setup.seats)


@pytest.mark.parametrize("name", GAMES)
def test_each_function_is_filed_under_the_types_it_takes(name: str) -> None:
    for book in books(rulesets()[name]):
        filed: list[tuple[Callable[..., Any], tuple[type, ...]]] = [(rule, (kind,)) for kind, rule in book.runs.items()]
        filed += [(rule, kinds) for kinds, rule in book.answers.items()]
        for rule, kinds in filed:
            hints = get_type_hints(rule)
            taken = [hints[parameter] for parameter in ("step", "command") if parameter in hints]
            assert len(taken) == len(kinds)
            assert all(_takes(hint, kind) for hint, kind in zip(taken, kinds, strict=True)), rule


def _takes(hint: Any, kind: type) -> bool:
    return any(issubclass(kind, get_origin(one) or one) for one in get_args(hint) or (hint,))


def test_of_endless_choices_not_every_book_is_remembered() -> None:
    ruleset = rulesets()["peak-oil"]
    for turns in range(1, 400):
        game: Any = SimpleNamespace(edition=ruleset.default_edition, options={"max_turns": turns}, seats=(None, None))
        assert ruleset.book_of(game) is ruleset.book_of(game)
    assert _book.cache_info().currsize < 399


@pytest.mark.parametrize("name", GAMES)
def test_every_step_and_every_answer_of_the_words_has_its_rule(name: str) -> None:
    ruleset = rulesets()[name]
    answers = {kind for kind in get_args(ruleset.projection.commands) if issubclass(kind, Answer)} - {Expire}
    awaiting = next(kind for kind in get_args(ruleset.projection.events) if get_origin(kind))
    steps = set(get_args(get_args(awaiting)[0]))
    found: set[type] = set()
    for book in books(ruleset):
        assert {kind for kind in steps if issubclass(kind, Runs)} == set(book.runs)
        waits = {kind for kind in steps if issubclass(kind, Waits)}
        assert waits == set(book.options) == set(book.defaults) == {step for step, _ in book.answers}
        found |= {command for _, command in book.answers}
    assert found == answers
