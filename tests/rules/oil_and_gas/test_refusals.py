"""What a refusal says: the rule, the reason, and the member of the command that is at fault."""

from __future__ import annotations

import pytest

from events.oil_and_gas.codes import AnyCard, CardNamed, CardOfType, Goods, Phase, Purse, Tokens, Wanted
from events.oil_and_gas.commands import (
    AcceptTrade,
    BuyExtraCard,
    ConvertCards,
    DeclineTrade,
    FinishPhase,
    MakeMeld,
    PlayEvent,
    ProposeTrade,
    WithdrawTrade,
)
from events.words import Command
from tests.rules.oil_and_gas.tables import a_table, cards
from tests.scenario import Scenario

HAND = "X02 X03 X05 X06 O01 T01 R01 G03 P01 V01 V02"
ANY = Wanted((AnyCard(),), Purse())


def give(text: str = "X02", to: int = 1, want: Wanted = ANY, **paid: int) -> ProposeTrade:
    """A proposal to seat 1."""
    return ProposeTrade(to, Goods(cards(text), Purse(**paid)), want)


@pytest.mark.rule("OG-03", "OG-43", "OG-48", "OG-51", "OG-52", "OG-73", "OG-83", "OG-111", "OG-135", "OG-138", "OG-179")
@pytest.mark.parametrize(
    ("phase", "command", "rule", "reason", "field"),
    [
        ("company", FinishPhase(discard=("X99.1",)), "OG-03", "malformed", "/discard"),
        ("company", FinishPhase(discard=cards("O02")), "OG-43", "card_not_in_hand", "/discard"),
        ("company", FinishPhase(discard=cards("X02 X02")), "OG-43", "duplicate_card", "/discard"),
        ("company", FinishPhase(discard=cards("X02 X03")), "OG-43", "bad_discard_count", "/discard"),
        ("company", FinishPhase(), "OG-43", "malformed", "/discard"),
        ("market", FinishPhase(discard=()), "OG-44", "malformed", "/discard"),
        ("market", FinishPhase(through_phase="company"), "OG-179", "bad_through_phase", "/through_phase"),
        ("market", give("X99"), "OG-03", "malformed", "/give/cards"),
        ("market", give(want=Wanted((CardNamed("X99"),), Purse())), "OG-03", "malformed", "/want/cards"),
        ("market", give("X02 X02"), "OG-52", "duplicate_card", "/give/cards"),
        ("market", give("O02"), "OG-52", "card_not_in_hand", "/give/cards"),
        ("market", give(oil=1), "OG-52", "insufficient_tokens", "/give/tokens"),
        ("market", give(profit=11), "OG-52", "insufficient_tokens", "/give/tokens"),
        ("market", give(""), "OG-51", "trade_empty_side", "/give"),
        ("market", give(want=Wanted((), Purse())), "OG-51", "trade_empty_side", "/want"),
        ("market", give(to=0), "OG-48", "invalid_partner", "/to_seat"),
        ("market", AcceptTrade(3, ()), "OG-58", "trade_not_open", "/offer"),
        ("event", PlayEvent("V99.1"), "OG-03", "malformed", "/card"),
        ("event", PlayEvent("V03.1"), "OG-73", "card_not_in_hand", "/card"),
        ("event", PlayEvent("X02.1"), "OG-73", "not_an_event", "/card"),
        ("event", PlayEvent("V01.1", 1), "OG-83", "target_not_allowed", "/target_seat"),
        ("event", PlayEvent("V02.1"), "OG-83", "target_required", "/target_seat"),
        ("event", PlayEvent("V02.1", 0), "OG-83", "invalid_target", "/target_seat"),
        ("explore", ConvertCards(("X99.1",)), "OG-03", "malformed", "/cards"),
        ("explore", ConvertCards(cards("X02 X02")), "OG-111", "duplicate_card", "/cards"),
        ("explore", ConvertCards(cards("X04")), "OG-111", "card_not_in_hand", "/cards"),
        ("explore", ConvertCards(cards("X02 O01")), "OG-112", "wrong_card_type", "/cards"),
        ("explore", ConvertCards(cards("X02 X03")), "OG-113", "insufficient_weight", "/cards"),
        ("explore", ConvertCards(cards("X05 X06 X02")), "OG-114", "redundant_card", "/cards"),
        ("profit", MakeMeld(cards("O02")), "OG-138", "card_not_in_hand", "/cards"),
        ("profit", MakeMeld(cards("X02"), Tokens(oil=1)), "OG-138", "insufficient_tokens", "/tokens"),
        ("profit", MakeMeld(cards("X02")), "OG-135", "meld_composition", "/cards"),
        ("profit", MakeMeld(cards("X02 O01 T01 R01")), "OG-136", "meld_composition", "/cards"),
        ("profit", MakeMeld(cards("X02 O01 T01 R01 G03 V01")), "OG-140", "meld_composition", "/cards"),
        ("company", FinishPhase(discard=cards("X02"), decision_id=0), "OG-176", "stale_decision", "/decision_id"),
        ("company", MakeMeld(cards("X02")), "OG-21", "wrong_phase", None),
        ("company", give(), "OG-47", "wrong_phase", None),
    ],
)
def test_the_member_at_fault_is_named(
    phase: Phase, command: Command, rule: str, reason: str, field: str | None
) -> None:
    a_table(phase, HAND, "").refuses(0, command, rule, reason, field)


@pytest.mark.rule("OG-37", "OG-38", "OG-39", "OG-40", "OG-61", "OG-68")
def test_where_no_member_is_at_fault_none_is_named() -> None:
    for rule, reason, table in (
        ("OG-37", "extra_limit_reached", a_table("company", "", "", deck="X01", companies={0: {"extra_cards": 2}})),
        ("OG-38", "insufficient_profit", a_table("company", "", "", deck="X01", profit=0)),
        ("OG-39", "no_cards_left", a_table("company", "", "", deck="")),
        ("OG-40", "already_finished", a_table("company", "", "", finished=(0,))),
    ):
        table.refuses(0, BuyExtraCard(), rule, reason, None)
    a_table("market", HAND, "", companies={0: {"proposals": 20}}).refuses(
        0, give(), "OG-61", "trade_limit_reached", None
    )
    a_table("event", HAND, "").refuses(1, PlayEvent("V01.1"), "OG-68", "not_awaited", None)


@pytest.mark.rule("OG-135")
def test_of_a_meld_with_too_many_tokens_it_is_the_tokens() -> None:
    table = a_table("profit", "X02 T01 R01 G03", "", tokens={0: {"oil": 2}})
    table.refuses(0, MakeMeld(cards("X02 T01 R01 G03"), Tokens(oil=2)), "OG-135", "meld_composition", "/tokens")


@pytest.mark.rule("OG-79")
def test_a_second_economy_card_is_at_fault() -> None:
    table = a_table("event", "V04", "", economy_played=True)
    table.refuses(0, PlayEvent("V04.1"), "OG-79", "economy_already_played", "/card")


@pytest.mark.rule("OG-54", "OG-55", "OG-60")
def test_of_an_answer_to_an_offer_it_is_the_offer_or_the_cards() -> None:
    table = _with_an_offer()
    table.refuses(2, AcceptTrade(1, ()), "OG-54", "not_addressee", "/offer")
    table.refuses(2, DeclineTrade(1), "OG-60", "not_addressee", "/offer")
    table.refuses(2, WithdrawTrade(1), "OG-60", "not_proposer", "/offer")
    table.refuses(1, AcceptTrade(1, cards("O01 O01")), "OG-54", "duplicate_card", "/cards")
    table.refuses(1, AcceptTrade(1, cards("O02")), "OG-54", "card_not_in_hand", "/cards")
    table.refuses(1, AcceptTrade(1, cards("T01")), "OG-54", "trade_requirement_unmet", "/cards")
    _with_an_offer(oil=1).refuses(1, AcceptTrade(1, cards("O01")), "OG-55", "insufficient_tokens", "/offer")


def _with_an_offer(**asked: int) -> Scenario:
    table = a_table("market", "X02", "O01 T01", "")
    return table.when(0, give(want=Wanted((CardOfType("O"),), Purse(**asked))))
