"""Answers kept for who asks again."""

from collections.abc import Callable

from service.handling.written import Written


def writing(told: list[str], text: str) -> Callable[[], bytes]:
    """Writes the text, and notes that it did."""

    def write() -> bytes:
        told.append(text)
        return text.encode()

    return write


def test_who_asks_again_gets_the_same_bytes_and_nothing_is_written() -> None:
    kept, told = Written(), list[str]()
    assert [kept.get("g", "view", "h1", writing(told, "a")) for _ in range(2)] == [b"a", b"a"]
    assert told == ["a"]


def test_another_head_another_key_and_another_game_are_written_for_themselves() -> None:
    kept, told = Written(), list[str]()
    for game, key, head, text in (("g", 0, "h1", "a"), ("g", 1, "h1", "b"), ("k", 0, "h1", "c"), ("g", 0, "h2", "d")):
        assert kept.get(game, key, head, writing(told, text)) == text.encode()
    assert kept.get("g", 0, "h2", writing(told, "e")) == b"d"
    assert told == ["a", "b", "c", "d"]


def test_what_was_asked_for_least_lately_goes_first() -> None:
    kept, told = Written(most=2), list[str]()
    for game in ("a", "b", "a", "c", "a", "b"):
        kept.get(game, "view", "h", writing(told, game))
    assert told == ["a", "b", "c", "b"]
