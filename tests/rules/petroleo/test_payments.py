"""Charges and debts: PT-250 … PT-265, PT-288."""

from __future__ import annotations

import pytest

from events.petroleo.commands import Damage, DeclareBankruptcy, SellHalf
from events.petroleo.facts import (
    Charged,
    ClaimSetOff,
    CompanyClosed,
    DebtOpened,
    Received,
    ShareTransferred,
    SquareResolved,
)
from events.petroleo.steps import ChooseCard, SettleDebt
from events.table import SeatResigned
from projections.petroleo.state import Loan, Tanker
from tests.rules.petroleo.tables import A, B, C, cash, co, decision, kinds, offers, resolving

OIL = "L01:oil2 L02:oil4 L03:oil6"


@pytest.mark.rule("PT-250", "PT-260")
def test_exactly_nothing_left_is_not_insolvency() -> None:
    scene = resolving(6, co(OIL, cash=12), co(), co()).waits_for(ChooseCard, A)
    assert cash(scene)[A] == 0


@pytest.mark.rule("PT-261", "PT-260")
def test_without_a_tanker_an_insolvent_company_is_out_at_once() -> None:
    """S-91: the next company meets the same square."""
    scene = resolving(6, co(OIL, cash=3), co("L05:oil2"), co())
    scene.then_among_others(
        CompanyClosed(
            A, cash=3, unpaid=9, claims=0, zones=("L01", "L02", "L03"), towers=0, trucks=(), tankers=(), halves=()
        ),
        SeatResigned(A, "bankruptcy"),
        SquareResolved(B, 6, chosen=False),
        Charged(B, 2, "oil_tax"),
    )
    assert (cash(scene), scene.board.bank) == ((0, 198, 200), 4540 - 398)


@pytest.mark.rule("PT-262", "PT-264", "PT-265")
def test_a_sole_owner_sells_one_half_and_goes_on_with_the_bank() -> None:
    """S-93."""
    scene = resolving(4, co(cash=20), co(), co(), tankers="TK1:0").then_among_others(DebtOpened(A, 50, "tanker_storm"))
    scene.waits_for(SettleDebt, A)
    assert offers(scene, A) == {"sell_half:TK1", "declare_bankruptcy"}
    scene.when(A, SellHalf("TK1")).then_among_others(
        ShareTransferred("TK1", A, "bank", 150, A, "bank"),
        Received(A, 150, "tanker_half"),
        Charged(A, 50, "tanker_storm"),
    )
    assert (cash(scene)[A], scene.board.tankers) == (120, (Tanker("TK1", A, "bank"),))
    assert scene.board.tokens_in_stock(A) == 29


@pytest.mark.rule("PT-263")
def test_the_partner_goes_on_with_the_bank() -> None:
    for tankers in ("TK1:0+1", "TK1:1+0"):
        scene = resolving(8, co(OIL, cash=3), co(), co(), tankers=tankers).when(A, SellHalf("TK1"))
        assert scene.board.tankers == (Tanker("TK1", B, "bank"),)
        assert scene.board.tokens_in_stock(A) == 27


@pytest.mark.rule("PT-263")
def test_with_the_bank_as_partner_the_tanker_goes_back() -> None:
    scene = resolving(8, co(OIL, cash=3), co(), co(), tankers="TK1:0+bank").when(A, SellHalf("TK1"))
    assert scene.board.tankers == ()


@pytest.mark.rule("PT-263")
def test_only_ones_own_share_is_sold_and_nothing_else_may_be_done() -> None:
    scene = resolving(4, co(cash=20), co(), co(), tankers="TK1:0+1 TK2:2")
    scene.refuses(A, SellHalf("TK2"), "PT-263", "illegal_choice")
    assert kinds(scene, A) == {"sell_half", "declare_bankruptcy"}


@pytest.mark.rule("PT-262")
def test_a_debtor_is_asked_outside_its_turn_too() -> None:
    """S-94: B owes its half of A's storm damage."""
    scene = resolving(4, co(), co(cash=10), co(), tankers="TK1:0+1").waits_for(SettleDebt, B)
    scene.then_among_others(Charged(A, 25, "tanker_storm"), DebtOpened(B, 25, "tanker_storm"))
    scene.when(B, SellHalf("TK1")).waits_for(ChooseCard, A)
    assert cash(scene) == (175, 135, 200)


@pytest.mark.rule("PT-262", "PT-269", "PT-272")
def test_a_debtor_may_give_up_and_the_turn_goes_on() -> None:
    """S-95."""
    scene = resolving(4, co(), co(cash=10), co(), tankers="TK1:0+1", bank=100).when(B, DeclareBankruptcy())
    scene.then_among_others(SeatResigned(B, "bankruptcy")).waits_for(ChooseCard, A)
    assert (cash(scene), scene.board.bank) == ((175, 0, 200), 135)
    assert scene.board.tankers == (Tanker("TK1", A, "bank"),)


@pytest.mark.rule("PT-263")
def test_at_the_deadline_the_lowest_tankers_are_sold_until_it_is_covered() -> None:
    scene = resolving(4, co(cash=20), co(), co(), tankers="TK1:0 TK2:0")
    scene.when(A, Damage("TK2")).expires(A).counts(ShareTransferred, 1).waits_for(ChooseCard, A)
    assert scene.board.tankers == (Tanker("TK1", A, "bank"), Tanker("TK2", A, None))


@pytest.mark.rule("PT-253", "PT-266")
def test_the_partners_part_stays_due_when_the_active_company_gives_up() -> None:
    """S-136: B pays its part, and then meets the storm itself, with the bank as partner."""
    scene = resolving(4, co(cash=5), co(cash=100), co(), tankers="TK1:0+1").waits_for(SettleDebt, A)
    scene.when(A, DeclareBankruptcy()).then_among_others(
        SeatResigned(A, "bankruptcy"),
        Charged(B, 25, "tanker_storm"),
        SquareResolved(B, 4, chosen=False),
        Charged(B, 25, "tanker_storm"),
    )
    assert cash(scene)[:2] == (0, 50)
    assert scene.board.tankers == (Tanker("TK1", B, "bank"),)
    assert scene.board.on_turn == B


@pytest.mark.rule("PT-253")
def test_two_debtors_settle_one_after_the_other() -> None:
    scene = resolving(4, co(cash=5), co(cash=5), co(), tankers="TK1:0+1 TK2:0 TK3:1")
    scene.when(A, Damage("TK1")).waits_for(SettleDebt, A).when(A, SellHalf("TK2")).waits_for(SettleDebt, B)
    scene.when(B, SellHalf("TK3")).waits_for(ChooseCard, A)
    assert cash(scene) == (130, 130, 200)


@pytest.mark.rule("PT-288")
def test_a_creditor_of_the_bank_is_not_insolvent() -> None:
    """The charge is set off against the loan, oldest first; what is left of it is paid."""
    scene = resolving(6, co(OIL, cash=3), co(), co(), loans=[(A, 4), (B, 9), (A, 6)], bank=0)
    scene.then_among_others(ClaimSetOff(A, 10, "oil_tax"), Charged(A, 2, "oil_tax")).waits_for(ChooseCard, A)
    assert (cash(scene)[A], scene.board.loans) == (1, (Loan(B, 9),))
    scene = resolving(6, co(OIL, cash=3), co(), co(), loans=[(B, 9999), (A, 50)], bank=0)
    assert scene.board.loans == (Loan(B, 9999), Loan(A, 38))
    assert cash(scene)[A] == 3


@pytest.mark.rule("PT-288")
def test_a_charge_within_its_cash_is_paid_in_cash() -> None:
    scene = resolving(6, co(OIL, cash=12), co(), co(), loans=[(A, 40)], bank=0).then_none(ClaimSetOff)
    assert (cash(scene)[A], scene.board.loans) == (0, (Loan(A, 40),))


@pytest.mark.rule("PT-288")
def test_only_what_then_remains_uncovered_makes_it_insolvent() -> None:
    resolving(6, co(OIL, cash=3), co(), co(), loans=[(A, 8)], bank=0).then_among_others(SeatResigned(A, "bankruptcy"))


@pytest.mark.rule("PT-251")
def test_charges_up_receipts_down() -> None:
    assert cash(resolving(8, co(cash=1), co(), co()))[A] == 0
    assert cash(resolving(8, co(cash=11), co(), co()))[A] == 9


@pytest.mark.rule("PT-275")
def test_a_partner_is_never_forced_out_by_a_storm() -> None:
    scene = resolving(4, co(), co(cash=0), co(), tankers="TK1:0+1").waits_for(SettleDebt, B)
    assert "sell_half:TK1" in offers(scene, B)


@pytest.mark.rule("PT-146")
def test_a_debt_that_stays_open_is_asked_anew() -> None:
    scene = resolving(4, co(cash=5), co(), co(), tankers="TK1:0 TK2:0", bank=10, loans=())
    scene.when(A, Damage("TK1"))
    asked = decision(scene)
    scene.when(A, SellHalf("TK1"))
    assert decision(scene) != asked
    assert scene.game.awaited == (B, C)
