"""A typed client of the Gusher game service: `Gusher`, `Table` and `Branch`, and the same with `Async` before."""

from __future__ import annotations

from gusher_client.asynchronous import AsyncBranch, AsyncGusher, AsyncTable
from gusher_client.choices import Option
from gusher_client.model import Asked, Done, Entry, Header, NewGame, View
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
from gusher_client.synchronous import Branch, Gusher, Table
from gusher_client.version import VERSION
from gusher_client.wire import Known, Retry

__all__ = [
    "VERSION",
    "Asked",
    "AsyncBranch",
    "AsyncGusher",
    "AsyncTable",
    "Branch",
    "Conflict",
    "Done",
    "Entry",
    "Forbidden",
    "Gusher",
    "GusherError",
    "Header",
    "Known",
    "Malformed",
    "NewGame",
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
