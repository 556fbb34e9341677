"""Saves of the `eventsourcing` package into Postgres, in threads: `python eventsourcing_saves.py THREADS SAVES ROUNDS`.

Run by the Python that has the package; prints the rounds as JSON. POSTGRES_* say where the database is.
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
    threads, saves, rounds = (int(word) for word in sys.argv[1:])
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

    def play(table_id: object) -> list[float]:
        single = []
        for _ in range(saves // threads):
            began = time.perf_counter()
            table = app.repository.get(table_id)
            table.move(PAYLOAD)
            app.save(table)
            single.append(time.perf_counter() - began)
        return single

    told = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(rounds):
            began = time.perf_counter()
            single = [seconds for one in pool.map(play, tables) for seconds in one]
            told.append({"count": len(single), "seconds": time.perf_counter() - began, "single": single})
    print(json.dumps(told))


if __name__ == "__main__":
    main()
