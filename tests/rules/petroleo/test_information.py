"""Who knows what: PT-320 … PT-324, and the leak traps of section 4."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from events.petroleo.commands import AnswerPartnership, Bid, Exercise, Forgo, Lend, OfferCard, PlayCard
from rules.refusal import RuleViolation
from tests.rules.petroleo.tables import A, B, C, choosing, co, paying, using
from tests.scenario import Scenario

TOWER_AT_B_AND_C = (co(), co("L01:tower"), co("L02:tower"))


def shape(seen: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """What a viewer reads of an entry, values left out."""
    return [(str(word["type"]), *sorted(word)) for word in seen]


@pytest.mark.rule("PT-320")
def test_a_hand_is_known_to_its_owner_only() -> None:
    scene = choosing(co(hand="c15"), co(hand="c16"), co(hand="c17"))
    for viewer in (A, B, C, None):
        hands = [company.hand for company in scene.view(viewer).companies]
        assert hands == [hand if seat == viewer else None for seat, hand in enumerate((("c15",), ("c16",), ("c17",)))]
        assert [company.hand_size for company in scene.view(viewer).companies] == [1, 1, 1]


@pytest.mark.rule("PT-321")
def test_nobody_knows_the_deck() -> None:
    scene = choosing()
    assert {scene.view(viewer).deck for viewer in (A, B, C, None)} == {None}
    assert scene.view(None).deck_size == len(scene.board.deck)


@pytest.mark.rule("PT-320")
def test_a_drawn_card_is_its_owners_secret() -> None:
    scene = using("gas").when(A, Forgo())
    drawn = scene.board.companies[B].hand[-1]
    assert any(word.get("card") == drawn for word in scene.sees(B))
    for viewer in (A, C, None):
        assert not any(drawn in msgspec.json.encode(word).decode() for word in scene.sees(viewer))
        assert f"Seat {B} draws a card." in scene.hears(viewer)


@pytest.mark.rule("PT-322")
def test_a_card_lapsed_shows_its_advance_only() -> None:
    """S-08."""
    scene = using("gas", marker=10)
    assert scene.view(B).laid == type(scene.view(B).laid)(A, None, None, None)
    assert scene.view(A).laid.kind == "gas"
    scene.when(A, Forgo())
    (seen,) = scene.view(B).played
    assert (seen.card, seen.kind, seen.advance) == (None, None, 2)
    (own,) = scene.view(A).played
    assert (own.card, own.kind, own.advance) == ("c15", "gas", 2)
    assert not any("c15" in msgspec.json.encode(word).decode() for word in scene.sees(B))


@pytest.mark.rule("PT-322")
def test_an_offered_card_shows_all() -> None:
    scene = using("gas").when(A, OfferCard(1))
    seen = scene.view(None).laid
    assert (seen.card, seen.kind, seen.advance) == ("c15", "gas", 2)
    scene.when(A, Forgo())
    assert scene.view(None).played[0].kind == "gas"


@pytest.mark.rule("PT-322")
def test_trap_a_the_question_does_not_say_whether_the_card_is_of_use() -> None:
    useful = using("gas", co("L01:tower"), co(), co())
    useless = using("oil6", co("L01:tower", cash=200), co(), co())
    assert useful.view(None) == useless.view(None)
    assert useful.options(B) == []
    assert useful.game.steps == useless.game.steps


@pytest.mark.rule("PT-028")
def test_trap_b_no_difference_between_anothers_card_and_no_card() -> None:
    scene = choosing(co(hand="c15"), co(hand="c16"), co())
    said = []
    for card in ("c16", scene.board.deck[0], "nonsense"):
        with pytest.raises(RuleViolation) as refusal:
            scene.when(A, PlayCard(card))
        said.append((refusal.value.rule, refusal.value.reason, refusal.value.facts))
    assert said == [said[0]] * 3


@pytest.mark.rule("PT-323")
def test_all_else_is_public() -> None:
    scene = choosing(co("L01 L02:gas", cash=7, trucks=1), co(nationalised=True), co(), tankers="TK1:1+0", year_ends=2)
    seen = scene.view(None)
    assert [company.cash for company in seen.companies] == [7, 200, 200]
    assert (seen.year_ends, seen.marker, seen.bank) == (2, 0, 4540 - 407)
    assert [company.licences for company in seen.companies] == [26, 29, 30]
    assert seen.companies[B].nationalised


@pytest.mark.rule("PT-324")
def test_trap_g_a_bid_and_a_pass_look_alike() -> None:
    """S-77."""
    scene = using("oil6", *TOWER_AT_B_AND_C).when(A, OfferCard(1))
    bid, passed = _again(scene).when(B, Bid(8)), _again(scene).when(B, Bid(None))
    for viewer in (A, C, None):
        assert bid.sees(viewer) == passed.sees(viewer)
        assert bid.hears(viewer) == passed.hears(viewer) == [f"Seat {B} has answered."]
        assert bid.view(viewer) == passed.view(viewer)
        assert bid.view(viewer).answered == (B,)
        assert bid.options(C) == passed.options(C)
    assert bid.view(B).own_answer == 8
    assert shape(bid.sees(B)) == shape(passed.sees(B))


@pytest.mark.rule("PT-324")
def test_partnership_answers_look_alike() -> None:
    scene = using("tanker").when(A, Exercise(mode="partnership"))
    yes = _again(scene).when(B, AnswerPartnership(accept=True))
    no = _again(scene).when(B, AnswerPartnership(accept=False))
    for viewer in (A, C, None):
        assert yes.sees(viewer) == no.sees(viewer)
        assert yes.view(viewer) == no.view(viewer)
    assert yes.view(B).own_answer is True


@pytest.mark.rule("PT-324")
def test_loan_offers_look_alike() -> None:
    scene = paying(co("L01:oil6"), co(), co(), bank=0)
    much, none = _again(scene).when(B, Lend(200)), _again(scene).when(B, Lend(0))
    for viewer in (A, C, None):
        assert much.sees(viewer) == none.sees(viewer)
        assert much.view(viewer) == none.view(viewer)


@pytest.mark.rule("PT-324")
def test_on_closing_all_counted_answers_are_public() -> None:
    scene = using("oil6", *TOWER_AT_B_AND_C).when(A, OfferCard(1)).when(B, Bid(8)).when(C, Bid(None))
    assert "The auction closes: seat 1 bid 8 M and seat 2 passed; seat 1 wins." in scene.hears(None)
    assert scene.view(None).answered == ()


@pytest.mark.rule("PT-324")
def test_what_a_departed_company_had_answered_stays_sealed() -> None:
    scene = using("oil6", *TOWER_AT_B_AND_C).when(A, OfferCard(1)).when(B, Bid(8)).resigns(B).when(C, Bid(2))
    assert "The auction closes: seat 2 bid 2 M; seat 2 wins." in scene.hears(A)


def _again(scene: Scenario) -> Scenario:
    """The same game once more."""
    return Scenario(scene.ruleset, scene.game, scene.chance)
