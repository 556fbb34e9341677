"""The twenty squares, and doubling: PT-150 … PT-187, PT-240 … PT-245. Flat fines are charged to owners, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from events.petroleo.codes import Payment, Terrain
from events.petroleo.commands import BuyLicence, BuyTower, ChooseSquare, Damage, Decline, Surrender, SurrenderTower
from events.petroleo.facts import (
    Denationalised,
    DoubleSpent,
    LicencesSurrendered,
    Nationalised,
    SquareResolved,
    TankerDamaged,
    WellRanDry,
)
from events.petroleo.steps import (
    AtConvenience,
    BuyLicenceSquare,
    BuyTowerSquare,
    Charge,
    ChooseDamagedTanker,
    ChooseDryTower,
    LevyTenth,
    PayOut,
    PayYearEnd,
    ResolveSquare,
    SurrenderLicences,
)
from events.words import Waits
from projections.petroleo.state import OIL, Tanker
from rules.petroleo import plots
from rules.petroleo.book import PetroleoTable
from rules.petroleo.edition import IncomeTax, PerOil
from rules.petroleo.state_half import share_of_charge, share_of_receipt
from rules.petroleo.tankers import own_tanker


def resolve_square(table: PetroleoTable, step: ResolveSquare) -> None:
    """PT-023, PT-024, PT-187: the square's effect, on the active company, once; the marker stays where it is."""
    seat = table.board.on_turn
    table.emit(SquareResolved(seat, step.square, step.chosen))
    EFFECTS[step.square](table, seat, step)


# ---- buying


def sea_licence(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-155: a sea licence for 5, or two under the doubling rule."""
    _offer_licence(table, seat, "sea", step)


def land_licence(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-156: a land licence for 7, or two under the doubling rule."""
    _offer_licence(table, seat, "land", step)


def _offer_licence(table: PetroleoTable, seat: int, terrain: Terrain, step: ResolveSquare) -> None:
    """PT-157, PT-185, PT-240, PT-241, PT-242, PT-243, PT-244, PT-245: the first time a marker brings square 3 or 5, it
    may be two; then never again.

    Chosen on square 20 it is one, and the doubling stays open.
    """
    double = table.board.companies[seat].double_available and not step.chosen
    if double:
        table.emit(DoubleSpent(seat))
    if plots.licences_to_have(table.board, table.book.edition, seat, terrain, 1):
        table.next(BuyLicenceSquare(terrain, double, awaits=(seat,)))


def buy_licence(table: PetroleoTable, step: BuyLicenceSquare, command: BuyLicence) -> None:
    """PT-155, PT-156, PT-185, PT-240, PT-241, PT-244: one licence, or two at twice the price while doubling is open."""
    # While the company may still double, a square that grants one licence was chosen.
    rule = "PT-185" if table.board.companies[step.awaits[0]].double_available else "PT-240"
    table.require(command.count == 1 or step.double, rule, "illegal_choice", field="/count", most=1)
    wish = "/count" if command.count > 1 else None
    zones = plots.choose_zones(table, step.terrain, command.count, command.zone_ids, field="/zone_ids", wish=wish)
    plots.buy_licences(table, step.awaits[0], step.terrain, zones, wish)


def offer_tower(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-157, PT-163: a tower for an own bare plot, if there is one that the company can pay."""
    board, edition = table.board, table.book.edition
    cash = board.companies[seat].cash
    if any(plots.tower_price(edition, zone) <= cash for zone in plots.tower_sites(board, edition, seat)):
        table.next(BuyTowerSquare(awaits=(seat,)))


def buy_tower(table: PetroleoTable, step: BuyTowerSquare, command: BuyTower) -> None:
    """PT-036, PT-163: one tower, whatever the turn's card does later."""
    plots.build_tower(table, step.awaits[0], command.zone_id)


def decline(table: PetroleoTable, step: Waits, command: Decline) -> None:
    """PT-155, PT-156, PT-163, PT-182: these squares offer, they do not demand."""


def decline_by_deadline(table: PetroleoTable, step: Waits, seat: int) -> None:
    """PT-155, PT-156, PT-163, PT-182: silence declines."""


# ---- losing plots


def confiscation(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-151, PT-152, PT-153, PT-154, PT-184: from the third passage on, two idle plots, as far as there are any."""
    rule = table.book.edition.tariffs.confiscation
    idle = table.board.companies[seat].with_building(None)
    if table.board.year_ends < rule.from_passage or not idle:
        return
    if len(idle) <= rule.licences:
        table.emit(LicencesSurrendered(seat, idle))
    else:
        table.next(SurrenderLicences(awaits=(seat,)))


def surrender(table: PetroleoTable, step: SurrenderLicences, command: Surrender) -> None:
    """PT-152, PT-154: the company chooses which of its idle plots it gives up."""
    seat, wanted = step.awaits[0], table.book.edition.tariffs.confiscation.licences
    zones = set(command.zone_ids)
    company = table.board.companies[seat]
    idle, built = company.with_building(None), {plot.zone for plot in company.plots if plot.building is not None}
    legal = len(zones) == len(command.zone_ids) == wanted and zones <= set(idle)
    rule = "PT-154" if zones & built else "PT-152"
    table.require(legal, rule, "illegal_choice", field="/zone_ids", count=wanted, idle=idle)
    table.emit(LicencesSurrendered(seat, tuple(sorted(zones))))


def surrender_lowest(table: PetroleoTable, step: SurrenderLicences, seat: int) -> None:
    """PT-152: at the deadline the lowest zones go."""
    idle = table.board.companies[seat].with_building(None)
    table.emit(LicencesSurrendered(seat, idle[: table.book.edition.tariffs.confiscation.licences]))


def dry_well(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-176, PT-177: a tower and its licence go back, without money; of several the company names one."""
    towers = table.board.companies[seat].with_building("tower")
    if len(towers) == 1:
        table.emit(WellRanDry(seat, towers[0]))
    elif towers:
        table.next(ChooseDryTower(awaits=(seat,)))


def surrender_tower(table: PetroleoTable, step: ChooseDryTower, command: SurrenderTower) -> None:
    """PT-177: one of the company's own plots with a tower."""
    seat = step.awaits[0]
    towers = table.board.companies[seat].with_building("tower")
    table.require(command.zone_id in towers, "PT-177", "illegal_choice", field="/zone_id", towers=towers)
    table.emit(WellRanDry(seat, command.zone_id))


def surrender_lowest_tower(table: PetroleoTable, step: ChooseDryTower, seat: int) -> None:
    """PT-177: at the deadline the lowest zone goes."""
    table.emit(WellRanDry(seat, table.board.companies[seat].with_building("tower")[0]))


# ---- storms at sea


def tanker_storm(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-159, PT-160: one tanker in which the company has a share; of several it names one."""
    owned = table.board.tankers_of(seat)
    if len(owned) == 1:
        _damage(table, seat, owned[0])
    elif owned:
        table.next(ChooseDamagedTanker(awaits=(seat,)))


def damage(table: PetroleoTable, step: ChooseDamagedTanker, command: Damage) -> None:
    """PT-160: any tanker in which the company has a share."""
    seat = step.awaits[0]
    _damage(table, seat, own_tanker(table, seat, command.tanker_id, "PT-160"))


def damage_lowest(table: PetroleoTable, step: ChooseDamagedTanker, seat: int) -> None:
    """PT-160: at the deadline, the lowest tanker."""
    _damage(table, seat, table.board.tankers_of(seat)[0])


def _damage(table: PetroleoTable, seat: int, tanker: Tanker) -> None:
    """PT-130, PT-158, PT-161, PT-253, PT-275: 50, or by halves; the active company is charged first, the bank never."""
    table.emit(TankerDamaged(seat, tanker.id))
    whole = table.book.edition.tariffs.tanker_storm
    if tanker.partner is None:
        table.next(Charge(seat, whole, "tanker_storm"))
        return
    other = tanker.partner if tanker.commander == seat else tanker.commander
    table.next(Charge(seat, whole // 2, "tanker_storm"))
    if isinstance(other, int):
        table.steps.insert(1, Charge(other, whole // 2, "tanker_storm"))


# ---- taxes, fines, windfalls


def oil_tax(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-162: 2, 4 or 6 for each oil reservoir."""
    _charge(table, seat, _per_oil(table, seat, table.book.edition.tariffs.oil_tax), "oil_tax")


def price_fall(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-180: 2, 4 or 6 for each oil reservoir."""
    _charge(table, seat, _per_oil(table, seat, table.book.edition.tariffs.price_fall), "price_fall")


def price_rise(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-174: the bank pays 4, 8 or 12 for each oil reservoir."""
    total = _per_oil(table, seat, table.book.edition.tariffs.price_rise)
    if amount := share_of_receipt(table.board.companies[seat], total):
        table.next(PayOut("price_rise", (Payment(seat, amount),)))


def income_tax(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-164, PT-165, PT-166, PT-168: part one by piece, tankers by halves and never halved again; gas goes free."""
    board, tax = table.board, table.book.edition.tariffs.income_tax
    company = board.companies[seat]
    total = _per_oil(table, seat, tax) + tax.truck * len(company.trucks) + tax.tower * company.count("tower")
    amount = share_of_charge(company, total) + board.tanker_halves(seat) * tax.tanker // 2
    table.next(Charge(seat, amount, "income_tax"), LevyTenth(seat))


def levy_tenth(table: PetroleoTable, step: LevyTenth) -> None:
    """PT-167, PT-168, PT-251, PT-253: a tenth of the cash left, a twentieth for the nationalised, rounded up."""
    company = table.board.companies[step.seat]
    percent = table.book.edition.tariffs.income_tax.levy_percent
    base = 200 if company.nationalised else 100
    table.next(Charge(step.seat, -(-company.cash * percent // base), "income_tax"))


def gas_tax(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-171: 4 for each gas reservoir."""
    _charge(table, seat, table.book.edition.tariffs.gas_tax * table.board.companies[seat].count("gas"), "gas_tax")


def oil_fire(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-169: 5 for the owner of oil."""
    owns = any(table.board.companies[seat].count(oil) for oil in OIL)
    _fine(table, seat, table.book.edition.tariffs.oil_fire, "oil_fire", owns=owns)


def tower_storm(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-170: 4 for the owner of a tower."""
    owns = table.board.companies[seat].count("tower") > 0
    _fine(table, seat, table.book.edition.tariffs.tower_storm, "tower_storm", owns=owns)


def truck_accident(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-172: 3 for the owner of a truck."""
    owns = bool(table.board.companies[seat].trucks)
    _fine(table, seat, table.book.edition.tariffs.truck_accident, "truck_accident", owns=owns)


def well_fire(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-175: 4 for the owner of a tower."""
    owns = table.board.companies[seat].count("tower") > 0
    _fine(table, seat, table.book.edition.tariffs.well_fire, "well_fire", owns=owns)


def gas_fire(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-179: 5 for the owner of gas."""
    owns = table.board.companies[seat].count("gas") > 0
    _fine(table, seat, table.book.edition.tariffs.gas_fire, "gas_fire", owns=owns)


def _per_oil(table: PetroleoTable, seat: int, tariff: PerOil | IncomeTax) -> int:
    company = table.board.companies[seat]
    return (
        tariff.oil2 * company.count("oil2") + tariff.oil4 * company.count("oil4") + tariff.oil6 * company.count("oil6")
    )


def _fine(table: PetroleoTable, seat: int, amount: int, reason: str, *, owns: bool) -> None:
    if owns:
        _charge(table, seat, amount, reason)


def _charge(table: PetroleoTable, seat: int, total: int, reason: str) -> None:
    """PT-223, PT-224, PT-225: the State bears its half of the effect's total."""
    table.next(Charge(seat, share_of_charge(table.board.companies[seat], total), reason))


# ---- State, year-end, convenience


def nationalisation(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-173, PT-220, PT-221: half of reservoirs and trucks, present and future, belongs to the State."""
    if not table.board.companies[seat].nationalised:
        table.emit(Nationalised(seat))


def free_enterprise(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-178, PT-220: the company is its own again."""
    if table.board.companies[seat].nationalised:
        table.emit(Denationalised(seat))


def year_end(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-042, PT-150, PT-183: nothing, for the marker's move has paid; chosen on square 20 it pays everybody once."""
    if step.chosen:
        table.next(PayYearEnd())


def convenience(table: PetroleoTable, seat: int, step: ResolveSquare) -> None:
    """PT-181: the company may name any of the other squares."""
    table.next(AtConvenience(awaits=(seat,)))


def choose_square(table: PetroleoTable, step: AtConvenience, command: ChooseSquare) -> None:
    """PT-181, PT-186: its effect comes as if the turn had begun there; the marker stays."""
    table.require(1 <= command.square <= 19, "PT-181", "illegal_choice", field="/square", least=1, most=19)
    table.next(ResolveSquare(command.square, chosen=True))


EFFECTS: Mapping[int, Callable[[PetroleoTable, int, ResolveSquare], None]] = {
    1: year_end,
    2: confiscation,
    3: sea_licence,
    4: tanker_storm,
    5: land_licence,
    6: oil_tax,
    7: offer_tower,
    8: income_tax,
    9: oil_fire,
    10: tower_storm,
    11: gas_tax,
    12: truck_accident,
    13: nationalisation,
    14: price_rise,
    15: well_fire,
    16: dry_well,
    17: free_enterprise,
    18: gas_fire,
    19: price_fall,
    20: convenience,
}
