"""Made of `asynchronous/__init__.py` by `tools/unasync.py`, without `await`."""

from __future__ import annotations

from gusher_client.synchronous.branch import Branch
from gusher_client.synchronous.gusher import Gusher
from gusher_client.synchronous.table import Table

__all__ = ["Branch", "Gusher", "Table"]
