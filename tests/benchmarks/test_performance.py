"""The benchmark of all figures with goals: the order of its runs, its arguments, its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks.performance import run
from benchmarks.performance.editor import Language, TimedEditor, digit, operand_end, statement_lines
from benchmarks.performance.measurement import (
    MAX_ROUNDS,
    OURS,
    Goal,
    Peer,
    Row,
    Sample,
    Samples,
    Situation,
    measured,
)
from benchmarks.performance.page import Circumstances, line, page
from benchmarks.performance.subject import Subject, checked_out, name_of
from tests.server.client import SERVE

GOAL = Goal("time", "a lint", "s", 0.4)
RATIO = Goal("time", "many lints", "s", 0.4, relative_to="ptxas")
WAIT = Goal("time", "a key, p95", "ms", 8, 0.95)
CIRCUMSTANCES = Circumstances(14.2, "2 cores", "ruff 1.0")
SMALL = ".version 8.5\n.target sm_90\n.entry k()\n{\n\t.reg .b32 %r<2>;\n\tmov.b32 %r1, 1;\n}\n"


def row(goal: Goal, **samples: Sequence[float]) -> Row:
    """A row with samples of ptx-ls (`ours`), of another version (`old`) and of peers."""
    made = {name: [Sample(it) for it in each] for name, each in samples.items()}
    return Row(goal, 1.25, {OURS if name == "ours" else name: it for name, it in made.items()})


def check_cells(made: Row, expected: str, against: str = "") -> None:
    """The page has one row, with these cells."""
    written = page([made], Circumstances(1, "", "", against))
    rows = [it for it in written.splitlines() if it.startswith(f"| {made.goal.title} |")]
    assert rows == [f"| {made.goal.title} | {expected} |"]


def test_a_figure_is_the_median_and_meets_its_goal() -> None:
    check_cells(row(GOAL, ours=[0.3, 0.1, 0.2]), "0.4 s | 0.20 s | 0.10 | 0.20 |  |  | 1.2")


def test_a_figure_that_misses_its_goal_is_bold() -> None:
    check_cells(row(GOAL, ours=[0.5]), "0.4 s | **0.50 s** | 0.50 | 0.50 |  |  | 1.2")


def test_a_figure_relative_to_a_peer_is_the_ratio_of_medians() -> None:
    made = row(RATIO, ours=[1, 3], ptxas=[8, 12])
    assert made.measured == pytest.approx(0.2)
    check_cells(made, "0.4x ptxas | 0.20x | 1.00 | 2.00 |  | ptxas 10.0 | 1.2")


def test_a_percentile_covers_its_share_of_samples() -> None:
    made = row(WAIT, ours=[*[1.0] * 94, *[9.0] * 6])
    check_cells(made, "8 ms | **9.00 ms** | 1.00 | 1.00 |  |  | 1.2")
    assert row(WAIT, ours=[*[1.0] * 96, *[9.0] * 4]).is_met


def test_the_time_of_the_server_has_a_column() -> None:
    made = Row(WAIT, 1.25, {OURS: [Sample(7, 3.5)]})
    check_cells(made, "8 ms | 7.00 ms | 7.00 | 7.00 | 3.50 ms |  | 1.2")


def test_a_note_says_what_has_the_value() -> None:
    made = Row(GOAL, 1.25, {OURS: [Sample(0.2, note="mma"), Sample(0.3, note="tex")]})
    check_cells(made, "0.4 s | 0.25 s (mma, tex) | 0.20 | 0.25 |  |  | 1.2")


def test_another_version_has_a_column_with_the_ratio() -> None:
    made = row(GOAL, ours=[0.2], old=[0.8], ruff=[0.01])
    check_cells(made, "0.4 s | 0.20 s | 0.20 | 0.20 |  | 0.80, 0.25x | ruff 0.010 | 1.2", "old")


def test_what_is_missing_is_a_row_that_misses_its_goal() -> None:
    made = Row(GOAL, 1.25, {}, {OURS: "no nvcc", "ruff": "pip install ruff"})
    assert not made.is_met
    check_cells(made, "0.4 s | **missing** |  |  |  | ruff missing | 1.2")
    assert "no nvcc" in line(made)
    alone = Row(RATIO, 1.25, {OURS: [Sample(1)]}, {"ptxas": "pip install"})
    check_cells(alone, "0.4x ptxas | **missing** | 1.00 | 1.00 |  | ptxas missing | 1.2")


def test_the_page_says_how_many_goals_are_met_and_where_it_was_measured() -> None:
    made = page([row(GOAL, ours=[0.1]), row(RATIO, ours=[1], ptxas=[1])], CIRCUMSTANCES)
    assert "1 of 2 goals are met. Measured in 14 minutes on 2 cores, with ruff 1.0.\n" in made
    assert "\n\n\n" not in made


def test_a_line_of_the_terminal_has_all_that_the_page_has() -> None:
    made = line(row(RATIO, ours=[1, 2, 3], old=[4], ptxas=[10]), "old")
    first, *others = made.split("; ")
    assert first.split() == ["many", "lints", "0.20x", "<=", "0.4x", "ptxas", "ok"]
    assert others == [
        "min 1.00, median 2.00 of 3",
        "old: 4.00, 0.50x",
        "ptxas 10.0",
        "load 1.2",
    ]


class _Recorder:
    """Notes the order of runs; those with a number in `fails` raise."""

    def __init__(self, fails: Sequence[str] = ()) -> None:
        self.order: list[str] = []
        self._fails = fails

    def run(self, name: str) -> Samples:
        self.order.append(name)
        if name in self._fails:
            raise RuntimeError(f"pip install {name}")
        return {"time": [Sample(len(self.order))]}

    def situation(self, *peers: Peer, n_rounds: int, is_warmed: bool = False) -> Situation[str]:
        return Situation("s", (GOAL,), self.run, peers, n_rounds, is_warmed)

    def peer(self, name: str, max_rounds: int = 100) -> Peer:
        return Peer(name, lambda: self.run(name), max_rounds)


SUBJECTS: Mapping[str, str] = {OURS: "new", "0123abc": "old"}


def check_order(
    recorder: _Recorder, situation: Situation[str], expected: str, max_rounds: int = MAX_ROUNDS
) -> Row:
    (found,) = measured(situation, SUBJECTS, max_rounds)
    assert " ".join(recorder.order) == expected
    return found


def test_all_run_in_turns() -> None:
    recorder = _Recorder()
    situation = recorder.situation(recorder.peer("ptxas"), n_rounds=2)
    found = check_order(recorder, situation, "new old ptxas new old ptxas")
    assert found.samples[OURS] == [Sample(1), Sample(4)]
    assert found.samples["0123abc"] == [Sample(2), Sample(5)]


def test_a_round_that_fills_caches_does_not_count() -> None:
    recorder = _Recorder()
    found = check_order(recorder, recorder.situation(n_rounds=1, is_warmed=True), "new old new old")
    assert found.samples == {OURS: [Sample(3)], "0123abc": [Sample(4)]}


def test_there_are_at_most_as_many_rounds_as_are_wanted() -> None:
    recorder = _Recorder()
    situation = recorder.situation(n_rounds=5, is_warmed=True)
    assert len(check_order(recorder, situation, "new old new old", 1).samples[OURS]) == 1


def test_a_slow_peer_runs_less_often() -> None:
    recorder = _Recorder()
    situation = recorder.situation(recorder.peer("clangd", 1), n_rounds=2)
    assert len(check_order(recorder, situation, "new old clangd new old").samples["clangd"]) == 1


def test_what_is_missing_is_tried_once_and_reported() -> None:
    recorder = _Recorder(["ruff"])
    found = check_order(
        recorder, recorder.situation(recorder.peer("ruff"), n_rounds=2), "new old ruff new old"
    )
    assert found.missing == {"ruff": "pip install ruff"}
    assert set(found.samples) == set(SUBJECTS)


def check_options(arguments: str, **expected: object) -> None:
    default: dict[str, object] = {
        "names": [],
        "against": None,
        "rounds": MAX_ROUNDS,
        "write": False,
    }
    assert vars(run.options(arguments.split(), ["tiny", "start"])) == default | expected


def test_arguments() -> None:
    check_options("")
    check_options("tiny start --rounds 2", names=["tiny", "start"], rounds=2)
    check_options("--against HEAD~3 --write", against="HEAD~3", write=True)


@pytest.mark.parametrize(
    "arguments", ["huge", "tiny --write", "--write --rounds 1", "--rounds 0", "--against"]
)
def test_wrong_arguments_are_refused(arguments: str) -> None:
    with pytest.raises(SystemExit):
        check_options(arguments)


def test_situations_and_titles_have_names_of_their_own(tmp_path: Path) -> None:
    known = run.situations(tmp_path)
    names, titles = [it.name for it in known], [goal.title for it in known for goal in it.goals]
    assert len(set(names)) == len(names)
    assert len(set(titles)) == len(titles)
    for situation in known:
        peers = {peer.name for peer in situation.peers} | {""}
        assert {goal.relative_to for goal in situation.goals} <= peers


def test_the_page_has_each_figure_of_the_benchmark(tmp_path: Path) -> None:
    goals = [goal for it in run.situations(tmp_path) for goal in it.goals]
    made = [row(it, **{name: [1.0] for name in ("ours", it.relative_to) if name}) for it in goals]
    table = page(made, CIRCUMSTANCES).partition("| what |")[2].partition("\n\n")[0]
    titles = [it.split(" | ")[0].removeprefix("| ") for it in table.splitlines()[2:]]
    assert titles == [goal.title for goal in goals]


def test_a_version_is_imported_from_its_folder_alone() -> None:
    environment = Subject(Path("/somewhere/theirs")).environment
    assert environment["PYTHONPATH"] == str(Path("/somewhere/theirs"))
    assert "PYTHONDONTWRITEBYTECODE" not in environment
    assert environment["PYTHONSAFEPATH"] == "1"


@pytest.mark.parametrize(
    ("line", "operand"),
    [
        ("\tld.u32 \t%r1, [%rd2];", "\tld.u32 \t%r1, [%rd2"),
        ("    a = (a + b * 2) ^ (b >> 3)", "    a = (a + b * 2) ^ (b >> 3"),
        ("\tret;", "\tret"),
    ],
)
def test_a_digit_is_typed_at_the_end_of_an_operand(line: str, operand: str) -> None:
    assert statement_lines(["{", line, "}"]) == [1]
    assert line[: operand_end(line)] == operand


@pytest.mark.slow
def test_a_commit_is_checked_out_by_any_name(tmp_path: Path) -> None:
    tree = checked_out("HEAD", tmp_path / "then")
    assert (tree / "pyproject.toml").exists()
    assert [it.name for it in tmp_path.iterdir()] == ["then"]
    assert len(name_of("HEAD")) >= len("0123abc")
    with pytest.raises(RuntimeError, match="nothing-like-this"):
        name_of("nothing-like-this")


@pytest.mark.slow
def test_an_editor_measures_until_all_answers_are_there() -> None:
    with TimedEditor(Language(SERVE, None, "ptx", "ptx")) as editor:
        editor.opens(SMALL)
        editor.waits_for_diagnostics()
        lines = SMALL.splitlines()
        (number,) = statement_lines(lines)
        typed, deleted = digit(number, operand_end(lines[number]))
        for change in (typed, deleted):
            assert editor.edited(change).value > 0
        at = {"position": {"line": number, "character": 1}}
        both = editor.measured(lambda: editor.asks_all([("hover", at), ("documentHighlight", at)]))
        assert both.value > 0
        assert editor.asks("hover", **at) is not None
        assert editor.unread == []


@pytest.mark.slow
def test_an_editor_reports_a_server_that_ends() -> None:
    with pytest.raises(RuntimeError, match="ended"):
        TimedEditor(Language(("true",), None, "ptx", "ptx"))
