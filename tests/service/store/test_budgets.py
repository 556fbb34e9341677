"""What is remembered of budgets: no more than is of use, and found without looking through it all."""

from __future__ import annotations

from service.store.budgets import ByKey


def test_what_is_over_is_forgotten_and_looked_for_seldom() -> None:
    looks = 0

    def until(value: int) -> int:
        nonlocal looks
        looks += 1
        return value

    kept = ByKey(until)
    for number in range(30_000):
        kept.put(f"long {number}", 1000, 0)
    # After 10,000 and after 20,000: each key is looked at about once, however many there are.
    assert looks == 10_001 + 20_003
    for number in range(30_000):
        kept.put(f"short {number}", 10, 0)
    assert len(kept) == 60_000
    for number in range(30_000):
        kept.put(f"late {number}", 2000, 999)
    assert len(kept) == 60_000
    assert "short 7" not in kept
    assert {"long 7", "late 7"} <= kept.keys()
