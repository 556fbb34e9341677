"""What every store promises about what-if copies."""

from __future__ import annotations

from msgspec.structs import replace

from service.store.protocol import BranchRow, Store
from tests.contract.moves import FINGERPRINT, new_id


def a_branch(owner: str, at: int = 1, game: str | None = None) -> BranchRow:
    return BranchRow(game or new_id(), new_id(), owner, FINGERPRINT, at, at + 100, 7, b"content")


async def test_a_copy_is_kept_until_it_expires_or_is_dropped(store: Store) -> None:
    made = a_branch(new_id())
    assert await store.branch(made.game, made.id, 1) is None
    assert await store.add_branch(made, 5) == made
    assert await store.branch(made.game, made.id, 100) == made
    assert await store.branch(made.game, made.id, 101) is None
    assert await store.branch(new_id(), made.id, 1) is None
    await store.drop_branch(made.game, made.id)
    assert await store.branch(made.game, made.id, 1) is None
    await store.drop_branch(made.game, made.id)


async def test_the_first_of_an_id_stays(store: Store) -> None:
    made = a_branch(new_id())
    await store.add_branch(made, 5)
    assert await store.add_branch(replace(made, owner=new_id(), content=b"other"), 5) == made


async def test_an_owners_oldest_give_way(store: Store) -> None:
    owner, other = new_id(), a_branch(new_id())
    await store.add_branch(other, 2)
    made = [a_branch(owner, at) for at in (1, 2, 3)]
    for one in made:
        await store.add_branch(one, 2)
    assert [await store.branch(one.game, one.id, 1) for one in made] == [None, made[1], made[2]]
    assert await store.branch(other.game, other.id, 1) == other


async def test_a_copy_moves_from_where_it_stands(store: Store) -> None:
    made = a_branch(new_id())
    moved = replace(made, version=8, content=b"moved")
    assert not await store.move_branch(moved, 7)
    await store.add_branch(made, 5)
    assert await store.move_branch(moved, 7)
    assert not await store.move_branch(replace(moved, content=b"late"), 7)
    assert await store.branch(made.game, made.id, 1) == moved
