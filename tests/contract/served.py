"""The service as it is run, but for its chance: ids, seeds, salts and the clock are the same in every run."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.app import application
from service.composition import compose
from service.handling.desk import Desk
from service.http.site import Front
from service.settings import Settings, read_settings
from tests.course import on_course
from tests.desks import on_this_course


@asynccontextmanager
async def _composed(settings: Settings) -> AsyncIterator[Desk]:
    async with compose(settings) as desk:
        with on_course("traffic"):
            yield on_this_course(desk)


def create() -> Front:
    """The application of one worker."""
    return application(read_settings(os.environ), _composed)
