"""A typed client of the Gusher game service: `Gusher` and `Table`, and `AsyncGusher` and `AsyncTable`."""

from __future__ import annotations

from gusher_client.asynchronous import AsyncGusher, AsyncTable
from gusher_client.choices import Option
from gusher_client.model import Asked, Done, Entry, Header, View
from gusher_client.problems import (
    Conflict,
    Forbidden,
    GusherError,
    Malformed,
    NotFound,
    Problem,
    Refused,
    ServerFault,
    TooManyRequests,
    Unauthenticated,
    Unprocessable,
    Unreachable,
    VersionMismatch,
)
from gusher_client.synchronous import Gusher, Table
from gusher_client.version import VERSION
from gusher_client.wire import Known, Retry

__all__ = [
    "VERSION",
    "Asked",
    "AsyncGusher",
    "AsyncTable",
    "Conflict",
    "Done",
    "Entry",
    "Forbidden",
    "Gusher",
    "GusherError",
    "Header",
    "Known",
    "Malformed",
    "NotFound",
    "Option",
    "Problem",
    "Refused",
    "Retry",
    "ServerFault",
    "Table",
    "TooManyRequests",
    "Unauthenticated",
    "Unprocessable",
    "Unreachable",
    "VersionMismatch",
    "View",
]
