"""Saves of the `eventsourcing` package into Postgres, in threads: `python eventsourcing_saves.py THREADS`.

Run by the Python that has the package. Each line of the standard input is a number of saves, answered by a line of
JSON. POSTGRES_* say where the database is.
"""

# The package is not among the service's dependencies, so there are no types to check against.
# mypy: ignore-errors

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

PAYLOAD = {"type": "a_command_of_usual_length", "decision_id": 12, "choice": ["a", "b", "c"], "filler": "x" * 600}


class Table(Aggregate):
    """A game whose moves are events."""

    def __init__(self) -> None:
        self.last = {}

    @event("Moved")
    def move(self, payload: dict) -> None:
        self.last = payload


def main() -> None:
    """Measure and print."""
    threads = int(sys.argv[1])
    app = Application(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "AGGREGATE_CACHE_MAXSIZE": "1000",
            "DEEPCOPY_FROM_AGGREGATE_CACHE": "n",
        }
    )
    tables = []
    for _ in range(threads):
        table = Table()
        app.save(table)
        tables.append(table.id)

    def play(table_id: object, saves: int) -> list[float]:
        single = []
        for _ in range(saves):
            began = time.perf_counter()
            table = app.repository.get(table_id)
            table.move(PAYLOAD)
            app.save(table)
            single.append(time.perf_counter() - began)
        return single

    with ThreadPoolExecutor(threads) as pool:
        for line in sys.stdin:
            began = time.perf_counter()
            shares = [int(line) // threads] * threads
            single = [seconds for one in pool.map(play, tables, shares) for seconds in one]
            told = {"count": len(single), "seconds": time.perf_counter() - began, "single": single}
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
