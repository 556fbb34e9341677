"""What each question offers. That all of it is accepted, and nothing else, `tests/rules/test_playouts.py` asks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.oil_and_gas.codes import AnyCard, CardNamed, Goods, Purse, Request, Wanted
from events.oil_and_gas.commands import FinishPhase, PlayEvent, ProposeTrade
from tests.playouts import is_listed, spelled_out
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import Scenario


def ids(table: Scenario, seat: int) -> list[str]:
    """The ids of a seat's options."""
    return [option.id for option in table.options(seat)]


def test_the_company_phase_offers_a_card_and_a_finish_with_the_excess() -> None:
    table = a_table("company", "X01 X02 X03 X04 X05 X06 X07 X08 X09 X10 O01 O02", "")
    assert ids(table, 0) == ["buy_extra_card", "finish_phase", "finish_phase:through"]
    finish = table.options(0)[1]
    assert finish.admits(spelled_out(FinishPhase(discard=cards("X01 O02"))))
    assert not finish.admits(spelled_out(FinishPhase(discard=cards("X01"))))
    assert (table.options(0)[0].costs, finish.costs) == ({"profit": 1}, {"cards": 2})


@pytest.mark.rule("OG-37", "OG-38", "OG-39")
@pytest.mark.parametrize(
    ("profit", "bought", "deck", "discard", "offered"),
    [
        (1, 1, "X01", "", True),
        (1, 1, "", "X01", True),
        (0, 0, "X01", "", False),
        (9, 2, "X01", "", False),
        (9, 0, "", "", False),
    ],
)
def test_a_card_is_offered_while_it_can_be_paid_and_drawn(
    profit: int, bought: int, deck: str, discard: str, *, offered: bool
) -> None:
    table = a_table(
        "company", "", "", profit=profit, deck=deck, discard=discard, companies={0: {"extra_cards": bought}}
    )
    assert ("buy_extra_card" in ids(table, 0)) == offered


@pytest.mark.rule("OG-48", "OG-61")
def test_proposals_are_offered_to_others_who_trade_within_the_limits() -> None:
    table = a_table("market", "T07", "", "", "", finished=(2,))
    offers = [option for option in table.options(0) if option.id.startswith("propose_trade")]
    assert [option.id for option in offers] == [
        f"propose_trade:{gives}:{wants}" for gives in ("cards", "tokens") for wants in ("cards", "tokens")
    ]
    plain = ProposeTrade(1, Goods(cards("T07"), Purse()), Wanted((AnyCard(),), Purse()))
    assert [seat for seat in range(5) if is_listed(offers, replace(plain, to_seat=seat))] == [1, 3]
    for _ in range(5):
        assert is_listed(table.options(0), plain)
        table.when(0, plain)
    assert not is_listed(table.options(0), plain)
    spent = a_table("market", "T07", "", companies={0: {"proposals": 20}})
    assert ids(spent, 0) == ["finish_phase", "finish_phase:through"]


@pytest.mark.rule("OG-44")
def test_without_an_excess_the_finish_is_a_whole_command() -> None:
    """It may be sent as it is."""
    plain = a_table("company", "X01", "").options(0)[1]
    assert (plain.choose, plain.costs) == (None, {})
    assert plain.command == {"type": "finish_phase", "discard": [], "through_phase": None}
    a_table("company", "X01", "").when(0, FinishPhase(discard=()))


def test_who_is_not_awaited_is_offered_nothing() -> None:
    table = a_table("company", "", "", finished=(0,))
    assert ids(table, 0) == []


def test_the_market_offers_an_acceptance_only_to_who_can_meet_it() -> None:
    table = a_table("market", "T07 T08", "O03", "")
    table.when(0, ProposeTrade(1, Goods(cards("T07"), Purse()), Wanted((CardNamed("O03"),), Purse())))
    table.when(0, ProposeTrade(1, Goods(cards("T08"), Purse()), Wanted((AnyCard(), AnyCard()), Purse())))
    assert [one for one in ids(table, 1) if "propose" not in one] == [
        "accept_trade:1",
        "decline_trade:1",
        "decline_trade:2",
        "finish_phase",
        "finish_phase:through",
    ]
    assert [one for one in ids(table, 0) if "withdraw" in one] == ["withdraw_trade:1", "withdraw_trade:2"]
    assert not [one for one in ids(table, 2) if "trade:1" in one]
    table.when(0, ProposeTrade(1, Goods(cards("T08"), Purse()), Wanted((), Purse(oil=1))))
    assert "accept_trade:3" not in ids(table, 1)


@pytest.mark.rule("OG-61")
def test_wishes_that_only_just_fail_are_answered_at_once() -> None:
    """A hundred wishes of any card and one that nobody can meet: no search through all assignments."""
    hand = " ".join(f"{type_}{n:02d}" for type_ in "XOTR" for n in range(1, 11))
    table = a_table("market", "T07", hand.replace("T07", "G01"))
    wishes: tuple[Request, ...] = (*[AnyCard()] * 38, CardNamed("P01"), CardNamed("P01"))
    table.when(0, ProposeTrade(1, Goods(cards("T07"), Purse()), Wanted(wishes, Purse())))
    assert "accept_trade:1" not in ids(table, 1)


def test_an_event_is_offered_once_for_each_target() -> None:
    table = a_table("event", "V01 V02 X01", "", "", "", resigned=(3,))
    assert ids(table, 0) == [
        "play_event:V01.1",
        "play_event:V02.1:1",
        "play_event:V02.1:2",
        "finish_phase",
        "finish_phase:through",
    ]


@pytest.mark.rule("OG-78")
def test_a_second_economy_card_is_not_offered() -> None:
    table = a_table("event", "V09", "V04").when(0, PlayEvent("V09.1"))
    assert ids(table, 1) == ["finish_phase", "finish_phase:through"]
    assert ids(a_table("event", "V01 V04", ""), 0)[:2] == ["play_event:V01.1", "play_event:V04.1"]
    assert ids(a_table("event", "V01 V04", "", economy_played=True), 0)[:2] == ["play_event:V01.1", "finish_phase"]


@pytest.mark.rule("OG-116")
def test_conversions_are_offered_by_shape() -> None:
    table = a_table("explore", "X05 X06 X02 X03 X04 O01", "")
    assert ids(table, 0)[:3] == ["convert_cards:0x2+3x1", "convert_cards:1x2+1x1", "convert_cards:2x2+0x1"]
    assert table.options(0)[1].pick(lambda _n: 0) == {"type": "convert_cards", "cards": ["X05.1", "X02.1"]}
    assert [option.costs for option in table.options(0)[:3]] == [{"cards": 3}, {"cards": 2}, {"cards": 2}]
    assert ids(a_table("explore", "X05 X02", ""), 0)[:2] == ["convert_cards:1x2+1x1", "finish_phase"]
    assert ids(a_table("explore", "X02 X03", ""), 0)[:1] == ["finish_phase"]


@pytest.mark.rule("OG-138")
def test_melds_are_offered_by_what_fills_the_slots() -> None:
    table = a_table("profit", "X02 O01 T01 R01 G03 P01", "", tokens={0: {"oil": 1, "gasoline": 2}})
    assert [one for one in ids(table, 0) if "meld" in one] == [
        f"make_meld:card+{oil}+card+card+{gasoline}" for oil in ("card", "token") for gasoline in ("card", "token")
    ]


def test_the_last_phase_has_no_later_one_to_finish_through() -> None:
    table = a_table("profit", "", "")
    assert ids(table, 0) == ["finish_phase"]
    assert not is_listed(table.options(0), FinishPhase(through_phase="profit"))
