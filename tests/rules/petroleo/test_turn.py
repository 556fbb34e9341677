"""The order of a turn: PT-020 … PT-037."""

from __future__ import annotations

import pytest

from events.petroleo.commands import BuyTower, Exercise, Forgo, PlayCard
from events.petroleo.facts import (
    CardDrawn,
    CardLaid,
    MarkerAdvanced,
    Nationalised,
    PrivilegeLost,
    SquareResolved,
    TurnEnded,
    TurnStarted,
)
from events.petroleo.steps import BuyTowerSquare, ChooseCard, UseCard
from rules.petroleo.turn import turn
from tests.rules.petroleo.tables import A, B, C, a_start, choosing, co, decision, resolving, three, using


@pytest.mark.rule("PT-020")
def test_the_order_of_a_turn() -> None:
    names = [type(step).__name__ for step in turn(A, 3)]
    assert names == ["ResolveSquare", "DrawCard", "ChooseCard", "UseCard", "AdvanceMarker", "EndTurn"]


@pytest.mark.rule("PT-014", "PT-020", "PT-022", "PT-033", "PT-034")
def test_a_turn_from_the_laid_card_to_the_next_companys_question() -> None:
    """The card moves the marker though its privilege lapses; the next company clockwise meets the square it reached."""
    scene = choosing(co(hand="c15 c16"), *three()[:2], marker=10)
    scene.when(A, PlayCard("c15")).then(CardLaid(A, "c15")).waits_for(UseCard, A)
    scene.when(A, Forgo()).then(
        PrivilegeLost(A),
        MarkerAdvanced(A, 2, 12),
        TurnEnded(A),
        TurnStarted(6, B),
        SquareResolved(B, 10, chosen=False),
        CardDrawn(B, scene.board.companies[B].hand[-1]),
    ).waits_for(ChooseCard, B)


@pytest.mark.rule("PT-014")
def test_turns_go_clockwise_past_those_who_left() -> None:
    scene = using("gas", co(), co(left=True), co(), departed=(1,)).when(A, Forgo())
    assert scene.board.on_turn == C


@pytest.mark.rule("PT-021", "PT-024")
def test_the_first_turn_of_the_game_resolves_nothing_and_every_later_one_once() -> None:
    start = a_start(2)
    start.then_none(SquareResolved)
    seat = start.game.awaited[0]
    start.when(seat, PlayCard(start.board.companies[seat].hand[0])).when(seat, Forgo()).counts(SquareResolved, 1)


@pytest.mark.rule("PT-023", "PT-024")
def test_arriving_resolves_nothing_for_the_one_who_moved() -> None:
    """S-112: the next company is nationalised at the start of its own turn."""
    scene = resolving(13).then_among_others(Nationalised(A))
    assert [company.nationalised for company in scene.board.companies] == [True, False, False]


@pytest.mark.rule("PT-025")
def test_the_top_card_is_drawn() -> None:
    scene = using("gas")
    top = scene.board.deck[0]
    scene.when(A, Forgo()).then_among_others(CardDrawn(B, top))
    assert top in scene.board.companies[B].hand


@pytest.mark.rule("PT-026")
def test_nobody_draws_more_than_its_share_or_from_an_empty_deck() -> None:
    using("gas", co(), co(drawn=5), co()).when(A, Forgo()).then_none(CardDrawn).waits_for(ChooseCard, B)
    using("gas", deck=0).when(A, Forgo()).then_none(CardDrawn).waits_for(ChooseCard, B)


@pytest.mark.rule("PT-026")
def test_with_four_cards_dealt_six_are_drawn() -> None:
    using("gas", co(), co(drawn=5), co(), options={"hand_size": 4}).when(A, Forgo()).counts(CardDrawn, 1)
    using("gas", co(), co(drawn=6), co(), options={"hand_size": 4}).when(A, Forgo()).then_none(CardDrawn)


@pytest.mark.rule("PT-027", "PT-037")
def test_six_cards_in_hand_on_five_turns_then_ever_fewer() -> None:
    """S-113: and everybody lays ten cards."""
    game = a_start(2)
    sizes: dict[int, list[int]] = {0: [], 1: []}
    while not game.game.ended:
        seat = game.game.awaited[0]
        if isinstance(game.game.waiting, ChooseCard):
            hand = game.board.companies[seat].hand
            sizes[seat].append(len(hand))
            game.when(seat, PlayCard(hand[0])).when(seat, Forgo())
        else:
            game.expires(seat)
    assert sizes == {0: [6, 6, 6, 6, 6, 5, 4, 3, 2, 1], 1: [6, 6, 6, 6, 6, 5, 4, 3, 2, 1]}


@pytest.mark.rule("PT-028")
def test_the_card_comes_from_ones_own_hand_and_the_refusal_does_not_say_where_it_is() -> None:
    scene = choosing(co(hand="c15"), co(hand="c16"), co())
    for card in ("c16", scene.board.deck[0], "c99"):
        scene.refuses(A, PlayCard(card), "PT-028", "illegal_choice")
    scene.refuses(A, Forgo(), "PT-028", "illegal_choice")


@pytest.mark.rule("PT-028")
def test_at_the_deadline_the_lowest_advance_is_laid_then_the_lowest_id() -> None:
    """Advances of 9, 2 and 1; of 9, 5 and 5."""
    choosing(co(hand="c26 c15 c24"), co(), co()).expires(A).then_among_others(CardLaid(A, "c24"))
    choosing(co(hand="c26 c25 c16"), co(), co()).expires(A).then_among_others(CardLaid(A, "c16"))


@pytest.mark.rule("PT-029")
def test_a_laid_card_cannot_be_taken_back() -> None:
    """S-114."""
    scene = choosing(co(hand="c15 c16"), co(), co())
    asked = decision(scene)
    scene.when(A, PlayCard("c15"))
    scene.refuses(A, PlayCard("c16", decision_id=asked), "PT-146", "stale_decision")
    scene.refuses(A, PlayCard("c16"), "PT-029", "illegal_choice")


@pytest.mark.rule("PT-030")
def test_laid_cards_lie_on_the_pile_and_in_no_hand() -> None:
    scene = choosing(co(hand="c15 c16"), co(), co()).when(A, PlayCard("c15"))
    assert scene.board.companies[A].hand == ("c16",)
    scene.when(A, Forgo())
    assert [laid.card for laid in scene.board.played] == ["c15"]
    assert scene.board.laid is None


@pytest.mark.rule("PT-031", "PT-032")
def test_exercising_is_never_forced() -> None:
    scene = using("oil6", co("L01:tower"), co(), co()).when(A, Forgo()).then_among_others(PrivilegeLost(A))
    assert scene.board.companies[A].cash == 200


@pytest.mark.rule("PT-035")
def test_one_card_gives_one_thing() -> None:
    """S-67."""
    scene = using("tower_or_licence", co("L01 L02"), co(), co())
    scene.when(A, Exercise(item="tower", zone_id="L01"))
    scene.refuses(A, Exercise(item="tower", zone_id="L02"), "PT-020", "illegal_choice")


@pytest.mark.rule("PT-036")
def test_square_and_card_do_not_limit_one_another() -> None:
    scene = resolving(7, co("L01 L02", hand="c02"), co(), co()).waits_for(BuyTowerSquare, A)
    scene.when(A, BuyTower("L01")).when(A, PlayCard("c02")).when(A, Exercise(item="tower", zone_id="L02"))
    assert scene.board.companies[A].with_building("tower") == ("L01", "L02")


@pytest.mark.rule("PT-033")
def test_a_reveal_does_not_change_the_advance() -> None:
    scene = using("truck", marker=3)
    scene.when(A, Exercise()).then_among_others(MarkerAdvanced(A, 7, 10))
