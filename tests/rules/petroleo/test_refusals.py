"""A refusal names the rule that forbids, the field of the command that is at fault, and what would be allowed."""

from __future__ import annotations

from typing import Any

import pytest

from events.petroleo import commands as c
from events.petroleo import steps
from events.words import Waits
from rules.petroleo.citations import BARRED
from rules.petroleo.rulebook import ANSWERS, WINDOW
from tests.playouts import refusal
from tests.rules.petroleo.tables import FULL, A, B, C, a_lobby, choosing, co, decision, paying, resolving, using
from tests.scenario import Scenario

FLEET = "TK1:0+1 TK2:1+0 TK3:0 TK4:0+bank"


def at_sea() -> Scenario:
    """A is to lay a card, and has a share in tankers of every kind."""
    return choosing(co(), co(), co(), tankers=FLEET)


def proposed() -> Scenario:
    """A proposed a dissolution and was refused."""
    return at_sea().when(A, c.ProposeDissolution("TK1", 5)).when(B, c.Refuse()).when(A, c.Keep())


def said(scene: Scenario, seat: int, command: c.Command) -> dict[str, Any]:
    """What a refusal says beside its rule and reason."""
    refused = refusal(scene.game, scene, seat, command)
    assert refused is not None
    return {"field": refused[2], **dict(refused[3])}


def two_accept() -> Scenario:
    """Two rivals would share the tanker."""
    yes = c.AnswerPartnership(accept=True)
    return using("tanker").when(A, c.Exercise(mode="partnership")).when(B, yes).when(C, yes)


CASES: tuple[tuple[Scenario, c.Command, str, dict[str, Any]], ...] = (
    (a_lobby(3), c.ChooseCompany("co7"), "PT-002", {"field": "/company"}),
    (a_lobby(3).when(B, c.ChooseCompany("co1")), c.ChooseCompany("co1"), "PT-002", {"field": "/company"}),
    (choosing(), c.PlayCard("c99"), "PT-028", {"field": "/card_id"}),
    (resolving(5, co("L01"), co(), co()), c.BuyLicence(1, ("L01",)), "PT-060", {"field": "/zone_ids"}),
    (resolving(5), c.BuyLicence(1, ("S01",)), "PT-061", {"field": "/zone_ids", "terrain": "land"}),
    (resolving(5), c.BuyLicence(1, ("L48",)), "PT-061", {"field": "/zone_ids"}),
    (resolving(5), c.BuyLicence(2), "PT-240", {"field": "/count", "most": 1}),
    (
        using("tower_or_licence", co("L01"), co(), co()),
        c.Exercise("L01", "licence_land"),
        "PT-060",
        {"field": "/zone_id"},
    ),
    (using("tower_or_licence"), c.Exercise("L01", "licence_sea"), "PT-061", {"field": "/zone_id"}),
    (using("tower_or_licence"), c.Exercise("L01", "tower"), "PT-064", {"field": "/zone_id"}),
    (using("gas"), c.Exercise("L01"), "PT-066", {"field": "/zone_id"}),
    (using("tanker", co(cash=300), co(), co()), c.Exercise(mode="partnership"), "PT-122", {"field": "/mode"}),
    (using("tanker", co(cash=299), co(), co()), c.Exercise(mode="sole"), "PT-071", {"field": "/mode", "price": 300}),
    (
        using("tower_or_licence", co(cash=6), co(), co()),
        c.Exercise(item="licence_land"),
        "PT-071",
        {"field": "/item", "price": 7},
    ),
    (
        using("tower_or_licence", co("S01", cash=11), co(), co()),
        c.Exercise("S01", "tower"),
        "PT-071",
        {"field": "/zone_id"},
    ),
    (
        using("tower_or_licence", co("L01"), co(), co(), towers=0),
        c.Exercise("L01", "tower"),
        "PT-072",
        {"field": "/item"},
    ),
    (using("tower_or_licence", co(FULL), co(), co()), c.Exercise(item="licence_sea"), "PT-073", {"field": "/item"}),
    (resolving(5, co(cash=13, double_available=True), co(), co()), c.BuyLicence(2), "PT-071", {"field": "/count"}),
    (
        resolving(5, co(FULL.removesuffix(" L30"), double_available=True), co(), co()),
        c.BuyLicence(2),
        "PT-073",
        {"field": "/count"},
    ),
    (using("gas"), c.OfferCard(0), "PT-102", {"field": "/min_bid", "least": 1, "most": 4540}),
    (using("truck").when(A, c.OfferCard(3)), c.Bid(196), "PT-105", {"field": "/amount", "least": 3, "most": 195}),
    (two_accept(), c.ChoosePartner(A), "PT-125", {"field": "/partner", "acceptors": (B, C)}),
    (at_sea(), c.ProposeDissolution("TK9", 5), "PT-131", {"field": "/tanker_id"}),
    (at_sea(), c.ProposeDissolution("TK2", 5), "PT-131", {"field": "/tanker_id"}),
    (at_sea(), c.ProposeDissolution("TK3", 5), "PT-133", {"field": "/tanker_id"}),
    (at_sea(), c.ProposeDissolution("TK4", 5), "PT-133", {"field": "/tanker_id"}),
    (at_sea(), c.ProposeDissolution("TK1", 4541), "PT-133", {"field": "/price", "most": 4540}),
    (proposed(), c.ProposeDissolution("TK1", 5), "PT-142", {"field": "/tanker_id"}),
    (at_sea(), c.BuyBankHalf("TK1"), "PT-139", {"field": "/tanker_id"}),
    (at_sea(), c.SellHalfToBank("TK3"), "PT-143", {"field": "/tanker_id"}),
    (resolving(2, co("L01 L02 L03"), co(), co(), year_ends=3), c.Surrender(()), "PT-152", {"field": "/zone_ids"}),
    (resolving(4, co(), co(), co(), tankers=FLEET), c.Damage("TK5"), "PT-160", {"field": "/tanker_id"}),
    (resolving(16, co("L01:tower L02:tower"), co(), co()), c.SurrenderTower("L03"), "PT-177", {"field": "/zone_id"}),
    (resolving(20), c.ChooseSquare(20), "PT-181", {"field": "/square", "least": 1, "most": 19}),
    (resolving(4, co(cash=1), co(), co(), tankers="TK1:0"), c.SellHalf("TK2"), "PT-263", {"field": "/tanker_id"}),
    (paying(co("L01:gas", cash=5), co(), co(), bank=0), c.Lend(6), "PT-281", {"field": "/amount", "cash": 5}),
)


@pytest.mark.rule("PT-060", "PT-061", "PT-064", "PT-066", "PT-102", "PT-105", "PT-131", "PT-152", "PT-181", "PT-281")
@pytest.mark.parametrize("case", CASES, ids=[f"{rule} {command}" for _, command, rule, _ in CASES])
def test_the_field_at_fault_is_named(case: tuple[Scenario, c.Command, str, dict[str, Any]]) -> None:
    scene, command, rule, facts = case
    question = scene.game.waiting
    seat = A if question is None else question.awaits[0]
    scene.refuses(seat, command, rule, "illegal_choice", facts["field"])
    assert facts.items() <= said(scene, seat, command).items()


@pytest.mark.rule("PT-028", "PT-029", "PT-071", "PT-074", "PT-102", "PT-112", "PT-135", "PT-141")
def test_where_no_member_is_at_fault_none_is_named() -> None:
    won = using("truck").when(A, c.OfferCard(1)).when(B, c.Bid(1)).when(C, c.Bid(None))
    asked = choosing(co(cash=4), co(cash=4), co(), tankers="TK1:0+1").when(A, c.ProposeDissolution("TK1", 5))
    offered = using("truck").when(A, c.OfferCard(1)).when(B, c.Bid(None)).when(C, c.Bid(None))
    for scene, command, rule in (
        (using("oil6", co("L01:tower", cash=9), co(), co()), c.Exercise("L01"), "PT-071"),
        (using("tanker", co(cash=149), co(), co()), c.Exercise(mode="partnership"), "PT-071"),
        (choosing(co(cash=149), co(), co(), tankers="TK1:0+bank"), c.BuyBankHalf("TK1"), "PT-071"),
        (using("truck", co(FULL), co(), co()), c.Exercise(), "PT-074"),
        (offered, c.OfferCard(1), "PT-102"),
        (asked, c.BuyShare(), "PT-135"),
        (asked, c.SellShare(), "PT-135"),
        (choosing(), c.Forgo(), "PT-028"),
        (using("truck"), c.PlayCard("c01"), "PT-029"),
        (won, c.OfferCard(1), "PT-112"),
        (using("tanker"), c.AcceptBank(), "PT-123"),
        (won, c.ProposeDissolution("TK1", 5), "PT-141"),
        (choosing(), c.Keep(), "PT-020"),
    ):
        scene.refuses(scene.game.awaited[0], command, rule, "illegal_choice", None)


@pytest.mark.rule("PT-062", "PT-085", "PT-086", "PT-089", "PT-122")
def test_fields_that_do_not_fit_together_are_malformed() -> None:
    resolving(5).refuses(A, c.BuyLicence(1, ("L01", "L02")), "PT-062", "malformed", "/zone_ids")
    for kind, command, rule, field, wanted in (
        ("gas", c.Exercise(), "PT-085", "/zone_id", ["zone_id"]),
        ("oil2", c.Exercise("L01", mode="sole"), "PT-085", "/mode", ["zone_id"]),
        ("tanker", c.Exercise("L01", mode="sole"), "PT-122", "/zone_id", ["mode"]),
        ("tower_or_licence", c.Exercise(), "PT-086", "/item", ["item"]),
        ("tower_or_licence", c.Exercise(item="tower"), "PT-086", "/zone_id", ["item", "zone_id"]),
        ("truck", c.Exercise(item="tower"), "PT-089", "/item", []),
    ):
        scene = using(kind)  # type: ignore[arg-type] # four kinds of card
        scene.refuses(A, command, rule, "malformed", field)
        assert said(scene, A, command)["fields"] == wanted


@pytest.mark.rule("PT-014", "PT-109", "PT-124", "PT-125", "PT-127", "PT-134", "PT-137", "PT-262")
def test_who_is_not_asked_hears_which_rule_says_who_is() -> None:
    """PT-104 and PT-281: with the auction and with the bank."""
    won = using("truck").when(A, c.OfferCard(1)).when(B, c.Bid(1)).when(C, c.Bid(None))
    won.refuses(A, c.Exercise(), "PT-109", "not_awaited")
    asked = using("tanker").when(A, c.Exercise(mode="partnership"))
    asked.refuses(A, c.AnswerPartnership(accept=True), "PT-124", "not_awaited")
    two_accept().refuses(B, c.ChoosePartner(B), "PT-125", "not_awaited")
    alone = using("tanker", co(), co(cash=1), co(cash=1)).when(A, c.Exercise(mode="partnership"))
    alone.refuses(B, c.AcceptBank(), "PT-127", "not_awaited")
    asked = at_sea().when(A, c.ProposeDissolution("TK1", 5)).refuses(A, c.BuyShare(), "PT-134", "not_awaited")
    asked.when(B, c.Refuse()).refuses(B, c.SellToBank(), "PT-137", "not_awaited")
    debt = resolving(4, co(cash=1), co(), co(), tankers="TK1:0+1")
    debt.refuses(B, c.SellHalf("TK1"), "PT-262", "not_awaited")
    at_sea().refuses(B, c.PlayCard("c01"), "PT-014", "not_awaited")


@pytest.mark.rule("PT-141")
def test_each_question_takes_or_bars_every_deal_with_a_tanker() -> None:
    questions = {kind for kind in vars(steps).values() if isinstance(kind, type) and issubclass(kind, Waits)} - {Waits}
    deals = {command for _, command in WINDOW}
    barred = {pair for pair in BARRED if pair[1] in deals}
    assert set(WINDOW) | barred == {(question, deal) for question in questions for deal in deals}
    assert not set(BARRED) & {*ANSWERS, *WINDOW}


@pytest.mark.rule("PT-160", "PT-177")
def test_what_must_be_done_cannot_be_declined() -> None:
    storm = resolving(4, co(), co(), co(), tankers=FLEET)
    storm.refuses(A, c.Decline(decision_id=decision(storm)), "PT-160", "illegal_choice")
    resolving(16, co("L01:tower L02:tower"), co(), co()).refuses(A, c.Decline(), "PT-177", "illegal_choice")
