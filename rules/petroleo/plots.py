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
    return tuple(zone for zone in edition.zone_ids[terrain] if zone not in taken)


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


def require_cash(table: PetroleoTable, seat: int, price: int) -> None:
    """PT-071, PT-075, PT-226, PT-252, PT-255: a purchase needs its full price in cash, from everybody; no credit."""
    cash = table.board.companies[seat].cash
    table.require(cash >= price, "PT-071", "illegal_choice", price=price, cash=cash)


def buy_licences(
    table: PetroleoTable, seat: int, terrain: Terrain, count: int, zones: tuple[str, ...] | UnsetType
) -> None:
    """PT-060, PT-061, PT-062, PT-063, PT-073: in the zones named, or else in the lowest free ones."""
    free = free_zones(table.board, table.book.edition, terrain)
    if zones is UNSET:
        zones = free[:count]
    else:
        table.require(len(zones) == count, "PT-062", "malformed", count=count)
        table.require(len(set(zones)) == count, "PT-060", "illegal_choice", zones=zones)
        table.require(set(zones) <= set(free), "PT-061", "illegal_choice", zones=zones, terrain=terrain)
    table.require(len(zones) == count, "PT-073", "illegal_choice", free=len(free))
    table.require(table.board.tokens_in_stock(seat) >= count, "PT-073", "illegal_choice", tokens=0)
    price = count * licence_price(table.book.edition, terrain)
    require_cash(table, seat, price)
    table.emit(LicencesBought(seat, tuple(sorted(zones)), price))


def build_tower(table: PetroleoTable, seat: int, zone: str) -> None:
    """PT-064, PT-065, PT-072: a tower is bought for, and stands at once on, one of the buyer's bare plots."""
    bare = zone in table.board.companies[seat].with_building(None)
    table.require(bare, "PT-064", "illegal_choice", zone=zone)
    table.require(table.board.towers, "PT-072", "illegal_choice", zone=zone)
    price = tower_price(table.book.edition, zone)
    require_cash(table, seat, price)
    table.emit(TowerBought(seat, zone, price))


def build_reservoir(table: PetroleoTable, seat: int, zone: str, kind: Reservoir) -> None:
    """PT-066, PT-067, PT-068, PT-076: for good, in the place of an own tower, which goes back unpaid; one price."""
    towers = table.board.companies[seat].with_building("tower")
    table.require(zone in towers, "PT-066", "illegal_choice", zone=zone)
    price = table.book.edition.price[kind]
    require_cash(table, seat, price)
    table.emit(ReservoirBuilt(seat, zone, kind, price))
