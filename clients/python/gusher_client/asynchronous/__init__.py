"""The client. `synchronous` is made of this package by `tools/unasync.py`: change this one."""

from __future__ import annotations

from gusher_client.asynchronous.branch import AsyncBranch
from gusher_client.asynchronous.gusher import AsyncGusher
from gusher_client.asynchronous.table import AsyncTable

__all__ = ["AsyncBranch", "AsyncGusher", "AsyncTable"]
