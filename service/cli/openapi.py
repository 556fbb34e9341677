"""`gusher openapi`: print the OpenAPI document of the API, or the AsyncAPI document of its streams."""

from __future__ import annotations

import argparse

import msgspec


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser("openapi", help="print the OpenAPI document of the API")
    parser.add_argument("--streams", action="store_true", help="print the AsyncAPI document of the streams instead")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the document, sorted and indented so that a diff can be read."""
    # Every other command starts without the framework.
    from service.http.asyncapi import asyncapi_document
    from service.http.openapi import openapi_document

    document = asyncapi_document() if arguments.streams else openapi_document()
    print(msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=2).decode())
    return 0
