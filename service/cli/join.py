"""`gusher join URL`: a person plays in a terminal, against house bots or friends, over the public API."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from itertools import islice

from rich.console import Console

from gusher_client import Gusher, GusherError, Table
from gusher_client.model import ListedGame, Ruleset
from service.cli.joining.asking import Back, Left, Person
from service.cli.joining.playing import Player

NOT_DONE = 1
OFFERED = 20
"""So many tables with free seats are listed, the newest: there may be thousands."""


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "join",
        help="play in this terminal, against house bots or friends",
        epilog="GUSHER_TOKEN holds the token of an account you have; without it a new account is made.",
    )
    parser.add_argument("url", metavar="URL", help="the service, as http://127.0.0.1:8000")
    parser.add_argument("--game", help="the id of a game to sit down at, or to come back to (default: choose one)")
    parser.add_argument("--invitation", help="the code that a private game asks for")
    parser.add_argument("--name", help="what the new account is called (default: a name is made up)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play to the end, or until the person leaves."""
    person = Person(Console(highlight=False))
    back = ["gusher join", arguments.url]
    try:
        with _caller(arguments, person) as gusher:
            back.insert(0, f"GUSHER_TOKEN={gusher.token}")
            table = _table(gusher, person, arguments.game)
            _sit(table, arguments.invitation)
            back += ["--game", table.game]
            _begin(gusher, table, person)
            Player(person, gusher, table, arguments.stories).play()
    except (Left, KeyboardInterrupt):
        person.say()
        person.say("You have left the terminal; the game waits for you. To come back:")
        person.show(" ".join(back))
    except GusherError as error:
        print(f"cannot go on: {error}", file=sys.stderr)
        return NOT_DONE
    return 0


def _caller(arguments: argparse.Namespace, person: Person) -> Gusher:
    token = os.environ.get("GUSHER_TOKEN")
    if token:
        return Gusher(arguments.url, token)
    name = arguments.name or f"guest-{secrets.token_hex(3)}"
    made = Gusher.sign_up(arguments.url, name)
    person.say(f"You have a new account and are called {name}. To be the same again another time, set:")
    person.show(f"GUSHER_TOKEN={made.token}")
    person.say()
    return made


def _table(gusher: Gusher, person: Person, game: str | None) -> Table:
    """The game that was named, or one that the person goes on with, chooses or opens."""
    if game is not None:
        return gusher.table(game)
    while True:
        rulesets = gusher.rulesets()
        titles = {ruleset.ruleset: ruleset.title for ruleset in rulesets}
        running = list(gusher.games(status="running", mine=True))
        free = (game for game in gusher.games(status="lobby") if game.yours or game.taken < game.seats)
        lobbies = list(islice(free, OFFERED))
        opening = [f"open a table: {one.title}, {one.least_seats} to {one.most_seats} seats" for one in rulesets]
        there = [
            *(f"go on: {titles.get(one.ruleset, one.ruleset)}, at entry {one.version} [{one.game}]" for one in running),
            *(f"sit down: {titles.get(one.ruleset, one.ruleset)}, {_seats(one)}" for one in lobbies),
        ]
        try:
            index = person.one("What would you like", [*opening, *there])
            if index >= len(rulesets):
                return gusher.table([*running, *lobbies][index - len(rulesets)].game)
            return _opened(gusher, person, rulesets[index])
        except Back:
            continue


def _seats(game: ListedGame) -> str:
    return f"{game.taken} of {game.seats} seats taken [{game.game}]"


def _opened(gusher: Gusher, person: Person, ruleset: Ruleset) -> Table:
    """A new table with as many house bots as the person wants. Raises `Left` and `Back`."""
    seats = person.number("How many seats", ruleset.least_seats, ruleset.most_seats)
    bots = person.number("How many of them for house bots", 0, seats - 1)
    table = gusher.open_table(ruleset.ruleset, seats)
    table.sit(client_seed=secrets.token_hex(16))
    for _ in range(bots):
        table.add_bot()
    return table


def _sit(table: Table, invitation: str | None) -> None:
    header = table.header() if invitation is None else None
    if header is None or (not header.yours and header.status == "lobby"):
        table.sit(client_seed=secrets.token_hex(16), invitation=invitation)


def _begin(gusher: Gusher, table: Table, person: Person) -> None:
    """Wait until the game has begun: the host begins it as soon as every seat is taken."""
    header = table.header()
    if header.status != "lobby":
        return
    hosting = gusher.me().account.account == header.host
    if any(not seat.taken for seat in header.seats):
        person.say("Friends sit down with:")
        person.show(f"gusher join {gusher.url} --game {table.game}")
    for _ in table.follow(header.version - 1):
        header = table.header()
        free = sum(not seat.taken for seat in header.seats)
        if header.status != "lobby":
            return
        if free:
            person.say(f"Waiting for {free} more to sit down.")
        elif hosting:
            table.start()
            return
