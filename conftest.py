"""Docs that run: pytest collects the Python blocks of README.md and docs/, each file one namespace from top to bottom.

A block that only shows something is preceded by `<!--- skip: next -->`.
"""

import os

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

pytest_collect_file = Sybil(parsers=[PythonCodeBlockParser(), SkipParser()], patterns=["*.md"]).pytest()


@pytest.fixture(scope="session", autouse=True)
def given() -> dict[str, str | None]:
    """The servers that the suite was given by `DATABASE_URL` and `REDIS_URL`: for those who ask for them here, not for
    every process that a test starts.
    """
    return {name: os.environ.pop(name, None) for name in ("DATABASE_URL", "REDIS_URL")}
