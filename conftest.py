"""Docs that run: pytest collects the Python blocks of README.md and docs/, each file one namespace from top to bottom.

A block that only shows something is preceded by `<!--- skip: next -->`.
"""

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

pytest_collect_file = Sybil(parsers=[PythonCodeBlockParser(), SkipParser()], patterns=["*.md"]).pytest()
