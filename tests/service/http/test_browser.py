"""The pages as a real browser shows them: nothing fails, nothing comes from elsewhere, nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rules.catalogue import rulesets
from service.embedded import Embedded
from service.http.kinds import KINDS
from service.http.pages.guide import PAGES
from tests.service.http.browser import CHROMIUM, Page, chromium
from tests.service.http.running import Server, running, settings_for

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium"),
]

ADDRESSES = [
    "/docs",
    "/docs/guide",
    *(f"/docs/guide/{name}" for name in [*PAGES, *rulesets()]),
    "/problems",
    *(f"/problems/{kind}" for kind in KINDS),
]
WIDTHS = {"desk": 1100, "phone": 390}


@pytest.fixture(scope="module")
def server(servers: Embedded, database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("browser")
    with running(settings_for(servers, database_url, place / "data"), place / "server.log") as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_shown_whole(server: Server, page: Page, address: str, width: int) -> None:
    page.open(server.url + address, width)
    assert page.value("document.querySelector('h1').innerText.trim().length") > 0
    assert page.value("getComputedStyle(document.body).margin") == "0px", "the style sheet was not applied"
    assert page.value("document.documentElement.scrollWidth") <= width, "the page is wider than the window"
    assert page.complaints == []
    assert [url for url in page.requested if not url.startswith(server.url)] == []
    assert len(page.requested) > 1


def test_every_link_within_the_pages_leads_to_a_place(server: Server, page: Page) -> None:
    for address in ADDRESSES:
        page.open(server.url + address)
        lost = "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.hash.slice(1))"
        assert page.value(f"{lost}.filter(id => !document.getElementById(decodeURIComponent(id)))") == [], address
