"""A picture of the board in plain text, for whoever replays a game at a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from projections.peak_oil.view import BoardView, HqView, RiskView


def picture(view: BoardView) -> str:
    """The whole table as the viewer sees it, a few lines for each part."""
    return "\n".join([_heading(view), *_spots(view), *_technologies(view), *_chips(view), *_cards(view), *_seats(view)])


def _heading(view: BoardView) -> str:
    bag, marker = view.bag, "" if view.marker is None else f"   Peak Oil: seat {view.marker}"
    turn = f"turn {view.turn}" + ("" if view.active is None else f", seat {view.active}")
    return f"{view.phase} ({turn})   bag {_dots(bag.black)} {bag.black}b {bag.red}r {bag.yellow}y{marker}"


def _dots(number: int) -> str:
    return "●" * number


def _spots(view: BoardView) -> list[str]:
    lines = []
    for spot, agents in view.spots.items():
        standing = " ".join(f"{seat}:{'i' * number}" for seat, number in enumerate(agents) if number)
        barrels = _dots(view.regions[spot]) if spot in view.regions else ""
        checked = "   <- checked" if view.checking == spot else ""
        lines.append(f"  {spot}  {barrels:8}  {standing}{checked}".rstrip())
    return lines


def _technologies(view: BoardView) -> list[str]:
    return [
        "  market      " + "  ".join(f"{name} {'●' if view.market[name] else '○'}" for name in view.market),
        "  technology  " + "  ".join(f"{name} {number}" for name, number in view.technologies.items()),
    ]


def _chips(view: BoardView) -> list[str]:
    risks = "  ".join(f"{risk.place} {_face(risk)}" for risk in view.risks)
    demand = "  ".join(f"{one.place} {one.demand}({one.back_demand})" for one in view.refineries)
    track = "".join(f"[{'.' if one.seat is None else one.seat}]" for one in view.track)
    return [f"  risks       {risks}", f"  demand      {demand}" + (f"   track {track}" if track else "")]


def _face(risk: RiskView) -> str:
    if risk.closed:
        return "X"
    return ("?" * risk.question_marks + "!" * risk.skulls) or "-"


def _cards(view: BoardView) -> list[str]:
    return [
        f"  oil fields  {_listed(view.oil_fields.cards)} (+{view.oil_fields.deck})",
        f"  start-ups   {_listed(view.start_ups.cards)} (+{view.start_ups.deck})",
        *([f"  consultants {_listed(view.consultants)}"] if view.consultants else []),
    ]


def _seats(view: BoardView) -> list[str]:
    return [_seat(hq) for hq in view.seats]


def _seat(hq: HqView) -> str:
    parts = [
        f"seat {hq.seat}: {_dots(hq.black)} {hq.black}b",
        f"{'i' * hq.agents}{'-' * hq.reserve}",
        f"security {hq.security}" if hq.security else "",
        _listed(hq.oil_fields),
        _listed(hq.consultants),
        _listed(f"{card}!" for card in hq.pr_face_up),
        f"{hq.pr_face_down or 'PR' + str(hq.pr_face_down_level)} face down" if hq.pr_face_down_level else "",
        _start_ups(hq),
    ]
    return "  " + "  ".join(part for part in parts if part)


def _start_ups(hq: HqView) -> str:
    bought = f"{hq.start_up_count} start-ups" if hq.start_ups is None else _listed(hq.start_ups)
    return " ".join(part for part in (bought if hq.start_up_count else "", hq.portfolio or "") if part)


def _listed(cards: Iterable[str]) -> str:
    return " ".join(cards)
