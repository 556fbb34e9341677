"""Profit Phase: OG-133 … OG-153."""

from __future__ import annotations

import msgspec
import pytest

from events.oil_and_gas.codes import Tokens
from events.oil_and_gas.commands import Command, FinishPhase, MakeMeld
from events.oil_and_gas.facts import (
    CardsDiscarded,
    CardsDrawn,
    DeckShuffled,
    DrawLapsed,
    MeldMade,
    PhaseClosed,
    ProfitChanged,
    TokensChanged,
)
from events.oil_and_gas.steps import CompanyActions, ProfitTurn
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import Scenario

FIVE = "X02 O01 T01 R01 G03"
LATE = {"victory": "phase_end"}


def meld(pieces: str, tokens: Tokens | None = None) -> MakeMeld:
    """A meld of cards and tokens."""
    return MakeMeld(cards(pieces), tokens or Tokens())


def earned(table: Scenario) -> int:
    """What the last meld earned."""
    return next(event.profit for event in table.happened if isinstance(event, MeldMade))


@pytest.mark.rule("OG-133")
def test_the_leader_melds_first_then_clockwise() -> None:
    """TS-95: order B C A."""
    table = a_table("profit", FIVE, FIVE, "", leader=1).when(1, FinishPhase()).waits_for(ProfitTurn, 2)
    table.refuses(1, meld(FIVE), "OG-133", "not_awaited").refuses(0, meld(FIVE), "OG-133", "not_awaited")
    table.when(2, FinishPhase()).waits_for(ProfitTurn, 0)


@pytest.mark.rule("OG-134", "OG-147")
def test_a_meld_leaves_earns_and_draws_in_this_order() -> None:
    """TS-84, register 3.5 item 9."""
    table = a_table("profit", FIVE, "", deck="X05 X06 X07", tokens={0: {"product": 2}})
    table.when(0, meld(FIVE, Tokens(product=2))).then(
        CardsDiscarded(0, cards(FIVE), "meld"),
        TokensChanged(0, "product", -2, "meld"),
        MeldMade(0, cards(FIVE), Tokens(product=2), 7, 0, 7),
        ProfitChanged(0, 7, "meld"),
        CardsDrawn(0, 2, "meld", cards("X05 X06")),
    )
    assert table.board.companies[0].profit == 17
    table.waits_for(ProfitTurn, 0)


@pytest.mark.rule("OG-135", "OG-136")
@pytest.mark.parametrize(
    ("pieces", "rule"),
    [
        ("X02 X03 O01 T01 R01 G03", "OG-135"),
        ("X02 O01 O03 T01 R01 G03", "OG-135"),
        ("X02 O01 T01 T06 R01 G03", "OG-135"),
        ("X02 O01 T01 R01 R02 G03", "OG-135"),
        ("X02 O01 T01 R01", "OG-136"),
        ("X02 O01 T01 R01 P01", "OG-136"),
        ("X02 O01 R01 G03", "OG-135"),
        ("O01 T01 R01 G03 P01", "OG-135"),
        ("", "OG-135"),
    ],
)
def test_a_meld_has_exactly_one_of_four_kinds_and_gasoline(pieces: str, rule: str) -> None:
    """TS-88."""
    a_table("profit", pieces, "").refuses(0, meld(pieces), rule, "meld_composition")


@pytest.mark.rule("OG-135")
def test_a_card_and_a_token_for_the_same_slot_are_one_too_many() -> None:
    table = a_table("profit", FIVE, "", tokens={0: {"oil": 1}})
    table.refuses(0, meld(FIVE, Tokens(oil=1)), "OG-135", "meld_composition")


@pytest.mark.rule("OG-137")
@pytest.mark.parametrize("products", ["", "P01", "P01 P02 P03 P05"])
def test_any_number_of_product_pieces(products: str) -> None:
    pieces = f"{FIVE} {products}"
    a_table("profit", pieces, "").when(0, meld(pieces)).then_among_others(CardsDiscarded(0, cards(pieces), "meld"))


@pytest.mark.rule("OG-138")
def test_cards_and_tokens_mix_freely() -> None:
    """TS-86, TS-87."""
    every = Tokens(explore=1, oil=1, transport=1, refinery=1, gasoline=1)
    table = a_table("profit", "", "", tokens={0: msgspec.to_builtins(every)}).when(0, meld("", every))
    table.then_none(CardsDiscarded).counts(TokensChanged, 5)
    assert (earned(table), sum(table.board.companies[0].tokens.values())) == (5, 0)
    hand = "O04 T07 R03 G08 G01 P05 P01"
    table = a_table("profit", hand, "", tokens={0: {"explore": 1}}).when(0, meld(hand, Tokens(explore=1)))
    assert earned(table) == 12


@pytest.mark.rule("OG-138")
def test_pieces_are_the_seats_own() -> None:
    table = a_table("profit", "X02 O01 T01 R01", "G03", tokens={0: {"gasoline": 1}})
    table.refuses(0, meld(FIVE), "OG-138", "card_not_in_hand")
    table.refuses(0, meld("X02 O01 T01 R01", Tokens(gasoline=2)), "OG-138", "insufficient_tokens")
    table.refuses(0, meld("X02 X02 O01 T01 R01", Tokens(gasoline=1)), "OG-138", "duplicate_card")


@pytest.mark.rule("OG-139", "OG-142")
def test_a_double_is_one_piece_and_earns_2() -> None:
    """TS-85."""
    doubles = "X05 O04 T02 R03 G01"
    assert earned(a_table("profit", doubles, "").when(0, meld(doubles))) == 10


@pytest.mark.rule("OG-122")
def test_in_a_meld_a_bonus_card_is_a_plain_card() -> None:
    pieces = "X01 O02 T01 R01 G03"
    assert earned(a_table("profit", pieces, "").when(0, meld(pieces))) == 5


@pytest.mark.rule("OG-135", "OG-139")
def test_with_two_copies_both_of_one_card_are_two_pieces() -> None:
    twice = "X02 X02.2 O01 T01 R01 G03"
    table = a_table("profit", f"{twice} G01 G01.2", "", "", "", "", "")
    table.refuses(0, meld(twice), "OG-135", "meld_composition")
    assert earned(table.when(0, meld("X02.2 O01 T01 R01 G01 G01.2"))) == 8


@pytest.mark.rule("OG-148")
def test_where_no_card_is_left_the_two_lapse_and_the_go_goes_on() -> None:
    every = Tokens(explore=1, oil=1, transport=1, refinery=1, gasoline=1)
    table = a_table("profit", "", "", deck="", tokens={0: msgspec.to_builtins(every)}).when(0, meld("", every))
    table.then_among_others(ProfitChanged(0, 5, "meld"), DrawLapsed(0, 2, "meld")).waits_for(ProfitTurn, 0)


@pytest.mark.rule("OG-140")
def test_events_and_pt_are_no_pieces() -> None:
    """TS-88."""
    pieces = f"{FIVE} V01"
    a_table("profit", pieces, "").refuses(0, meld(pieces), "OG-140", "meld_composition")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "make_meld", "cards": [], "tokens": {"profit": 1}}, Command)


@pytest.mark.rule("OG-141")
def test_the_smallest_meld_has_five_pieces_the_largest_24_cards() -> None:
    """TS-89: all 24 earn 36."""
    most = " ".join(["X05 O04 T02 R03", *(f"{type_}{n:02d}" for type_ in "GP" for n in range(1, 11))])
    table = a_table("profit", most, "").when(0, meld(most))
    assert earned(table) == 36


@pytest.mark.rule("OG-143")
def test_the_modifier_counts_for_every_meld_of_everybody() -> None:
    """TS-90."""
    again = "X04 O05 T07 R05 G08 P01"
    table = a_table("profit", f"{FIVE} O05 T07 R05 G08", "", modifier=-3, deck="X04 P01 P02 P03").when(0, meld(FIVE))
    assert earned(table) == 2
    assert earned(table.when(0, meld(again))) == 3
    table = a_table("profit", FIVE, "X03 O03 T06 R02 G07", modifier=-3, go=1)
    assert earned(table.when(1, meld("X03 O03 T06 R02 G07"))) == 2


@pytest.mark.rule("OG-144", "OG-145")
@pytest.mark.parametrize("modifier", [-5, -7])
def test_a_meld_never_costs_pt_and_may_earn_none(modifier: int) -> None:
    """TS-92: the pieces are spent, two cards are drawn, no event is written for 0 PT."""
    table = a_table("profit", FIVE, "", modifier=modifier, deck="X05 X06").when(0, meld(FIVE))
    assert earned(table) == 0
    table.then_none(ProfitChanged)
    assert (table.board.companies[0].profit, table.board.companies[0].hand) == (10, cards("X05 X06"))


@pytest.mark.rule("OG-146")
def test_cards_go_to_the_discard_pile_and_tokens_to_the_supply() -> None:
    table = a_table("profit", "X02 O01 T01 R01", "", tokens={0: {"gasoline": 3}})
    table.when(0, meld("X02 O01 T01 R01", Tokens(gasoline=2)))
    assert set(table.board.discard) == set(cards("X02 O01 T01 R01"))
    assert table.board.companies[0].tokens["gasoline"] == 1


@pytest.mark.rule("OG-148", "OG-151")
def test_two_cards_are_drawn_whatever_the_hand() -> None:
    hand = f"{FIVE} P01 P02 P03 P04 P05 P06 P07 P08 P09 P10"
    table = a_table("profit", hand, "", options=LATE, profit=(30, 10)).when(0, meld(FIVE))
    assert len(table.board.companies[0].hand) == 12
    table.waits_for(ProfitTurn, 0)


@pytest.mark.rule("OG-149")
def test_the_cards_of_the_meld_are_in_a_reshuffle_for_its_two_cards() -> None:
    table = a_table("profit", FIVE, "", deck="").when(0, meld(FIVE)).counts(DeckShuffled, 1)
    assert set(table.board.companies[0].hand) <= set(cards(FIVE))
    assert len(table.board.deck) == 3


@pytest.mark.rule("OG-150")
def test_cards_just_drawn_may_be_melded_in_the_same_go() -> None:
    """TS-94."""
    table = a_table("profit", f"{FIVE} O03 T06 R02 G07", "", deck="X03 X04 P01 P02")
    table.when(0, meld(FIVE)).when(0, meld("X03 O03 T06 R02 G07")).counts(CardsDrawn, 1)
    assert table.board.companies[0].hand == cards("X04 P01 P02")


@pytest.mark.rule("OG-152")
def test_after_finishing_nothing_more_is_melded_and_the_last_one_closes() -> None:
    table = a_table("profit", FIVE, "").when(0, FinishPhase()).refuses(0, meld(FIVE), "OG-133", "not_awaited")
    table.when(1, FinishPhase()).then_among_others(PhaseClosed("profit")).waits_for(CompanyActions, 0, 1)


@pytest.mark.rule("OG-153")
def test_a_go_always_ends() -> None:
    """TS-130: with 30 tokens of each kind at least 30 and at most 59 melds."""
    table = a_table("profit", "", "", tokens={0: dict.fromkeys(_KINDS, 30)}, options=LATE)
    melds = 0
    while options := [option for option in table.options(0) if option.command["type"] == "make_meld"]:
        smallest = max(options, key=lambda option: option.id.count("card"))
        fields = {"id": "", **smallest.pick(lambda _n: 0)}
        table.when(0, msgspec.convert(fields, Command))
        melds += 1
    assert 30 <= melds <= 59


_KINDS = ("explore", "oil", "transport", "refinery", "gasoline", "product")
