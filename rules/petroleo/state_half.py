"""Nationalisation: PT-220 … PT-228. Half of what a square or a payout indicates concerns the State."""

from __future__ import annotations

from projections.petroleo.state import Company


def share_of_charge(company: Company, total: int) -> int:
    """PT-222, PT-223, PT-224, PT-225, PT-226, PT-251: a nationalised company pays half of an effect's total, rounded
    up, once.

    Tankers are left out by whoever reckons the total; prices, bids and interest never come here.
    """
    return -(-total // 2) if company.nationalised else total


def share_of_receipt(company: Company, total: int) -> int:
    """PT-046, PT-223, PT-224, PT-225, PT-227, PT-251: it receives, and counts, half the total, rounded down, once."""
    return total // 2 if company.nationalised else total
