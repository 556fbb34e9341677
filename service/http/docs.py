"""The description of all this: as data, and as pages."""

from __future__ import annotations

from asyncio import to_thread
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get
from litestar.params import PathParameter

from service.failures import NotFound
from service.http.asyncapi import asyncapi_document
from service.http.identity import NOBODY
from service.http.kinds import KINDS
from service.http.openapi import openapi_document
from service.http.pages.guide import guide_index, guide_page
from service.http.pages.problems import problem_told, problems_index
from service.http.pages.reference import reference, stylesheet
from service.http.shapes import UNCHANGING

_POLICY = {
    "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
    **UNCHANGING,
}


@get("/openapi.json", include_in_schema=False, opt=NOBODY)
async def openapi_json() -> Response[Any]:
    """The OpenAPI document."""
    return Response(
        await to_thread(_document_bytes),
        media_type="application/json",
        headers={"cache-control": "public, max-age=300"},
    )


@get("/asyncapi.json", include_in_schema=False, opt=NOBODY)
async def asyncapi_json() -> Response[Any]:
    """The AsyncAPI document of the streams."""
    return Response(await to_thread(_streams_bytes), media_type="application/json", headers=UNCHANGING)


@get("/docs", include_in_schema=False, opt=NOBODY, media_type=MediaType.HTML)
async def docs_page() -> Response[Any]:
    """The OpenAPI document as one page."""
    return _html(await to_thread(_reference))


@get("/docs/guide", include_in_schema=False, opt=NOBODY, media_type=MediaType.HTML)
async def docs_guide() -> Response[Any]:
    """What there is to read."""
    return _html(guide_index())


@get("/docs/guide/{name:str}", include_in_schema=False, opt=NOBODY, media_type=MediaType.HTML)
async def docs_guide_page(name: Annotated[str, PathParameter(max_length=64)]) -> Response[Any]:
    """One page of the guide."""
    found = await to_thread(guide_page, name)
    if found is None:
        raise NotFound("not_found", "There is no such page.")
    return _html(found)


@get("/docs/pages.css", include_in_schema=False, opt=NOBODY)
async def docs_style() -> Response[Any]:
    """How pages look."""
    return Response(stylesheet(), media_type="text/css", headers=_POLICY)


@get("/problems", include_in_schema=False, opt=NOBODY, media_type=MediaType.HTML)
async def problems_page() -> Response[Any]:
    """Every type of problem."""
    return _html(problems_index())


@get("/problems/{kind:str}", include_in_schema=False, opt=NOBODY, media_type=MediaType.HTML)
async def problem_page(kind: Annotated[str, PathParameter(max_length=64)]) -> Response[Any]:
    """One type of problem: the page that `type` names."""
    if kind not in KINDS:
        raise NotFound("not_found", "There is no such type of problem.")
    return _html(problem_told(kind))


# Made once, in a thread: it takes most of a second, and moves wait for nobody.
@cache
def _document_bytes() -> bytes:
    return msgspec.json.encode(openapi_document())


@cache
def _streams_bytes() -> bytes:
    return msgspec.json.encode(asyncapi_document())


@cache
def _reference() -> str:
    return reference(openapi_document())


def _html(text: str) -> Response[Any]:
    return Response(text, media_type=MediaType.HTML, headers=_POLICY)


ROUTES = [openapi_json, asyncapi_json, docs_page, docs_guide, docs_guide_page, docs_style, problems_page, problem_page]
