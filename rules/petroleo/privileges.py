"""What a laid card lets one buy: PT-031, PT-032, PT-035, PT-080 … PT-093."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Struct

from events.petroleo.codes import Kind, Terrain
from events.petroleo.commands import Exercise, Forgo
from events.petroleo.facts import CardRevealed, PrivilegeLost, TruckBought
from events.petroleo.steps import UseBoughtCard, UseCard
from events.words import Waits
from projections.petroleo.state import Board, Laid
from rules.petroleo import partnership, plots
from rules.petroleo.book import PetroleoTable
from rules.petroleo.edition import Card, PetroleoEdition

RESERVOIRS = ("oil6", "oil4", "oil2", "gas")


class Use(Struct, frozen=True):
    """One way to exercise a privilege: its price, and the fields of the command."""

    price: int
    fields: dict[str, Any]


def uses(board: Board, edition: PetroleoEdition, seat: int, kind: Kind) -> Iterator[Use]:
    """PT-081, PT-082, PT-083, PT-084, PT-085, PT-086, PT-087, PT-088, PT-089, PT-090, PT-091: every way to exercise
    this kind, cash aside; at equal price the first one is the default.

    A licence may also name its zone.
    """
    price = edition.price
    if kind in RESERVOIRS:
        yield from (Use(price[kind], {"zone_id": zone}) for zone in board.companies[seat].with_building("tower"))
        return
    if kind == "tower_or_licence":
        for zone in plots.tower_sites(board, edition, seat):
            yield Use(plots.tower_price(edition, zone), {"item": "tower", "zone_id": zone})
    if board.tokens_in_stock(seat) < 1:
        return
    if kind == "tower_or_licence":
        if plots.free_zones(board, edition, "land"):
            yield Use(price["licence_land"], {"item": "licence_land"})
        if plots.free_zones(board, edition, "sea"):
            yield Use(price["licence_sea"], {"item": "licence_sea"})
    elif kind == "truck":
        yield Use(price["truck"], {})
    else:
        yield from (Use(part, {"mode": mode}) for mode, part in partnership.modes(edition))


def legal_uses(board: Board, edition: PetroleoEdition, seat: int, kind: Kind) -> list[Use]:
    """PT-071, PT-092, PT-122: the ways that the seat can pay; a partnership only where it cannot buy alone."""
    cash = board.companies[seat].cash
    found = [use for use in uses(board, edition, seat, kind) if use.price <= cash]
    return found[:1] if kind == "tanker" else found


def cheapest(board: Board, edition: PetroleoEdition, seat: int, kind: Kind) -> int | None:
    """PT-092, PT-105: the price of the cheapest exercise, cash aside; None where there is none at all."""
    return min((use.price for use in uses(board, edition, seat, kind)), default=None)


def laid_card(table: PetroleoTable) -> tuple[Laid, Card]:
    """The card of the turn, and what is printed on it."""
    laid = table.board.laid
    assert laid is not None, "a card was laid this turn"
    return laid, table.book.edition.card[laid.card]


def reveal(table: PetroleoTable) -> None:
    """PT-322: exercised or offered, a card shows its kind, and its advance with it."""
    laid, card = laid_card(table)
    if laid.kind is None:
        table.emit(CardRevealed(laid.seat, card.id, card.kind, card.advance))


def exercise(table: PetroleoTable, step: UseCard | UseBoughtCard, command: Exercise) -> None:
    """PT-031, PT-035, PT-080, PT-087, PT-109, PT-110: whoever holds the privilege buys one thing with it, at once."""
    seat = step.awaits[0]
    _, card = laid_card(table)
    _require_fields(table, card.kind, command)
    reveal(table)
    match card.kind:
        case "oil6" | "oil4" | "oil2" | "gas":
            assert command.zone_id is not UNSET, "required above"
            plots.build_reservoir(table, seat, command.zone_id, card.kind)
        case "tower_or_licence":
            _tower_or_licence(table, seat, command)
        case "truck":
            _buy_truck(table, seat)
        case "tanker":
            partnership.buy_tanker(table, seat, alone=command.mode == "sole")


def exercise_cheapest(table: PetroleoTable, step: UseBoughtCard, seat: int) -> None:
    """PT-111: at the deadline the winner exercises in the cheapest way."""
    _, card = laid_card(table)
    legal = legal_uses(table.board, table.book.edition, seat, card.kind)
    exercise(table, step, Exercise(**min(legal, key=lambda use: use.price).fields))


def forgo(table: PetroleoTable, step: UseCard | UseBoughtCard, command: Forgo) -> None:
    """PT-031, PT-032, PT-111: exercising is never forced; the privilege is lost without compensation."""
    table.emit(PrivilegeLost(step.awaits[0]))


def forgo_by_deadline(table: PetroleoTable, step: Waits, seat: int) -> None:
    """PT-031: at the deadline the privilege lapses."""
    table.emit(PrivilegeLost(seat))


def _require_fields(table: PetroleoTable, kind: Kind, command: Exercise) -> None:
    """PT-085, PT-086, PT-089, PT-122: the fields of `exercise` that the card's kind asks for, and no others."""
    names = {name for name in ("zone_id", "item", "mode") if getattr(command, name) is not UNSET}
    wanted: set[str]
    match kind:
        case "tower_or_licence":
            named = command.item == "tower" or "zone_id" in names
            rule, wanted = "PT-086", {"item", "zone_id"} if named else {"item"}
        case "truck":
            rule, wanted = "PT-089", set()
        case "tanker":
            rule, wanted = "PT-122", {"mode"}
        case _:
            rule, wanted = "PT-085", {"zone_id"}
    if wrong := sorted(names ^ wanted):
        table.refuse(rule, "malformed", field=f"/{wrong[0]}", fields=sorted(wanted))


def _tower_or_licence(table: PetroleoTable, seat: int, command: Exercise) -> None:
    """PT-072, PT-086, PT-088: a tower, if there is one, a land licence or a sea licence; one of them, never two."""
    zone = command.zone_id
    if command.item == "tower":
        assert zone is not UNSET, "required above"
        table.require(table.board.towers, "PT-072", "illegal_choice", field="/item", towers=0)
        plots.build_tower(table, seat, zone)
    else:
        terrain: Terrain = "land" if command.item == "licence_land" else "sea"
        named = UNSET if zone is UNSET else (zone,)
        zones = plots.choose_zones(table, terrain, 1, named, field="/zone_id", wish="/item")
        plots.buy_licences(table, seat, terrain, zones, "/item")


def _buy_truck(table: PetroleoTable, seat: int) -> None:
    """PT-089, PT-091, PT-093: a truck on one of the company's tokens, which costs nothing; the lowest free one."""
    table.require(table.board.tokens_in_stock(seat) >= 1, "PT-074", "illegal_choice", tokens=0)
    price = table.book.edition.price["truck"]
    plots.require_cash(table, seat, price)
    owned = {truck for company in table.board.companies for truck in company.trucks}
    truck = next(truck for truck in table.book.edition.truck_ids if truck not in owned)
    table.emit(TruckBought(seat, truck, price))
