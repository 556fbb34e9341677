"""What a deadline answers: the last column of table 3.2, question by question, told apart only by who has answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from events.petroleo.commands import (
    Abandon,
    AnswerPartnership,
    Bid,
    ChoosePartner,
    Command,
    Damage,
    Decline,
    Exercise,
    Forgo,
    Keep,
    Lend,
    OfferCard,
    PlayCard,
    ProposeDissolution,
    Refuse,
    SellHalf,
    Surrender,
    SurrenderTower,
)
from events.table import DecisionExpired
from rules.petroleo.deadlines import DEFAULTS
from tests.rules.petroleo.tables import A, B, C, choosing, co, paying, resolving, using
from tests.scenario import Scenario

YES, NO = AnswerPartnership(accept=True), AnswerPartnership(accept=False)
Table = Callable[[], Scenario]


def _offered(*bids: Bid) -> Scenario:
    scene = using("oil6", co(), co("L02:tower L01:tower"), co("L03:tower")).when(A, OfferCard(1))
    for seat, bid in zip((B, C), bids, strict=False):
        scene.when(seat, bid)
    return scene


def _sold_choice(*, plots: str = "L05 S01", cash: int = 60) -> Scenario:
    """B has won a card that buys a tower or a licence."""
    return using("tower_or_licence", co(), co(plots, cash=cash), co(cash=0)).when(A, OfferCard(1)).when(B, Bid(2))


def _sold_tanker(cash: int) -> Scenario:
    return using("tanker", co(), co(cash=cash), co(cash=0)).when(A, OfferCard(1)).when(B, Bid(2))


def _partners(*answers: AnswerPartnership) -> Scenario:
    scene = using("tanker", co(), co(), co()).when(A, Exercise(mode="partnership"))
    for seat, answer in zip((B, C), answers, strict=False):
        scene.when(seat, answer)
    return scene


def _proposed() -> Scenario:
    return choosing(co(), co(), co(), tankers="TK1:0+1").when(A, ProposeDissolution("TK1", 5))


CASES: dict[str, tuple[Table, int, Command]] = {
    "D1": (lambda: resolving(3), A, Decline()),
    "D1 with doubling open": (lambda: resolving(5, co(double_available=True), co(), co()), A, Decline()),
    "D2": (lambda: resolving(7, co("L01"), co(), co()), A, Decline()),
    "D3": (lambda: resolving(2, co("S01 L09 L02"), co(), co(), year_ends=3), A, Surrender(("L02", "L09"))),
    "D4": (lambda: resolving(4, tankers="TK2:0 TK3:1+0"), A, Damage("TK2")),
    "D5": (lambda: resolving(16, co("S01:tower L04:tower"), co(), co()), A, SurrenderTower("L04")),
    "D6": (lambda: resolving(20), A, Decline()),
    "D7": (lambda: choosing(co(hand="c08 c18 c01"), co(), co()), A, PlayCard("c01")),
    "D8": (lambda: using("truck"), A, Forgo()),
    "D9": (_offered, C, Bid(None)),
    "D9, the last one awaited": (lambda: _offered(Bid(4)), C, Bid(None)),
    "D10, a reservoir": (lambda: _offered(Bid(4), Bid(None)), B, Exercise(zone_id="L01")),
    "D10, a tower before a licence at the same price": (_sold_choice, B, Exercise(item="tower", zone_id="L05")),
    "D10, a licence": (lambda: _sold_choice(plots="S01"), B, Exercise(item="licence_sea")),
    "D10, a tanker alone": (lambda: _sold_tanker(302), B, Exercise(mode="sole")),
    "D10, a tanker in partnership": (lambda: _sold_tanker(301), B, Exercise(mode="partnership")),
    "D11": (_partners, B, NO),
    "D12": (lambda: _partners(YES, YES), A, ChoosePartner(B)),
    "D13": (lambda: _partners(NO, NO), A, Abandon()),
    "D14": (_proposed, B, Refuse()),
    "D15": (lambda: _proposed().when(B, Refuse()), A, Keep()),
    "D16": (lambda: resolving(4, co(cash=5), co(), co(), tankers="TK1:0"), A, SellHalf("TK1")),
    "D17": (lambda: paying(co("L01:oil6"), co(), co(), bank=0), B, Lend(0)),
}


@pytest.mark.rule("PT-028", "PT-031", "PT-104", "PT-111", "PT-126", "PT-177", "PT-287")
@pytest.mark.parametrize("case", CASES)
def test_a_deadline_answers_as_table_3_2_says(case: str) -> None:
    """The same events and the same table as if the seat itself had sent this; only the first event says why."""
    table, seat, command = CASES[case]
    answered, expired = table().when(seat, command), table().expires(seat)
    announced, *rest = expired.happened
    assert isinstance(announced, DecisionExpired)
    assert announced.seat == seat
    assert tuple(rest) == answered.happened
    assert (expired.board, expired.game.steps) == (answered.board, answered.game.steps)


def test_every_question_has_a_default_and_a_case_here() -> None:
    asked = {type(table().game.waiting) for table, _, _ in CASES.values()}
    assert asked == set(DEFAULTS)
