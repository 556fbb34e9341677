"""Setup: PT-001 … PT-017."""

from __future__ import annotations

from collections import Counter

import pytest

from events.petroleo.commands import ChooseCompany
from events.petroleo.facts import CardsDealt, CompanyChosen, DeckShuffled
from events.petroleo.steps import DrawCard, ResolveSquare, UseCard
from events.table import CreateGame, LeaveSeat, StartGame
from rules.refusal import RuleViolation
from tests.rules.petroleo.tables import RULESET, a_lobby, a_start, cash, edition
from tests.scenario import Script

TABLE = {
    "tower_or_licence": (8, 8, 8, 10, 14),
    "gas": (3, 5, 7, 8, 9),
    "oil6": (3, 5, 7, 8, 9),
    "oil4": (2, 4, 6, 8, 9),
    "oil2": (2, 4, 6, 8, 9),
    "tanker": (1, 2, 3, 4, 5),
    "truck": (1, 2, 3, 4, 5),
}


@pytest.mark.rule("PT-001")
@pytest.mark.parametrize("seats", [1, 7])
def test_two_to_six_players(seats: int) -> None:
    """S-04."""
    with pytest.raises(RuleViolation) as refusal:
        RULESET.check_creation(CreateGame("petroleo", "house-48", {}, seats))
    assert (refusal.value.rule, refusal.value.reason) == ("PT-001", "seats_out_of_range")


@pytest.mark.rule("PT-017")
def test_a_second_year_end_needs_four_players_or_fewer() -> None:
    """S-04."""
    RULESET.check_creation(CreateGame("petroleo", "house-48", {"second_year_end": True}, 4))
    with pytest.raises(RuleViolation) as refusal:
        RULESET.check_creation(CreateGame("petroleo", "house-48", {"second_year_end": True}, 5))
    assert refusal.value.rule == "PT-017"


@pytest.mark.rule("PT-016")
def test_the_options_stand_in_entry_one_and_the_default_edition_is_compact() -> None:
    """S-146."""
    assert RULESET.default_edition == "compact-20"
    game = a_lobby(3, name="compact-20").game
    assert game.options == {"second_year_end": False, "hand_size": 5}
    with pytest.raises(RuleViolation) as refusal:
        RULESET.check_creation(CreateGame("petroleo", "compact-20", {"hand_size": 6}, 3))
    assert refusal.value.reason == "malformed_options"


@pytest.mark.rule("PT-002")
def test_no_two_players_run_the_same_company() -> None:
    """S-109: and who has not chosen gets the lowest free one, in seat order, at the start."""
    lobby = a_lobby(3)
    lobby.when(1, ChooseCompany("co1")).then(CompanyChosen(1, "co1"))
    lobby.refuses(2, ChooseCompany("co1"), "PT-002", "illegal_choice")
    lobby.refuses(2, ChooseCompany("co9"), "PT-002", "illegal_choice")
    lobby.when("host", StartGame()).then_among_others(CompanyChosen(0, "co2"), CompanyChosen(2, "co3"))
    assert [company.company for company in lobby.board.companies] == ["co2", "co1", "co3"]
    lobby.refuses(1, ChooseCompany("co5"), "GU-04", "already_started")


@pytest.mark.rule("PT-002")
def test_a_seat_given_up_frees_its_company() -> None:
    lobby = a_lobby(2).when(0, ChooseCompany("co4")).when(0, LeaveSeat(0))
    lobby.refuses(0, ChooseCompany("co4"), "PT-002", "seat_free")
    lobby.when(1, ChooseCompany("co4"))


@pytest.mark.rule("PT-003", "PT-005", "PT-009", "PT-010")
@pytest.mark.parametrize("seats", range(2, 7))
def test_cards_and_money_at_the_start(seats: int) -> None:
    """S-01: 200 M each, five cards each, the rest of 10 × N in the deck; the bank holds what is left of 4540 M."""
    start = a_start(seats)
    assert cash(start) == (200,) * seats
    assert start.board.bank == 4540 - 200 * seats
    hands = [company.hand for company in start.board.companies]
    assert [len(hand) for hand in hands] == [6 if seat == start.board.on_turn else 5 for seat in range(seats)]
    assert len(start.board.deck) == 5 * seats - 1


@pytest.mark.rule("PT-006")
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("name", ["compact-20", "house-48"])
def test_the_deck_by_kind(seats: int, name: str) -> None:
    """S-02: the counts of table 1.2, given and restored rows alike."""
    data = edition(name)
    deck = Counter(data.card[card].kind for card in data.deck_for(seats))
    assert deck == {kind: counts[seats - 2] for kind, counts in TABLE.items()}


@pytest.mark.rule("PT-007", "PT-008")
def test_cards_left_out_never_appear_and_one_seed_gives_one_game() -> None:
    """S-111."""
    one, two = a_start(5), a_start(5)
    assert one.board == two.board
    lying = [*one.board.deck, *(card for company in one.board.companies for card in company.hand)]
    assert sorted(lying) == sorted(card.id for card in edition().cards if card.min_players <= 5)


@pytest.mark.rule("PT-009")
def test_cards_are_dealt_one_at_a_time_clockwise_from_the_start_seat() -> None:
    order = edition().deck_for(2)
    start = a_start(2, Script().below("start_seat", 1).shuffle("deck", order))
    start.then_among_others(DeckShuffled(20, order), CardsDealt(1, 5, order[0:10:2]), CardsDealt(0, 5, order[1:10:2]))


@pytest.mark.rule("PT-009")
def test_four_cards_may_be_dealt() -> None:
    start = a_start(3, hand_size=4)
    assert len(start.board.deck) == 6 * 3 - 1


@pytest.mark.rule("PT-004", "PT-011", "PT-012")
def test_nothing_is_owned_at_the_start() -> None:
    for seat, company in enumerate((board := a_start(4).board).companies):
        assert (company.plots, company.trucks, company.nationalised, company.double_available) == ((), (), False, True)
        assert board.tokens_in_stock(seat) == 30
    assert (board.tankers, board.towers) == ((), 28)


@pytest.mark.rule("PT-013", "PT-021")
def test_the_start_seat_is_drawn_and_its_first_turn_begins_with_the_draw() -> None:
    start = a_start(3, Script().below("start_seat", 2))
    assert start.board.on_turn == 2
    assert not any(isinstance(step, DrawCard | ResolveSquare) for step in start.game.steps)
    assert start.game.awaited == (2,)
    assert isinstance(start.game.steps[1], UseCard)


@pytest.mark.rule("PT-015")
def test_placing_the_marker_pays_nobody() -> None:
    board = a_start(3).board
    assert (board.marker, board.year_ends) == (0, 0)
