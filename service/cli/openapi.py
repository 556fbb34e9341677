"""`gusher openapi`: print the OpenAPI document of the API."""

from __future__ import annotations

import argparse

import msgspec


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser("openapi", help="print the OpenAPI document of the API")
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    """Print the document, sorted and indented so that a diff can be read."""
    from service.app import openapi_document

    print(msgspec.json.format(msgspec.json.encode(openapi_document(), order="sorted"), indent=2).decode())
    return 0
