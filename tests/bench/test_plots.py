from pathlib import Path
from xml.etree import ElementTree as ET

from bench.figures import Figure, Run, Section, Target
from bench.plots import GREEN, RED, Row, draw, strips

SVG = "{http://www.w3.org/2000/svg}"


def parts(picture: str, name: str) -> list[ET.Element]:
    return list(ET.fromstring(picture).iter(f"{SVG}{name}"))  # noqa: S314 - drawn here


def dots(picture: str) -> list[tuple[float, str | None]]:
    return [(float(one.attrib["cx"]), one.get("fill")) for one in parts(picture, "circle")]


def test_more_is_further_to_the_right_and_the_ring_is_where_it_was() -> None:
    picture = strips("Ratios", [Row(label="a", dots=(2.0,), before=0.5), Row(label="b & c", dots=(4.0,))])
    (ring, _), (two, _), (four, _) = dots(picture)
    assert ring < two < four
    assert {"a", "b & c", "2.00", "4.00"} <= {one.text for one in parts(picture, "text")}


def test_what_is_met_is_green_and_what_is_not_is_red(tmp_path: Path) -> None:
    targets = [
        Target(what="fast enough", value=3, least=2),
        Target(what="too slow", value=1, least=2),
        Target(what="small enough", value=1, most=2),
        Target(what="too large", value=3, most=2),
    ]
    figures = [Figure(name="moves", rounds=(1, 2), quantiles=(0.001, 0.002, 0.003, 0.004))]
    section = Section(title="Over HTTP", figures=figures, targets=targets)
    run = Run(commit="c", command="make bench", at="now", machine="this", sections=[section])
    shown = draw(run, None, tmp_path / "plots")
    assert shown == {"": ["plots/targets.svg"], "Over HTTP": ["plots/over-http-times.svg"]}
    found = dots((tmp_path / "plots" / "targets.svg").read_text())
    assert [colour for _, colour in found] == [GREEN, RED, GREEN, RED]
    places = [place for place, _ in found]
    assert places[0] > places[1]
    assert places[2] > places[3]
