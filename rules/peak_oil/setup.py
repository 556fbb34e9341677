"""Configuration and set-up: PO-001 … PO-037."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from events.peak_oil.codes import Barrels, ChipKind, Display, PlacedChip, RegionBarrels
from events.peak_oil.facts import (
    ChipsPlaced,
    ChipsTurned,
    ConsultantsOffered,
    DeckShuffled,
    DisplayRefilled,
    FirstPlayerChosen,
    GameStarted,
    PortfolioDealt,
    RegionsStocked,
)
from events.peak_oil.steps import OpenTurn
from events.words import Rng
from rules.peak_oil.book import PeakOilBook, PeakOilOptions, PeakOilTable
from rules.peak_oil.crisis import LEVELS, draw_pr_card
from rules.peak_oil.develop import display_of
from rules.peak_oil.edition import SPOTS, PeakOilEdition, RiskChip
from rules.refusal import RuleViolation
from rules.table import Drawn


def check_options(chosen: PeakOilOptions, seats: int) -> None:
    """PO-012, PO-034, PO-037, PO-301: what a host may not combine. Raises `RuleViolation`."""
    extra = chosen.extra_barrels
    crude = chosen.variant == "crude"
    for holds, rule, reason, option in (
        (extra.black + extra.red + extra.yellow <= 8, "PO-012", "too_many_extra_barrels", "extra_barrels"),
        (not (crude and extra.red), "PO-301", "extra_red_with_crude", "extra_barrels.red"),
        (not (crude and chosen.challenge_start), "PO-034", "challenge_start_with_crude", "challenge_start"),
        (chosen.first_player == "random" or chosen.first_player < seats, "PO-037", "no_such_seat", "first_player"),
    ):
        if not holds:
            raise RuleViolation(rule, reason, field="/options/" + option.replace(".", "/"), option=option)


def start(table: PeakOilTable) -> None:
    """PO-013, PO-014: the draws of the set-up, in this order; then the first turn begins."""
    seats = len(table.board.seats)
    table.emit(lay_out(table.book, seats))
    first = _first_player(table, seats)
    _place_refinery_chips(table)
    _place_risk_chips(table)
    _shuffle_fields(table, seats)
    _shuffle(table, "start_ups", [card.id for card in table.book.edition.start_ups if card.least_seats <= seats])
    _reveal(table, "start_ups")
    _deal_portfolios(table, seats)
    if table.book.variant.cards:
        _offer_consultants(table, seats)
        _shuffle_pr_cards(table)
    if table.book.options_chosen.challenge_start:
        for step in range(seats):
            draw_pr_card(table, (first + step) % seats, 1)
    table.next(OpenTurn(first))


def lay_out(book: PeakOilBook, seats: int) -> GameStarted:
    """PO-002, PO-003, PO-004, PO-008, PO-009, PO-026, PO-028, PO-029, PO-030, PO-031, PO-035, PO-036: what lies where
    before the draws.

    PO-010: with 2 and 3 seats nothing else differs.
    PO-301, PO-310, PO-311: Crude has its own number of red, and a PR track whose first space 2-3 seats leave out.
    """
    edition, extra = book.edition, book.options_chosen.extra_barrels
    row = edition.row(seats).bag
    red = edition.crude_red if book.variant.track else row.red
    bag = Barrels(row.black + extra.black, red + extra.red, row.yellow + extra.yellow)
    total = edition.barrels
    box = Barrels(
        total.black + extra.black - bag.black - seats * edition.black_at_start,
        total.red + extra.red - bag.red,
        total.yellow + extra.yellow - bag.yellow,
    )
    regions = tuple(card.id for card in edition.regions if card.least_seats <= seats)
    skipped = edition.track_skips if seats <= 3 else 0
    return GameStarted(
        seats,
        spots=tuple(spot for spot in SPOTS if spot in regions or spot not in edition.routes_from),
        regions=regions,
        technologies=tuple(card.id for card in edition.technologies if card.least_seats <= seats),
        hq_agents=edition.agents_at_start,
        reserve_agents=edition.agents - edition.agents_at_start,
        hq_black=edition.black_at_start,
        security=edition.security_chips,
        bag=bag,
        box=box,
        track=tuple(range(skipped + 1, edition.track_spaces + 1)) if book.variant.track else (),
    )


def _first_player(table: PeakOilTable, seats: int) -> int:
    """PO-037, AMB-40: the seat that the host names, else a random one."""
    chosen = table.book.options_chosen.first_player
    seat, rng = table.below("first_player", seats) if chosen == "random" else (chosen, UNSET)
    table.emit(FirstPlayerChosen(seat, rng))
    return seat


def _place_refinery_chips(table: PeakOilTable) -> None:
    """PO-020: the Refinery chips lie anyhow, either side up."""
    edition = table.book.edition
    chips, rng = table.shuffle("refinery_chips", sorted(edition.refinery_chip))
    _place(table, "refinery", [refinery.id for refinery in edition.refineries], chips, rng)
    _turn(table, "refinery", [None] * len(chips))


def _place_risk_chips(table: PeakOilTable) -> None:
    """PO-011, PO-021, PO-022: one chip of the pool on each Risk spot; one with a single closed face shows the other."""
    edition = table.book.edition
    pool = sorted(chip.id for chip in edition.risk_chips if in_pool(table.book.options_chosen, chip))
    chips, rng = table.choose("risk_chips", len(edition.risk_spots), pool)
    _place(table, "risk", [spot.id for spot in edition.risk_spots], chips, rng)
    _turn(table, "risk", [open_face(edition.risk_chip[chip]) for chip in chips])


def in_pool(chosen: PeakOilOptions, chip: RiskChip) -> bool:
    """PO-011: chips with closed faces are in as the host chose."""
    allowed = {"none": 0, "single": 1, "single_and_double": 2}
    return chip.closed_faces <= allowed[chosen.closed_chips]


def open_face(chip: RiskChip) -> int | None:
    """PO-022: the face that must be up, where exactly one is closed."""
    return [face.closed for face in chip.faces].index(False) if chip.closed_faces == 1 else None


def _place(table: PeakOilTable, kind: ChipKind, places: Sequence[str], chips: Sequence[str], rng: Drawn) -> None:
    table.emit(ChipsPlaced(kind, tuple(PlacedChip(*pair) for pair in zip(places, chips, strict=True)), rng))


def _turn(table: PeakOilTable, kind: ChipKind, given: Sequence[int | None]) -> None:
    """PO-014, PO-020, PO-021: a side for each chip in the order of the places, none drawn where it is given."""
    faces, used = [], []
    for face in given:
        if face is None:
            side, rng = table.below(f"{kind}_sides", 2)
            faces.append(side)
            used.append(rng)
        else:
            faces.append(face)
    ranges = [rng for rng in used if isinstance(rng, Rng)]
    drawn = Rng(ranges[0].label, ranges[0].from_, ranges[-1].to) if ranges else UNSET
    table.emit(ChipsTurned(kind, tuple(faces), drawn))


def fields_in_play(edition: PeakOilEdition, chosen: PeakOilOptions, seats: int) -> list[str]:
    """PO-005, PO-006, PO-007: the Oil Fields of this game."""
    return [
        card.id
        for card in edition.oil_fields
        if card.least_seats <= seats and (chosen.dual_fields or len(card.technologies) == 1)
    ]


def _shuffle_fields(table: PeakOilTable, seats: int) -> None:
    """PO-023, PO-024: one card per seat stocks its Region and goes under the deck; then the display is revealed."""
    edition = table.book.edition
    _shuffle(table, "oil_fields", fields_in_play(edition, table.book.options_chosen, seats))
    shown = table.board.field_deck[:seats]
    regions = [edition.field[card].region for card in shown]
    barrels = tuple(
        RegionBarrels(region, edition.black_per_shown_field * regions.count(region))
        for region in table.board.regions
        if region in regions
    )
    table.emit(RegionsStocked(shown, barrels))
    _reveal(table, "oil_fields")


def _shuffle(table: PeakOilTable, deck: str, cards: Sequence[str]) -> None:
    order, rng = table.shuffle(deck, sorted(cards))
    table.emit(DeckShuffled(deck, len(order), order, rng))


def _reveal(table: PeakOilTable, display: Display) -> None:
    """PO-024, PO-025: the display is filled from the top of the deck."""
    deck, _ = display_of(table, display)
    table.emit(DisplayRefilled(display, deck[: table.book.edition.display]))


def _deal_portfolios(table: PeakOilTable, seats: int) -> None:
    """PO-006, PO-027: a random portfolio for each seat; the others go to the box unseen."""
    left = sorted(card.id for card in table.book.edition.portfolios if card.least_seats <= seats)
    for seat in range(seats):
        (card,), rng = table.choose("portfolios", 1, left)
        left.remove(card)
        table.emit(PortfolioDealt(seat, card, rng))


def _offer_consultants(table: PeakOilTable, seats: int) -> None:
    """PO-032: so many Consultants of each level are on offer; there will be no others."""
    edition = table.book.edition
    for level, number in zip(LEVELS, edition.row(seats).consultants, strict=True):
        pool = sorted(card.id for card in edition.consultants if card.level == level)
        cards, rng = table.choose(f"consultants_{level}", number, pool)
        table.emit(ConsultantsOffered(level, cards, rng))


def _shuffle_pr_cards(table: PeakOilTable) -> None:
    """PO-033: three face-down decks by level."""
    for level in LEVELS:
        _shuffle(table, f"pr_{level}", [card.id for card in table.book.edition.pr_cards if card.level == level])
