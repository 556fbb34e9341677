"""Market Phase: OG-47 … OG-64."""

from __future__ import annotations

import msgspec
import pytest

from events.oil_and_gas.codes import AnyCard, CardNamed, CardOfType, Goods, Moved, Purse, Request, Wanted
from events.oil_and_gas.commands import (
    AcceptTrade,
    Command,
    DeclineTrade,
    FinishPhase,
    PlayEvent,
    ProposeTrade,
    WithdrawTrade,
)
from events.oil_and_gas.facts import PhaseClosed, SeatFinished, TradeClosed, TradeCompleted, TradeProposed
from events.oil_and_gas.steps import EventTurn, MarketActions
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import Scenario

ANY = AnyCard()
OIL = CardOfType("O")


def offer(to: int, give: str = "", want: tuple[Request, ...] = (), *, pay: int = 0, ask: int = 0) -> ProposeTrade:
    """A proposal of cards and PT."""
    paid = Purse(profit=pay) if pay else Purse()
    asked = Purse(profit=ask) if ask else Purse()
    return ProposeTrade(to, Goods(cards(give), paid), Wanted(want, asked))


@pytest.mark.rule("OG-47")
def test_trading_is_possible_in_this_phase_only() -> None:
    a_table("explore", "T07", "O03").refuses(0, offer(1, "T07", (OIL,)), "OG-47", "wrong_phase")
    a_table("event", "T07", "O03").refuses(0, AcceptTrade(1, ()), "OG-47", "wrong_phase")


@pytest.mark.rule("OG-48")
def test_a_trade_is_between_two_who_both_still_trade() -> None:
    """TS-122: neither with oneself, nor with who has finished or left, nor with a seat that is not there."""
    table = a_table("market", "T07", "O03", "", "", finished=(1,), resigned=(3,))
    for nobody in (0, 1, 3, 4):
        table.refuses(0, offer(nobody, "T07", (OIL,)), "OG-48", "invalid_partner")
    table.refuses(1, offer(0, "O03", (ANY,)), "OG-62", "already_finished")


@pytest.mark.rule("OG-49", "OG-56")
def test_cards_tokens_and_pt_change_hands_at_once() -> None:
    """TS-21."""
    table = a_table("market", "T07", "O03", "", profit=(10, 9, 10), tokens={1: {"oil": 1}})
    give, want = Goods(cards("T07"), Purse(profit=1)), Wanted((OIL,), Purse(oil=1))
    table.when(0, ProposeTrade(1, give, want)).then(TradeProposed(1, 0, 1, give, want))
    table.when(1, AcceptTrade(1, cards("O03"))).then(
        TradeCompleted(
            1,
            0,
            1,
            given=Moved(1, Purse(profit=1)),
            received=Moved(1, Purse(oil=1)),
            given_cards=cards("T07"),
            received_cards=cards("O03"),
        )
    )
    ann, bob, _ = table.board.companies
    assert (ann.hand, ann.profit, ann.tokens["oil"]) == (cards("O03"), 9, 1)
    assert (bob.hand, bob.profit, bob.tokens["oil"]) == (cards("T07"), 10, 0)
    assert "Offer 1: seat 0 gives seat 1 1 card and 1 PT for 1 card and 1 oil token." in table.hears(2)
    assert "Offer 1: seat 0 gives seat 1 Barges and 1 PT for Crude Oil and 1 oil token." in table.hears(1)


@pytest.mark.rule("OG-49", "OG-74")
def test_an_event_card_can_be_traded_and_played_in_the_same_turn() -> None:
    """TS-31."""
    table = a_table("market", "V09", "P01").when(0, offer(1, "V09", (ANY,))).when(1, AcceptTrade(1, cards("P01")))
    table.when(0, FinishPhase()).waits_for(EventTurn, table.board.leader)
    if table.board.leader == 0:
        table.when(0, FinishPhase())
    table.when(1, PlayEvent("V09.1"))
    assert table.board.modifier == 6


@pytest.mark.rule("OG-50")
def test_promises_cannot_be_written_down() -> None:
    """TS-124."""
    plain = {
        "type": "propose_trade",
        "to_seat": 1,
        "give": {"cards": ["T07.1"], "tokens": {}},
        "want": {"cards": [{"kind": "any"}], "tokens": {}, "promise": "peace"},
    }
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(plain, Command)


@pytest.mark.rule("OG-51")
def test_gifts_are_refused() -> None:
    """TS-25."""
    table = a_table("market", "T07", "O03")
    table.refuses(0, offer(1, pay=1), "OG-51", "trade_empty_side")
    table.refuses(0, offer(1, "T07"), "OG-51", "trade_empty_side")
    table.refuses(0, offer(1, want=(ANY,)), "OG-51", "trade_empty_side")
    table.when(0, offer(1, pay=1, want=(ANY,))).when(0, offer(1, "T07", ask=1))


@pytest.mark.rule("OG-52")
def test_the_proposer_holds_what_it_offers() -> None:
    """TS-26."""
    table = a_table("market", "T07", "O03", profit=(3, 10))
    table.refuses(0, offer(1, pay=5, want=(ANY,)), "OG-52", "insufficient_tokens")
    table.refuses(0, offer(1, "O03", (ANY,)), "OG-52", "card_not_in_hand")
    table.refuses(0, offer(1, "T07 T07", (ANY,)), "OG-52", "duplicate_card")


@pytest.mark.rule("OG-53")
def test_a_request_is_any_card_a_type_or_a_base_card() -> None:
    table = a_table("market", "T07", "O03 X02 V01")
    table.when(0, offer(1, "T07", (ANY, CardOfType("X"), CardNamed("V01"))))
    table.refuses(1, AcceptTrade(1, cards("X02 O03 V01")), "OG-54", "trade_requirement_unmet")
    table.when(1, AcceptTrade(1, cards("O03 X02 V01")))
    assert table.board.companies[0].hand == cards("O03 X02 V01")


@pytest.mark.rule("OG-53")
def test_a_request_names_a_card_of_the_game() -> None:
    a_table("market", "T07", "").refuses(0, offer(1, "T07", (CardNamed("X11"),)), "OG-03", "malformed")


@pytest.mark.rule("OG-54")
def test_one_card_for_each_request_no_more_no_fewer() -> None:
    """TS-22: the offer stays open."""
    table = a_table("market", "T07", "O03 X02 O05").when(0, offer(1, "T07", (OIL,), pay=1))
    for answer in ("X02", "O03 O05", ""):
        table.refuses(1, AcceptTrade(1, cards(answer)), "OG-54", "trade_requirement_unmet")
    table.refuses(1, AcceptTrade(1, cards("T07")), "OG-54", "card_not_in_hand")
    table.refuses(1, AcceptTrade(1, cards("O03 O03")), "OG-54", "duplicate_card")
    assert [one.number for one in table.board.offers] == [1]


@pytest.mark.rule("OG-54")
def test_only_the_addressee_accepts() -> None:
    table = a_table("market", "T07", "O03", "O05").when(0, offer(1, "T07", (OIL,)))
    table.refuses(2, AcceptTrade(1, cards("O05")), "OG-54", "not_addressee")
    table.refuses(2, DeclineTrade(1), "OG-60", "not_addressee")
    table.refuses(2, AcceptTrade(2, cards("O05")), "OG-58", "trade_not_open")


@pytest.mark.rule("OG-55")
def test_the_addressee_holds_the_tokens_that_are_asked() -> None:
    table = a_table("market", "T07", "O03", profit=(10, 2)).when(0, offer(1, "T07", ask=3))
    table.refuses(1, AcceptTrade(1, ()), "OG-55", "insufficient_tokens")


@pytest.mark.rule("OG-57", "OG-58")
def test_goods_may_be_offered_twice_and_the_second_offer_is_void() -> None:
    """TS-23, register 3.5 item 5: voided in the same entry, in ascending number."""
    table = a_table("market", "T07 X02", "O03", "O05")
    table.when(0, offer(1, "T07", (OIL,))).when(0, offer(2, "T07", (OIL,))).when(0, offer(2, "X02", (OIL,)))
    table.when(0, offer(2, "T07 X02", (OIL,)))
    table.when(1, AcceptTrade(1, cards("O03"))).then_among_others(TradeClosed(2, "voided"), TradeClosed(4, "voided"))
    table.refuses(2, AcceptTrade(2, cards("O05")), "OG-58", "trade_not_open")
    assert [one.number for one in table.board.offers] == [3]


@pytest.mark.rule("OG-58")
def test_an_offer_of_all_that_is_left_stands() -> None:
    table = a_table("market", "T07 X02", "", "")
    table.when(0, offer(1, "T07", ask=1)).when(0, offer(2, "X02", (ANY,))).when(2, offer(0, pay=10, want=(ANY,)))
    table.when(1, AcceptTrade(1, ())).then_none(TradeClosed)


@pytest.mark.rule("OG-58")
def test_an_offer_of_tokens_is_void_when_they_are_spent() -> None:
    table = a_table("market", "", "O03", "O05", profit=(3, 10, 10))
    table.when(0, offer(1, pay=2, want=(OIL,))).when(0, offer(2, pay=2, want=(OIL,)))
    table.when(1, AcceptTrade(1, cards("O03"))).then_among_others(TradeClosed(2, "voided"))


@pytest.mark.rule("OG-58")
def test_so_are_the_acceptors_own_offers_of_what_it_has_given() -> None:
    """A chain: what each of the two has handed over backs no offer any more; what they received backs a new one."""
    table = a_table("market", "T07", "O03 X02", "", "")
    table.when(0, offer(1, "T07", (OIL,))).when(1, offer(2, "O03", (ANY,))).when(1, offer(3, "X02 O03", (ANY,)))
    table.when(1, offer(2, "X02", (ANY,))).when(0, offer(3, "T07", (ANY,)))
    table.when(1, AcceptTrade(1, cards("O03"))).then_among_others(
        TradeClosed(2, "voided"), TradeClosed(3, "voided"), TradeClosed(5, "voided")
    )
    assert [one.number for one in table.board.offers] == [4]
    table.when(1, offer(2, "T07", (ANY,))).when(0, offer(2, "O03", (ANY,)))


@pytest.mark.rule("OG-54")
def test_one_card_does_not_meet_two_requests() -> None:
    """The same card may be asked for twice in different words; two cards are needed, each in its place."""
    want = (OIL, CardNamed("O03"))
    table = a_table("market", "T07", "O03 O05").when(0, offer(1, "T07", want))
    table.refuses(1, AcceptTrade(1, cards("O03 O03")), "OG-54", "duplicate_card")
    table.refuses(1, AcceptTrade(1, cards("O03 O05")), "OG-54", "trade_requirement_unmet")
    table.when(1, AcceptTrade(1, cards("O05 O03")))
    alone = a_table("market", "T07", "O03 X02").when(0, offer(1, "T07", want))
    assert not [option for option in alone.options(1) if option.id.startswith("accept_trade")]


@pytest.mark.rule("OG-20", "OG-54")
def test_a_double_meets_one_request() -> None:
    table = a_table("market", "T07", "X05 X02").when(0, offer(1, "T07", (ANY, ANY)))
    table.refuses(1, AcceptTrade(1, cards("X05")), "OG-54", "trade_requirement_unmet")
    table.when(1, AcceptTrade(1, cards("X05 X02")))


@pytest.mark.rule("OG-53")
def test_with_two_copies_either_one_is_the_card_asked_for() -> None:
    table = a_table("market", "T07", "O03.2", "", "", "", "").when(0, offer(1, "T07", (CardNamed("O03"),)))
    table.when(1, AcceptTrade(1, cards("O03.2")))
    assert table.board.companies[0].hand == ("O03.2",)


@pytest.mark.rule("OG-59")
def test_what_the_addressee_lacks_voids_nothing() -> None:
    table = a_table("market", "T07 T08", "O03", "").when(0, offer(1, "T07", (OIL,))).when(0, offer(1, "T08", (OIL,)))
    table.when(1, AcceptTrade(1, cards("O03")))
    assert [one.number for one in table.board.offers] == [2]


@pytest.mark.rule("OG-60")
def test_an_offer_is_declined_or_withdrawn_without_a_reason() -> None:
    table = a_table("market", "T07 T08", "O03", "")
    table.when(0, offer(1, "T07", (OIL,))).when(0, offer(1, "T08", (OIL,)))
    table.refuses(1, WithdrawTrade(1), "OG-60", "not_proposer")
    table.when(1, DeclineTrade(1)).then(TradeClosed(1, "declined"))
    table.when(0, WithdrawTrade(2)).then(TradeClosed(2, "withdrawn"))
    table.refuses(0, WithdrawTrade(2), "OG-60", "trade_not_open").refuses(1, DeclineTrade(2), "OG-60", "trade_not_open")
    assert table.board.companies[0].hand == cards("T07 T08")


@pytest.mark.rule("OG-61")
def test_at_most_five_offers_are_open() -> None:
    """TS-123: then two end, goods unchanged."""
    table = a_table("market", "T07", "O03")
    for _ in range(5):
        table.when(0, offer(1, "T07", (OIL,)))
    table.refuses(0, offer(1, "T07", (OIL,)), "OG-61", "trade_limit_reached")
    table.when(1, offer(0, "O03", (ANY,))).when(1, DeclineTrade(1)).when(0, WithdrawTrade(2))
    assert (table.board.companies[0].hand, table.board.companies[1].hand) == (cards("T07"), cards("O03"))
    table.when(0, offer(1, "T07", (OIL,)))


@pytest.mark.rule("OG-61")
def test_at_most_twenty_proposals_are_made() -> None:
    table = a_table("market", "T07", "O03", companies={0: {"proposals": 19}}).when(0, offer(1, "T07", (OIL,)))
    table.refuses(0, offer(1, "T07", (OIL,)), "OG-61", "trade_limit_reached")
    table.when(1, offer(0, "O03", (ANY,)))
    later = a_table("company", "T07", "O03", finished=(0,), companies={0: {"proposals": 20}})
    later.when(1, FinishPhase(discard=())).when(0, offer(1, "T07", (OIL,)))
    assert later.board.companies[0].proposals == 1


@pytest.mark.rule("OG-62")
def test_finishing_is_final_and_voids_the_seats_offers() -> None:
    table = a_table("market", "T07", "O03", "X01", "")
    table.when(0, offer(1, "T07", (OIL,))).when(2, offer(0, "X01", (ANY,))).when(1, offer(2, "O03", (ANY,)))
    table.when(0, FinishPhase()).then(
        SeatFinished(0, "market", "command", None), TradeClosed(1, "voided"), TradeClosed(2, "voided")
    )
    table.refuses(0, offer(1, "T07", (OIL,)), "OG-62", "already_finished").waits_for(MarketActions, 1, 2, 3)


@pytest.mark.rule("OG-62", "OG-63")
def test_with_two_players_one_finish_closes_the_market() -> None:
    """TS-27."""
    table = a_table("market", "T07", "O03").when(0, offer(1, "T07", (OIL,)))
    table.when(0, FinishPhase()).then_among_others(TradeClosed(1, "voided"), PhaseClosed("market"))
    assert isinstance(table.game.waiting, EventTurn)


@pytest.mark.rule("OG-63")
def test_the_market_closes_when_only_one_is_left_in_it() -> None:
    """TS-28."""
    table = a_table("market", "", "", "", "", finished=(0, 1))
    table.when(2, FinishPhase()).then_among_others(PhaseClosed("market"))
    assert table.board.phase == "event"


@pytest.mark.rule("OG-64")
def test_the_hand_limit_waits_for_the_next_company_phase() -> None:
    """TS-29."""
    hand = "T01 T02 T03 T04 T05 T06 T07 T08 T09 T10"
    table = a_table("market", hand, "O01 O02 O03 O04", "").when(0, offer(1, "T01", (ANY,) * 4))
    table.when(1, AcceptTrade(1, cards("O01 O02 O03 O04"))).waits_for(MarketActions, 0, 1, 2)
    assert len(table.board.companies[0].hand) == 13


@pytest.mark.rule("OG-184")
def test_offers_are_numbered_through_the_whole_game() -> None:
    """TS-143."""
    table = a_table("market", "T07", "O03", offers_made=1, turn=4).when(1, offer(0, "O03", (ANY,)))
    assert [one.number for one in table.board.offers] == [2]


@pytest.mark.rule("OG-187")
def test_an_offer_is_public_and_its_goods_are_not() -> None:
    """TS-113: an outsider's entry is the same whatever is offered, and so is its view."""

    def told(give: str) -> Scenario:
        return a_table("market", "T07 X02", "O03", "").when(0, offer(1, give, (OIL,)))

    one, other = told("T07"), told("X02")
    assert one.sees(2) == other.sees(2)
    assert one.view(2) == other.view(2)
    assert one.hears(2) == ["Offer 1: seat 0 offers seat 1 a trade."]
    assert one.hears(1) == one.hears(0) == ["Offer 1: seat 0 offers seat 1 Barges for any oil card."]
    one.when(1, DeclineTrade(1))
    assert one.hears(2) == ["Offer 1 is declined."]
    assert one.view(2).offers == ()


@pytest.mark.rule("OG-187")
def test_the_command_of_an_acceptance_shows_its_cards_to_the_parties_only() -> None:
    table = a_table("market", "T07", "O03", "").when(0, offer(1, "T07", (OIL,))).when(1, AcceptTrade(1, cards("O03")))
    assert [("cards" in table.sees(viewer)[0]) for viewer in (0, 1, 2, None)] == [True, True, False, False]
    assert [("given_cards" in table.sees(viewer)[1]) for viewer in (0, 1, 2, None)] == [True, True, False, False]
