"""Real Postgres and real Valkey without an installation: child processes with everything they keep in one folder."""

from service.embedded.failures import DataFolderInUse, DataFolderNotOurs, EmbeddedFailure, ServerDied
from service.embedded.servers import Embedded, EmbeddedServers, running_database

__all__ = [
    "DataFolderInUse",
    "DataFolderNotOurs",
    "Embedded",
    "EmbeddedFailure",
    "EmbeddedServers",
    "ServerDied",
    "running_database",
]
