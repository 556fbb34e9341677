"""Explore to Production Phase: OG-110 … OG-132."""

from __future__ import annotations

import msgspec
import pytest

from events.oil_and_gas.codes import Phase
from events.oil_and_gas.commands import Command, ConvertCards, FinishPhase
from events.oil_and_gas.facts import CardsDiscarded, ConversionMade, PhaseClosed, TokensChanged
from events.oil_and_gas.steps import ConversionActions
from events.words import Rng
from rules.oil_and_gas.conversions import payment_shapes
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import Scenario, Script


def pay(phase: Phase, payment: str, die: int | None = None) -> Scenario:
    """Seat 0 pays; a scripted die falls."""
    script = Script()
    if die:
        script.die(f"{phase}/1/0/0", die)
    return a_table(phase, payment, "", script=script).when(0, ConvertCards(cards(payment)))


@pytest.mark.rule("OG-110")
def test_everybody_converts_in_any_order_until_finished() -> None:
    """TS-127."""
    table = a_table("explore", "X02 X03 X04", "", "X05 X06").when(2, ConvertCards(cards("X05 X06")))
    table.when(0, FinishPhase()).waits_for(ConversionActions, 1, 2)
    table.refuses(0, ConvertCards(cards("X02 X03 X04")), "OG-110", "already_finished")


@pytest.mark.rule("OG-111")
def test_payment_is_made_with_cards_of_the_own_hand_only() -> None:
    """TS-79: tokens cannot even be named."""
    table = a_table("explore", "X02 X03", "X04", tokens={0: {"explore": 3}})
    table.refuses(0, ConvertCards(cards("X02 X03")), "OG-113", "insufficient_weight")
    table.refuses(0, ConvertCards(cards("X02 X03 X04")), "OG-111", "card_not_in_hand")
    table.refuses(0, ConvertCards(cards("X02 X02 X03")), "OG-111", "duplicate_card")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "convert_cards", "cards": [], "tokens": {"explore": 1}}, Command)


@pytest.mark.rule("OG-112", "OG-113", "OG-114")
@pytest.mark.parametrize(
    ("phase", "payment", "rule", "reason"),
    [
        ("explore", "X02 X03 O01", "OG-112", "wrong_card_type"),
        ("explore", "X02 X03", "OG-113", "insufficient_weight"),
        ("explore", "", "OG-113", "insufficient_weight"),
        ("explore", "X05 X02 X03", "OG-114", "redundant_card"),
        ("transport", "T02 T03 T01", "OG-114", "redundant_card"),
        ("drill", "O01 O03 O05 O07 O08", "OG-114", "redundant_card"),
    ],
)
def test_a_payment_is_of_one_type_enough_and_not_padded(phase: Phase, payment: str, rule: str, reason: str) -> None:
    """TS-70, TS-75."""
    a_table(phase, payment, "").refuses(0, ConvertCards(cards(payment)), rule, reason)


@pytest.mark.rule("OG-113", "OG-115", "OG-116")
@pytest.mark.parametrize(
    ("phase", "payment"),
    [
        ("explore", "X02 X03 X04"),
        ("explore", "X05 X02"),
        ("explore", "X05 X06"),
        ("transport", "T02 T03"),
        ("transport", "T02 T01 T06"),
        ("transport", "T01 T06 T07 T08"),
        ("refining", "R03 R04"),
    ],
)
def test_the_payment_shapes(phase: Phase, payment: str) -> None:
    """TS-70, TS-75, TS-76: weight above the need is lost."""
    table = pay(phase, payment)
    assert table.board.companies[0].hand == ()
    assert set(table.board.discard) == set(cards(payment))


@pytest.mark.rule("OG-116")
def test_there_are_no_other_shapes() -> None:
    """As numbers of doubles and singles."""
    assert payment_shapes(3) == [(0, 3), (1, 1), (2, 0)]
    assert payment_shapes(4) == [(0, 4), (1, 2), (2, 0)]


@pytest.mark.rule("OG-117")
def test_a_seat_converts_as_often_as_it_can_pay() -> None:
    """TS-71: each roll under its own label."""
    table = a_table("explore", "X02 X03 X04 X07 X08 X09", "")
    for ordinal, payment in enumerate(("X02 X03 X04", "X07 X08 X09")):
        table.when(0, ConvertCards(cards(payment)))
        made = next(event for event in table.happened if isinstance(event, ConversionMade))
        assert isinstance(made.rng, Rng)
        assert made.rng.label == f"explore/1/0/{ordinal}"
    table.when(0, FinishPhase()).waits_for(ConversionActions, 1)


@pytest.mark.rule("OG-171")
def test_each_phase_counts_its_rolls_anew() -> None:
    table = a_table("explore", "X05 X06 O04 O06", "").when(0, ConvertCards(cards("X05 X06")))
    table.when(0, FinishPhase()).when(1, FinishPhase()).when(0, ConvertCards(cards("O04 O06")))
    made = next(event for event in table.happened if isinstance(event, ConversionMade))
    assert made.rng == Rng("drill/1/0/0", 0, 1)


@pytest.mark.rule("OG-118", "OG-123")
def test_the_payment_is_gone_before_the_roll_and_whatever_it_is() -> None:
    """Register 3.5 item 8."""
    payment = cards("X02 X03 X04")
    pay("explore", "X02 X03 X04", 1).then(
        CardsDiscarded(0, payment, "conversion"), ConversionMade(0, "explore", payment, 1, 0, 1, 0)
    )


@pytest.mark.rule("OG-123", "OG-124")
@pytest.mark.parametrize(("die", "tokens"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 2)])
def test_the_exploration_roll(die: int, tokens: int) -> None:
    """TS-66."""
    assert pay("explore", "X02 X03 X04", die).board.companies[0].tokens["explore"] == tokens


@pytest.mark.rule("OG-120", "OG-121", "OG-122")
@pytest.mark.parametrize(("die", "tokens"), [(1, 0), (2, 1), (3, 1), (4, 2), (6, 2)])
def test_bonuses_of_the_cards_paid_add_up(die: int, tokens: int) -> None:
    """TS-68: the bands apply to the modified total."""
    table = pay("explore", "X01 X10 X02", die)
    assert table.board.companies[0].tokens["explore"] == tokens
    made = next(event for event in table.happened if isinstance(event, ConversionMade))
    assert (made.roll, made.bonus, made.total) == (die, 2, die + 2)


@pytest.mark.rule("OG-120")
def test_a_bonus_card_that_is_held_or_was_spent_earlier_adds_nothing() -> None:
    table = a_table("explore", "X01 X02 X03 X04 X10 X07 X08", "", script=Script().die("explore/1/0/1", 3))
    table.when(0, ConvertCards(cards("X01 X07 X08"))).when(0, ConvertCards(cards("X02 X03 X04")))
    made = next(event for event in table.happened if isinstance(event, ConversionMade))
    assert (made.roll, made.bonus, made.tokens) == (3, 0, 0)


@pytest.mark.rule("OG-119", "OG-125", "OG-126")
@pytest.mark.parametrize(("die", "tokens"), [(1, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_the_drill_roll_needs_no_explore_token(die: int, tokens: int) -> None:
    """TS-72."""
    assert pay("drill", "O01 O03 O05 O07", die).board.companies[0].tokens["oil"] == tokens


@pytest.mark.rule("OG-121", "OG-126")
@pytest.mark.parametrize(("die", "tokens"), [(1, 1), (3, 1), (4, 2)])
def test_drill_bonuses(die: int, tokens: int) -> None:
    """TS-73."""
    assert pay("drill", "O02 O09 O01 O03", die).board.companies[0].tokens["oil"] == tokens


@pytest.mark.rule("OG-121", "OG-124", "OG-126")
@pytest.mark.parametrize(
    ("phase", "payment", "die", "tokens"),
    [
        ("explore", "X01 X01.2 X10", 1, 1),
        ("explore", "X01 X01.2 X10", 3, 2),
        ("drill", "O02 O02.2 O09 O09.2", 1, 1),
        ("drill", "O02 O02.2 O09 O09.2", 2, 2),
        ("drill", "O02 O02.2 O09 O09.2", 6, 2),
    ],
)
def test_with_two_copies_three_or_four_bonuses_add_up(phase: Phase, payment: str, die: int, tokens: int) -> None:
    script = Script().die(f"{phase}/1/0/0", die)
    table = a_table(phase, payment, "", "", "", "", "", script=script).when(0, ConvertCards(cards(payment)))
    assert sum(table.board.companies[0].tokens.values()) == tokens


@pytest.mark.rule("OG-127", "OG-128", "OG-129", "OG-130")
@pytest.mark.parametrize(
    ("phase", "payment", "kind"),
    [
        ("transport", "T01 T06 T07 T08", "transport"),
        ("refining", "R01 R02 R05", "refinery"),
        ("gasoline", "G01 G03 G07", "gasoline"),
        ("production", "P05 P01", "product"),
    ],
)
def test_four_phases_convert_without_a_roll(phase: Phase, payment: str, kind: str) -> None:
    """TS-75, TS-76, register 3.5 item 8."""
    paid = cards(payment)
    pay(phase, payment).then(
        CardsDiscarded(0, paid, "conversion"),
        ConversionMade(0, phase, paid, None, None, None, 1),
        TokensChanged(0, kind, 1, "conversion"),  # type: ignore[arg-type]
    )


@pytest.mark.rule("OG-131")
def test_tokens_are_no_cards() -> None:
    """No limit applies to them and no chance takes them."""
    table = a_table("company", "X01", "", tokens={0: {"oil": 40}}).when(0, FinishPhase(discard=()))
    assert table.board.companies[0].tokens["oil"] == 40


@pytest.mark.rule("OG-132")
@pytest.mark.parametrize("phase", ["explore", "drill", "transport", "refining", "gasoline", "production"])
def test_each_phase_closes_when_everybody_has_finished(phase: Phase) -> None:
    table = a_table(phase, "", "", "", finished=(0,)).when(2, FinishPhase()).waits_for(ConversionActions, 1)
    table.when(1, FinishPhase()).then_among_others(PhaseClosed(phase))


@pytest.mark.rule("OG-169", "OG-171")
def test_a_roll_does_not_depend_on_who_comes_first() -> None:
    def rolls(first: int, second: int) -> dict[int, int | None]:
        table = a_table("explore", "X02 X03 X04", "X05 X06")
        payments = {0: cards("X02 X03 X04"), 1: cards("X05 X06")}
        found: dict[int, int | None] = {}
        for seat in (first, second):
            table.when(seat, ConvertCards(payments[seat]))
            found[seat] = next(event.roll for event in table.happened if isinstance(event, ConversionMade))
        return found

    assert rolls(0, 1) == rolls(1, 0)
