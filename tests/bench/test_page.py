import msgspec

from bench.__main__ import RESULTS
from bench.figures import Figure, Run, Section, Series, Target, ratio
from bench.page import page, section_lines


def a_run(commit: str, value: float) -> Run:
    figure = Figure(name="moves", rounds=(value, value - 1, value + 2))
    target = Target(what="moves", value=value, least=100)
    return Run(
        commit=commit,
        command="make bench",
        at="today",
        machine="this one",
        sections=[Section(title="Over HTTP", figures=[figure], targets=[target])],
    )


def test_a_number_stands_beside_what_it_was_and_what_is_wanted() -> None:
    text = page(a_run("new", 90), a_run("old", 80), {})
    assert "before: commit old" in text
    assert "| moves | ≥ 100 | 80.00 | 90.00 | **no** |" in text
    assert "| moves | 90.00/s | 89.00/s | 92.00/s | 80.00/s |" in text


def test_what_is_met_says_so_and_what_was_not_measured_says_that() -> None:
    assert "| moves | ≥ 100 |  | 100 | yes |" in page(a_run("new", 100), None, {})
    run = a_run("new", 100)
    missing = msgspec.structs.replace(run.sections[0], targets=[Target(what="moves", value=None, least=100)])
    text = page(msgspec.structs.replace(run, sections=[missing]), None, {})
    assert "| moves | ≥ 100 |  | not measured |  |" in text


def test_a_bound_from_above_is_met_from_below() -> None:
    met = [Target(what="p99", value=value, most=most).met for value, most in ((60, 60), (60.1, 60), (60, None))]
    assert met == [True, False, None]


def test_ratios_are_of_the_same_round() -> None:
    one, other = Figure(name="a", rounds=(10, 100)), Figure(name="b", rounds=(5, 25))
    assert ratio("a : b", one, other).rounds == (2, 4)


def test_a_series_keeps_rounds_and_gives_quantiles_and_costs_over_all_of_them() -> None:
    series = Series("moves")
    series.add(100, 2.0, [0.001] * 99 + [0.5], {"server": 0.1})
    series.add(300, 1.0, [0.001] * 300, {"server": 0.1})
    figure = series.figure()
    assert figure.rounds == (50.0, 300.0)
    assert figure.quantiles == (0.001, 0.001, 0.001, 0.5)
    assert round(figure.cost["server"]) == 500


def test_columns_with_nothing_in_them_are_left_out() -> None:
    heads = section_lines(Section(title="Engine", figures=[Figure(name="decided", rounds=(1, 2, 3))]))[2]
    assert heads == "| what | median | min | max |"


def test_the_committed_results_can_be_compared_with() -> None:
    run = msgspec.json.decode(RESULTS.read_bytes(), type=Run)
    assert {section.title for section in run.sections} >= {"Over HTTP", "Deciding and folding, one core"}
