"""What a person is offered in a terminal can be told apart."""

from __future__ import annotations

from gusher_client import Option
from service.cli.joining.words import Words

WORDS = Words({"cards": [{"id": "X01", "name": "Surface Features"}]})


def test_options_of_one_command_say_in_what_they_differ() -> None:
    melds = [Option(f"make_meld:{how}", {"type": "make_meld"}) for how in ("card+card", "card+token")]
    done = Option("finish_phase", {"type": "finish_phase"})
    assert WORDS.options([*melds, done]) == ["make meld [card, card]", "make meld [card, token]", "finish phase"]


def test_a_value_says_its_type_where_that_is_not_the_name_of_a_word() -> None:
    assert WORDS.value({"kind": "type", "type": "X"}) == "kind type, type X"
    assert WORDS.sentence({"type": "want", "card": "X01.2"}) == "want: card Surface Features [X01.2]"
