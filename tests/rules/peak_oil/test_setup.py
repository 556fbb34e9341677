"""Configuration and set-up: PO-001 … PO-037."""

from __future__ import annotations

import pytest

from events.peak_oil.codes import RegionBarrels
from events.peak_oil.facts import (
    ChipsPlaced,
    ChipsTurned,
    ConsultantsOffered,
    DeckShuffled,
    DisplayRefilled,
    FirstPlayerChosen,
    GameStarted,
    PortfolioDealt,
    PrCardDrawn,
    RegionsStocked,
    TurnStarted,
)
from events.peak_oil.steps import Step1Choose
from tests.rules.peak_oil.tables import a_start, edition, refused
from tests.scenario import Script


@pytest.mark.rule("PO-001")
@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_play(seats: int) -> None:
    assert refused(seats) == ("PO-001", "seats_out_of_range", "/seats")


@pytest.mark.rule("PO-002", "PO-003", "PO-028")
def test_everybody_has_four_agents_two_of_them_in_hq() -> None:
    assert all((hq.agents, hq.reserve) == (2, 2) for hq in a_start(4).board.seats)


@pytest.mark.rule("PO-004", "PO-030")
def test_five_security_chips_lie_in_the_reserve() -> None:
    table = a_start(2)
    assert table.board.security == 5
    assert all(hq.security == 0 for hq in table.board.seats)


@pytest.mark.rule("PO-005")
def test_fields_with_two_symbols_are_in_by_option_only() -> None:
    plain, dual = a_start(4).board, a_start(4, dual_fields=True).board
    assert len(plain.field_deck) + len(plain.field_display) == 25
    assert len(dual.field_deck) + len(dual.field_display) == 35


@pytest.mark.rule("PO-006", "PO-007", "PO-008", "PO-009", "PO-010")
def test_with_two_seats_venezuela_and_hydrogen_are_closed() -> None:
    """T-02."""
    board = a_start(2).board
    assert (board.bag_black, board.bag_red, board.bag_yellow) == (18, 2, 2)
    assert (board.box_black, board.box_red, board.box_yellow) == (16, 3, 3)
    assert sum(board.regions.values()) == 4
    assert "VEN" not in board.regions
    assert "VEN" not in board.spots
    assert list(board.market) == list(board.technologies) == ["ETH", "SPM", "AGR", "TID"]
    assert (len(board.field_deck), len(board.start_up_deck)) == (13, 17)
    cards = (*board.field_deck, *board.field_display, *board.start_up_deck, *board.start_up_display)
    assert not [card for card in cards if "HYD" in card or "VEN" in card]
    assert [len([one for one in board.consultants if f"CN{level}" in one]) for level in (1, 2, 3)] == [2, 2, 1]
    games = [a_start(2, Script(bytes([key]))).board for key in range(16)]
    assert {hq.portfolio for game in games for hq in game.seats} == {"PP1", "PP2", "PP3", "PP4", "PP5"}


@pytest.mark.rule("PO-007")
def test_with_three_seats_and_dual_fields_there_are_22() -> None:
    """T-03."""
    board = a_start(3, dual_fields=True).board
    assert (len(board.field_deck), len(board.field_display)) == (19, 3)
    assert (board.bag_black, board.bag_red, board.bag_yellow, board.box_black) == (20, 3, 3, 11)


@pytest.mark.rule("PO-020 .. PO-037")
def test_five_seats_use_every_barrel() -> None:
    """T-01: PO-025, PO-029, PO-031, PO-032, PO-035, PO-036."""
    board = a_start(5).board
    assert (board.bag_black, board.bag_red, board.bag_yellow) == (25, 5, 5)
    assert (board.box_black, board.box_red, board.box_yellow) == (0, 0, 0)
    assert sum(board.regions.values()) == 10
    assert all(hq.black == 1 for hq in board.seats)
    assert not any(board.market.values())
    assert not any(board.technologies.values())
    assert (len(board.field_display), len(board.start_up_display)) == (3, 3)
    assert (len(board.field_deck), len(board.start_up_deck)) == (22, 22)
    assert [len([one for one in board.consultants if f"CN{level}" in one]) for level in (1, 2, 3)] == [5, 4, 3]
    assert len({hq.portfolio for hq in board.seats}) == 5
    assert not any(any(agents) for agents in board.spots.values())


@pytest.mark.rule("PO-011")
@pytest.mark.parametrize(
    ("closed_chips", "out"), [("none", {"RC10", "RC11"}), ("single", {"RC11"}), ("single_and_double", set())]
)
def test_chips_with_closed_faces_are_in_the_pool_as_chosen(closed_chips: str, out: set[str]) -> None:
    """Of a dozen games each chip of the pool is in one, and no other is."""
    boards = [a_start(3, Script(bytes([key])), closed_chips=closed_chips).board for key in range(12)]
    assert {chip.chip for board in boards for chip in board.risks.values()} == set(edition().risk_chip) - out
    assert all(chip.face == 0 for board in boards for chip in board.risks.values() if chip.chip == "RC10"), "PO-022"


@pytest.mark.rule("PO-012")
def test_extra_barrels_come_on_top() -> None:
    board = a_start(5, extra_barrels={"black": 5, "red": 1, "yellow": 2}).board
    assert (board.bag_black, board.bag_red, board.bag_yellow) == (30, 6, 7)
    assert (board.box_black, board.box_red, board.box_yellow) == (0, 0, 0)
    for extra in ({"black": 8, "red": 1}, {"black": 8, "yellow": 1}, {"black": 1, "red": 4, "yellow": 4}):
        assert refused(3, extra_barrels=extra) == ("PO-012", "too_many_extra_barrels", "/options/extra_barrels")


@pytest.mark.rule("PO-013", "PO-014")
def test_the_draws_of_the_set_up_come_in_this_order() -> None:
    table = a_start(2)
    kinds = [type(event) for event in table.happened]
    assert kinds == [
        GameStarted,
        FirstPlayerChosen,
        *[ChipsPlaced, ChipsTurned] * 2,
        DeckShuffled,
        RegionsStocked,
        DisplayRefilled,
        DeckShuffled,
        DisplayRefilled,
        *[PortfolioDealt] * 2,
        *[ConsultantsOffered] * 3,
        *[DeckShuffled] * 3,
        TurnStarted,
    ]
    labels = {rng.label for event in table.happened if (rng := getattr(event, "rng", None))}
    assert {"first_player", "refinery_chips", "refinery_sides", "risk_chips", "oil_fields", "pr_3"} <= labels
    assert a_start(2).board == table.board


@pytest.mark.rule("PO-020")
def test_refinery_chips_lie_anyhow_either_side_up() -> None:
    script = Script().shuffle("refinery_chips", ("RF3", "RF1", "RF2")).below("refinery_sides", 1, 0, 1)
    board = a_start(3, script).board
    assert [(place, chip.chip, chip.face) for place, chip in board.refineries.items()] == [
        ("SIN", "RF3", 1),
        ("ROT", "RF1", 0),
        ("PHI", "RF2", 1),
    ]


@pytest.mark.rule("PO-021", "PO-022")
def test_eight_of_the_chips_lie_on_the_risk_spots_and_the_half_closed_one_is_open() -> None:
    pool = [f"RC{n:02}" for n in range(1, 11)]
    picked = ["RC10", "RC01", "RC02", "RC03", "RC04", "RC05", "RC06", "RC07"]
    script = Script().pick("risk_chips", picked, pool).below("risk_sides", 1, 1, 1, 1, 1, 1, 1)
    board = a_start(3, script).board
    assert [chip.chip for chip in board.risks.values()] == picked
    assert [chip.face for chip in board.risks.values()] == [0, 1, 1, 1, 1, 1, 1, 1]
    assert list(board.risks) == ["BEL", "SUE", "ADE", "MAL", "CAR", "GIB", "NAT", "CGH"]


@pytest.mark.rule("PO-023", "PO-024")
def test_one_field_a_seat_stocks_its_region_and_goes_under_the_deck() -> None:
    """T-06: a Region shown twice gets 4."""
    fields = sorted(card.id for card in edition().oil_fields if card.least_seats == 2 and len(card.technologies) == 1)
    shown = ["OF-RUS-ETH", "OF-RUS-SPM", "OF-LIB-ETH"]
    order = [*shown, *(card for card in fields if card not in shown)]
    table = a_start(3, Script().shuffle("oil_fields", order))
    table.then_among_others(RegionsStocked(tuple(shown), (RegionBarrels("LIB", 2), RegionBarrels("RUS", 4))))
    assert table.board.regions == {"LIB": 2, "NIG": 0, "GUL": 0, "RUS": 4}
    assert table.board.field_deck[-3:] == tuple(shown)
    assert table.board.field_display == tuple(order[3:6])


@pytest.mark.rule("PO-026")
def test_seats_start_alike() -> None:
    first, *others = a_start(5).board.seats
    for hq in others:
        assert (hq.black, hq.agents, hq.reserve, hq.security) == (first.black, first.agents, first.reserve, 0)


@pytest.mark.rule("PO-027")
def test_a_portfolio_is_known_to_its_owner_alone() -> None:
    table = a_start(3)
    dealt = [event for event in table.sees(1) if event["type"] == "portfolio_dealt"]
    assert ["card" in event for event in dealt] == [False, True, False]


@pytest.mark.rule("PO-033")
def test_three_pr_decks_lie_face_down() -> None:
    table = a_start(3)
    assert [len(deck) for deck in table.board.pr_decks] == [6, 6, 6]
    shuffled = [event for event in table.sees(0) if event["type"] == "deck_shuffled"]
    assert all("order" not in event for event in shuffled)


@pytest.mark.rule("PO-034")
def test_everybody_may_start_with_a_crisis_card_face_down() -> None:
    """T-07."""
    table = a_start(3, challenge_start=True, first_player=1)
    assert [event.seat for event in table.happened if isinstance(event, PrCardDrawn)] == [1, 2, 0]
    assert [hq.pr_down_level for hq in table.board.seats] == [1, 1, 1]
    assert len(table.board.pr_decks[0]) == 3
    refusal = ("PO-034", "challenge_start_with_crude", "/options/challenge_start")
    assert refused(3, challenge_start=True, variant="crude") == refusal


@pytest.mark.rule("PO-037")
def test_the_first_player_is_the_seat_named_or_a_random_one() -> None:
    a_start(4, first_player=2).waits_for(Step1Choose, 2)
    a_start(4, Script().below("first_player", 3)).waits_for(Step1Choose, 3)
    assert refused(3, first_player=3) == ("PO-037", "no_such_seat", "/options/first_player")
