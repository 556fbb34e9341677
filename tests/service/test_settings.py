"""What is set from outside, and the secret kept beside the database."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from service.composition import NoDatabase, compose
from service.keys import KeyFile, Keyring, SigningKey, UnusableKey, derived, read_keys
from service.settings import NO_LIMITS, InvalidSetting, Limits, Settings, read_settings
from service.store.budgets import Budget
from service.store.connections import UnsafeDatabase
from service.store.opening import open_postgres
from service.store.postgres import PostgresStore
from service.store.protocol import StoreUnavailable


def test_nothing_set_is_the_default_and_so_is_an_empty_variable() -> None:
    assert read_settings({}) == read_settings({"GUSHER_HOT_GAMES": " ", "DATABASE_URL": ""}) == Settings()


def test_each_variable_sets_one_thing() -> None:
    assert read_settings(
        {
            "GUSHER_DATA": "/srv/gusher",
            "DATABASE_URL": "postgresql://db/gusher",
            "OWNER_DATABASE_URL": "postgresql://owner@db/gusher",
            "REDIS_URL": "redis://cache",
            "GUSHER_ORIGIN": "play.example.org",
            "GUSHER_HEAD_KEY": "AB" * 32,
            "GUSHER_UNSAFE_DATABASE": "fsync, synchronous_commit",
            "GUSHER_DATABASE_CONNECTIONS": "20",
            "GUSHER_HOT_GAMES": "7",
            "GUSHER_SNAPSHOT_EVERY": "3",
            "GUSHER_OPEN_ACCOUNTS": "no",
            "GUSHER_LIMITS": "token=50/10, game=off streams=8",
            "GUSHER_METRICS": "10.0.0.0/8, ::1",
            "GUSHER_MEASURES": "/run/gusher",
            "GUSHER_PROXIES": "1",
            "GUSHER_REDIS_PATIENCE": "70",
            "GUSHER_STREAM_BEAT": "5",
            "GUSHER_STREAM_PATIENCE": "9",
            "GUSHER_GRACE": "20",
        }
    ) == Settings(
        data=Path("/srv/gusher"),
        database_url="postgresql://db/gusher",
        owner_database_url="postgresql://owner@db/gusher",
        redis_url="redis://cache",
        origin="play.example.org",
        head_key="ab" * 32,
        unsafe_database=("fsync", "synchronous_commit"),
        database_connections=20,
        hot_games=7,
        snapshot_every=3,
        open_accounts=False,
        limits=Limits(token=Budget(50, 10), game=None, streams=8),
        metrics=("10.0.0.0/8", "::1"),
        measures=Path("/run/gusher"),
        proxies=1,
        redis_patience=70,
        stream_beat=5,
        stream_patience=9,
        grace=20,
    )


def test_limits_can_be_switched_off() -> None:
    assert read_settings({"GUSHER_LIMITS": "off"}).limits == NO_LIMITS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GUSHER_HOT_GAMES", "many"),
        ("GUSHER_HOT_GAMES", "0"),
        ("GUSHER_SNAPSHOT_EVERY", "-1"),
        ("GUSHER_HEAD_KEY", "ab"),
        ("GUSHER_METRICS", "everybody"),
        ("GUSHER_METRICS", "10.0.0.1/8"),
        ("GUSHER_LIMITS", "none"),
        ("GUSHER_LIMITS", "token=9"),
        ("GUSHER_LIMITS", "token=0/60"),
        ("GUSHER_LIMITS", "streams=9/60"),
        ("GUSHER_LIMITS", "everything=9/60"),
        ("GUSHER_HEAD_KEY", "zz" * 32),
    ],
)
def test_a_value_that_cannot_be_meant_is_named(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=name):
        read_settings({name: value})


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with ThreadPoolExecutor(8) as workers:
        seeds = {keys[0].seed for keys in workers.map(lambda _: KeyFile(data).read(), range(50))}
    assert len(seeds) == 1
    assert KeyFile(data).read()[0].seed in seeds
    assert [path.name for path in data.iterdir()] == ["head.key"]
    assert stat.S_IMODE((data / "head.key").stat().st_mode) == 0o600


def test_a_key_file_that_holds_none_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "head.key").write_text("whatever")
    with pytest.raises(UnusableKey):
        KeyFile(tmp_path).read()
    assert (tmp_path / "head.key").read_text() == "whatever"


@pytest.mark.parametrize(
    "text",
    ["", "ab", "ab" * 32 + " " + "cd" * 32, "ab" * 32 + "@5," + "cd" * 32 + "@4", "ab" * 32 + "," + "ab" * 32 + "@9"],
)
def test_keys_are_the_oldest_first_each_once(text: str) -> None:
    with pytest.raises(UnusableKey):
        read_keys(text)


def test_a_key_signs_from_its_moment_on_and_old_answers_stay_the_same(tmp_path: Path) -> None:
    file = KeyFile(tmp_path)
    ring = Keyring("example.org/gusher/head", file.read)
    before, first = ring.of(500).sign("g", 1, "h"), ring.vkeys
    # Another process adds a key; this one notices, and signs with it what happens from then on.
    KeyFile(tmp_path).rotate(1000)
    assert ring.vkeys[1:] == first
    assert ring.of(999).vkey == first[0]
    assert ring.of(1000).vkey == ring.vkeys[0] != first[0]
    assert ring.of(500).sign("g", 1, "h") == before
    with pytest.raises(UnusableKey):
        file.rotate(1000)
    assert len(file.read()) == 2
    assert stat.S_IMODE((tmp_path / "head.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["head.key"]
    assert Keyring("x", lambda: (SigningKey(b"s" * 32, 7),)).of(1).vkey.startswith("x+")


def test_a_key_file_is_looked_at_again_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("service.keys.time.monotonic", lambda: now[0])
    file = KeyFile(tmp_path, glance=1)
    before = file.read()
    added = KeyFile(tmp_path).rotate(1000)
    assert file.read() is before
    now[0] += 1
    assert file.read() == (*before, added)


def test_derived_keys_have_nothing_in_common() -> None:
    assert len({derived(b"s" * 32, "a"), derived(b"s" * 32, "b"), derived(b"t" * 32, "a"), b"s" * 32}) == 4


async def test_a_service_is_put_together_from_its_settings(database_url: str, redis_url: str, tmp_path: Path) -> None:
    settings = Settings(
        data=tmp_path, database_url=database_url, redis_url=redis_url, unsafe_database=("fsync", "full_page_writes")
    )
    async with compose(settings) as desk:
        await desk.store.ready()
        first = desk.keys.vkeys
    async with compose(settings) as desk:
        assert desk.keys.vkeys == first
    async with compose(Settings(data=tmp_path, database_url=database_url, unsafe_database=settings.unsafe_database)):
        pass


async def test_a_worker_waits_for_a_database_that_is_away(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that ended would be replaced; one that ends again soon makes the server stop all of them."""
    tries: list[None] = []

    async def open_later(*given: Any, **more: Any) -> PostgresStore:
        tries.append(None)
        if len(tries) < 3:
            raise StoreUnavailable("connection refused")
        return await open_postgres(*given, **more)

    monkeypatch.setattr("service.composition.open_postgres", open_later)
    monkeypatch.setattr("service.composition.RETRY", 0)
    unsafe = ("fsync", "full_page_writes")
    async with compose(Settings(data=tmp_path, database_url=database_url, unsafe_database=unsafe)) as desk:
        await desk.store.ready()
    assert len(tries) == 3


async def test_a_service_without_a_safe_database_does_not_start(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(NoDatabase):
        async with compose(Settings(data=tmp_path)):
            pass
    with pytest.raises(UnsafeDatabase, match="fsync"):
        async with compose(Settings(data=tmp_path, database_url=database_url)):
            pass
