"""What a worker remembers of tokens: nobody asks twice, and a revoked one is soon good for nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import pytest

from service.auth.known import PROMPT, KnownTokens
from service.store.protocol import Account, StoreUnavailable, Token
from tests.memory_store import MemoryStore

ACCOUNT = Account(str(uuid4()), "ana", "person", 7)


class Counting(MemoryStore):
    """Counts what it is asked, and can be away."""

    def __init__(self) -> None:
        super().__init__()
        self.lookups = self.questions = 0
        self.away = False

    async def token(self, secret_hash: bytes) -> tuple[Token, Account] | None:
        self.lookups += 1
        return await super().token(secret_hash)

    async def revoked_since(self, at: int) -> list[bytes]:
        self.questions += 1
        if self.away:
            raise StoreUnavailable("away")
        return await super().revoked_since(at)


class Time:
    """Passes when told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def now(self) -> float:
        return self.seconds

    def ms(self) -> int:
        return int(self.seconds * 1000)


Meet = Callable[..., KnownTokens]


@pytest.fixture
async def store() -> Counting:
    store = Counting()
    await store.create_account(ACCOUNT, _token(1))
    await store.add_token(_token(2))
    return store


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def tokens(store: Counting, time: Time) -> AsyncIterator[KnownTokens]:
    known = KnownTokens(store, now=time.now, clock=time.ms)
    yield known
    await known.close()


def _token(number: int) -> Token:
    return Token(f"token-{number}", ACCOUNT.id, bytes([number] * 32), ("play",), "laptop", number)


async def test_a_token_is_looked_up_once(store: Counting, tokens: KnownTokens) -> None:
    for _ in range(5):
        assert await tokens.find(_token(1).secret_hash) == (_token(1), ACCOUNT)
    assert (store.lookups, store.questions) == (1, 0)


async def test_an_unknown_token_is_looked_up_each_time(store: Counting, tokens: KnownTokens) -> None:
    assert await tokens.find(b"x" * 32) is None
    assert await tokens.find(b"x" * 32) is None
    assert store.lookups == 2


async def test_what_is_revoked_here_is_forgotten_at_once(store: Counting, tokens: KnownTokens, time: Time) -> None:
    await tokens.find(_token(1).secret_hash)
    await store.revoke_token(ACCOUNT.id, "token-1", time.ms())
    tokens.forget("token-1")
    found = await tokens.find(_token(1).secret_hash)
    assert found is not None
    assert found[0].revoked_at == time.ms()


async def test_what_is_revoked_elsewhere_is_not_good_after_the_promised_time(
    store: Counting, tokens: KnownTokens, time: Time
) -> None:
    await tokens.find(_token(1).secret_hash)
    await tokens.find(_token(2).secret_hash)
    await store.revoke_token(ACCOUNT.id, "token-1", time.ms())
    time.seconds += PROMPT + 0.001
    revoked, other = await tokens.find(_token(1).secret_hash), await tokens.find(_token(2).secret_hash)
    assert revoked is not None
    assert revoked[0].revoked_at is not None
    assert other == (_token(2), ACCOUNT)
    assert (store.lookups, store.questions) == (3, 1)


async def test_a_busy_worker_hears_of_revocations_without_anybody_waiting(
    store: Counting, tokens: KnownTokens, time: Time
) -> None:
    await tokens.find(_token(1).secret_hash)
    for _ in range(10):
        time.seconds += 0.6
        assert await tokens.find(_token(1).secret_hash) == (_token(1), ACCOUNT)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert store.questions == 10


async def test_a_clock_of_another_machine_may_be_slow(store: Counting, tokens: KnownTokens, time: Time) -> None:
    await tokens.find(_token(1).secret_hash)
    await store.revoke_token(ACCOUNT.id, "token-1", time.ms() - 30_000)
    time.seconds += PROMPT + 0.001
    found = await tokens.find(_token(1).secret_hash)
    assert found is not None
    assert found[0].revoked_at is not None


async def test_without_word_of_revocations_nothing_remembered_is_good(
    store: Counting, tokens: KnownTokens, time: Time
) -> None:
    await tokens.find(_token(1).secret_hash)
    store.away = True
    time.seconds += PROMPT + 0.001
    with pytest.raises(StoreUnavailable):
        await tokens.find(_token(1).secret_hash)
    store.away = False
    assert await tokens.find(_token(1).secret_hash) == (_token(1), ACCOUNT)


async def test_only_the_tokens_used_last_are_kept(store: Counting) -> None:
    tokens = KnownTokens(store, most=1)
    for number in (1, 2, 1):
        await tokens.find(_token(number).secret_hash)
    assert store.lookups == 3
