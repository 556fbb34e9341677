"""Plots: licence, tower, reservoir: PT-060 … PT-076."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from events.petroleo.codes import Reservoir, Terrain
from events.petroleo.facts import LicencesBought, ReservoirBuilt, TowerBought
from projections.petroleo.state import Board
from rules.petroleo.book import PetroleoTable
from rules.petroleo.edition import PetroleoEdition


def free_zones(board: Board, edition: PetroleoEdition, terrain: Terrain) -> tuple[str, ...]:
    """PT-060, PT-061, PT-062: the zones of this terrain without a licence, ascending."""
    taken = {plot.zone for company in board.companies for plot in company.plots}
    return tuple([zone for zone in edition.zone_ids[terrain] if zone not in taken])


def licence_price(edition: PetroleoEdition, terrain: Terrain) -> int:
    """PT-063: 7 on land, 5 at sea."""
    return edition.price["licence_land" if terrain == "land" else "licence_sea"]


def tower_price(edition: PetroleoEdition, zone: str) -> int:
    """PT-065: 5 on land, 12 at sea."""
    return edition.price["tower_land" if edition.terrain[zone] == "land" else "tower_sea"]


def licences_to_have(board: Board, edition: PetroleoEdition, seat: int, terrain: Terrain, most: int) -> int:
    """PT-071, PT-073, PT-074: how many licences, up to `most`, cash, tokens and zones allow."""
    price = licence_price(edition, terrain)
    by_cash = board.companies[seat].cash // price
    return max(0, min(most, by_cash, board.tokens_in_stock(seat), len(free_zones(board, edition, terrain))))


def tower_sites(board: Board, edition: PetroleoEdition, seat: int) -> tuple[str, ...]:
    """PT-064, PT-072: own bare plots, while the supply has a tower."""
    return board.companies[seat].with_building(None) if board.towers else ()


def require_cash(table: PetroleoTable, seat: int, price: int, field: str | None = None) -> None:
    """PT-071, PT-075, PT-226, PT-252, PT-255: a purchase needs its full price in cash, from everybody; no credit.

    `field` is the member of the command that decides the price, if one does.
    """
    cash = table.board.companies[seat].cash
    table.require(cash >= price, "PT-071", "illegal_choice", field=field, price=price, cash=cash)


def choose_zones(
    table: PetroleoTable,
    terrain: Terrain,
    count: int,
    named: tuple[str, ...] | UnsetType,
    *,
    field: str,
    wish: str | None,
) -> tuple[str, ...]:
    """PT-060, PT-061, PT-062, PT-073: the free zones that this field of a command names, or else the lowest ones.

    `wish` is the member that asks for too many of them, or for this terrain, if it could ask for something else.
    """
    edition = table.book.edition
    free = free_zones(table.board, edition, terrain)
    if named is UNSET:
        table.require(len(free) >= count, "PT-073", "illegal_choice", field=wish, free=len(free))
        return free[:count]
    table.require(len(named) == count, "PT-062", "malformed", field=field, count=count)
    zones = set(named)
    table.require(zones <= set(edition.zone_ids[terrain]), "PT-061", "illegal_choice", field=field, terrain=terrain)
    table.require(len(zones) == count and zones <= set(free), "PT-060", "illegal_choice", field=field, zones=named)
    return tuple(sorted(zones))


def buy_licences(table: PetroleoTable, seat: int, terrain: Terrain, zones: tuple[str, ...], wish: str | None) -> None:
    """PT-063, PT-073, PT-074: one token and one price for each of these zones."""
    count, tokens = len(zones), table.board.tokens_in_stock(seat)
    table.require(tokens >= count, "PT-073", "illegal_choice", field=wish, tokens=tokens)
    price = count * licence_price(table.book.edition, terrain)
    require_cash(table, seat, price, wish)
    table.emit(LicencesBought(seat, zones, price))


def build_tower(table: PetroleoTable, seat: int, zone: str) -> None:
    """PT-064, PT-065: a tower is bought for, and stands at once on, one of the buyer's bare plots."""
    bare = zone in table.board.companies[seat].with_building(None)
    table.require(bare, "PT-064", "illegal_choice", field="/zone_id", zone=zone)
    price = tower_price(table.book.edition, zone)
    require_cash(table, seat, price, "/zone_id")
    table.emit(TowerBought(seat, zone, price))


def build_reservoir(table: PetroleoTable, seat: int, zone: str, kind: Reservoir) -> None:
    """PT-066, PT-067, PT-068, PT-076: for good, in the place of an own tower, which goes back unpaid; one price."""
    towers = table.board.companies[seat].with_building("tower")
    table.require(zone in towers, "PT-066", "illegal_choice", field="/zone_id", zone=zone)
    price = table.book.edition.price[kind]
    require_cash(table, seat, price)
    table.emit(ReservoirBuilt(seat, zone, kind, price))
