"""Measures how well ptx-ls agrees with ptxas, and lists what is wrong."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from benchmarks import nvcc
from benchmarks.accuracy import in_instructions, in_modules, in_text
from benchmarks.accuracy.bases import bases
from benchmarks.accuracy.change import OPERATORS
from benchmarks.accuracy.comparison import Outcome, sums
from benchmarks.accuracy.fresh import fresh_files
from benchmarks.accuracy.fresh_others import other_files
from benchmarks.accuracy.listing import as_json, by_operator, listed
from benchmarks.accuracy.mutants import Mutant, mutants
from benchmarks.accuracy.sample import write
from benchmarks.accuracy.source import Source
from benchmarks.accuracy.templates import COVERED, coverage
from benchmarks.accuracy.verdicts import Verdict, ask, errors_of, find_ptxas
from benchmarks.figures import Figure

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"
MEMORY = ROOT / "benchmarks" / ".cache" / "verdicts.jsonl"
PARTS = ("files", "fresh", "mutants", "templates")
KINDS = ("crash", "false", "missed", "line", "range", "many")
_T = TypeVar("_T")
_R = TypeVar("_R")
_REGISTERED = (in_instructions, in_modules, in_text)
_FOUND, _ON_LINE, _IN_RANGE, _ONCE = 0.98, 0.99, 0.95, 0.95


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Returns the options of a run; ends the program with a message if they are wrong."""
    parser = argparse.ArgumentParser(prog="./dev bench accuracy", description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="mutants (5000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the mutants (1)")
    parser.add_argument(
        "--operators", default="", help="operators of the mutants, separated by commas"
    )
    parser.add_argument(
        "--parts", default=",".join(PARTS), help=f"parts to run, of {','.join(PARTS)}"
    )
    parser.add_argument("--bases", nargs="*", type=Path, help="files for mutants, not the corpus")
    parser.add_argument("--json", type=Path, help="a file for all outcomes, one per line")
    parser.add_argument("--record", type=Path, help="a file for mutants that a test repeats")
    parser.add_argument("--list", default="", help=f"what to list: of {','.join(KINDS)}")
    parser.add_argument("--list-misses", action="store_true", help="lists all of them")
    parser.add_argument("--by-operator", action="store_true", help="a row for each operator")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    options = parser.parse_args(words)
    unknown = set(_split(options.operators)) - set(OPERATORS)
    if unknown:
        parser.error(
            f"no operator {', '.join(sorted(unknown))}: choose from {', '.join(OPERATORS)}"
        )
    return options


def measure(words: Sequence[str] = ()) -> Iterator[Figure]:
    """Yields the figures; prints lists before them, if requested.

    Raises `RuntimeError` if ptxas is missing.
    """
    options = arguments(words)
    parts = _split(options.parts)
    files = sorted((*CORPUS.glob("ptx/*.ptx"), *CORPUS.glob("handwritten/*.ptx")))
    if "files" in parts:
        yield _with_errors("files of the corpus", files, options.jobs)
    if "fresh" in parts:
        yield from _fresh(options.jobs)
        if others := list(other_files()):
            yield _with_errors("fresh output of other compilers", others, options.jobs)
    if "mutants" in parts:
        outcomes = judged(list(bases(options.bases or files)), options)
        _print_lists(outcomes, options)
        yield from mutant_figures(outcomes)
    if "templates" in parts:
        yield from _templates()


def _with_errors(name: str, files: Sequence[Path], n_jobs: int) -> Figure:
    wrong = [path.name for path, n in zip(files, _each(_n_errors, files, n_jobs), strict=True) if n]
    remark = f"of {len(files)}{': ' if wrong else ''}{', '.join(wrong[:5])}"
    return Figure(f"{name} with an error of ours", len(wrong), "", 0, remark)


def _n_errors(path: Path) -> int:
    return len(errors_of(path.read_bytes().decode()))


def _fresh(n_jobs: int) -> Iterator[Figure]:
    try:
        files = list(fresh_files(n_jobs))
    except nvcc.NvccError as error:
        print(f"no fresh compiler output: {error}")
        return
    yield _with_errors("fresh output of nvcc", files, n_jobs)


def judged(sources: Sequence[Source], options: argparse.Namespace) -> list[Outcome]:
    """Makes mutants of modules that ptxas accepts, and has both judge them."""
    program = find_ptxas()
    judge = partial(ask, program=program, memory=MEMORY)
    texts = [source.text for source in sources]
    verdicts = _each(judge, texts, options.jobs)
    legal = [s for s, verdict in zip(sources, verdicts, strict=True) if verdict.accepts]
    made = list(mutants(legal, options.count, options.seed, _split(options.operators)))
    return list(_each(partial(compare, judge=judge), made, options.jobs))


def compare(mutant: Mutant, judge: Callable[[str], Verdict]) -> Outcome:
    """Returns what both say about a mutant."""
    verdict = judge(mutant.text)
    try:
        errors = tuple(errors_of(mutant.text))
    except Exception as error:  # noqa: BLE001  a fault of ours must not end the run
        return Outcome(mutant, verdict, (), f"{type(error).__name__}: {error}")
    return Outcome(mutant, verdict, errors)


def mutant_figures(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Yields the figures of a run."""
    total = sums(outcomes)
    n_operators = len({it.mutant.operator for it in outcomes})
    remark = f"{n_operators} operators; {total.rejected} rejected, {total.unknown} without verdict"
    yield Figure("mutants", len(outcomes), "", remark=remark)
    yield Figure("crashes of ours", total.crashes, "", 0)
    yield Figure("accepted, with an error of ours", total.false, "", 0, f"of {total.accepted}")
    for name, share, goal, remark in (
        ("rejected, and found", total.found_share, _FOUND, f"{total.found} of {total.rejected}"),
        ("of those, on that line", total.line_share, _ON_LINE, f"{total.on_line}"),
        ("with the change in range", total.range_share, _IN_RANGE, f"of {total.local} local"),
        ("with one error", total.once_share, _ONCE, f"{total.manifold} of several mistakes apart"),
    ):
        yield Figure(name, 100 * share, "%", 100 * goal, remark, is_minimum=True)


def _templates() -> Iterator[Figure]:
    counts = coverage(CORPUS)
    n_triggerable = sum(counts.values()) - counts["untriggerable"]
    if not n_triggerable:
        print("no templates of messages are recorded in tests/corpus/templates")
        return
    n_covered = sum(counts[status] for status in COVERED)
    remark = f"{n_covered} of {n_triggerable}; {counts['untriggerable']} cannot be triggered"
    yield Figure(
        "templates covered", 100 * n_covered / n_triggerable, "%", 100, remark, is_minimum=True
    )


def _print_lists(outcomes: Sequence[Outcome], options: argparse.Namespace) -> None:
    kinds = KINDS if options.list_misses else tuple(_split(options.list))
    for row in listed(outcomes, kinds):
        print(row)
    if options.by_operator:
        for row in by_operator(outcomes):
            print(row)
    if options.record:
        print(f"{write(outcomes, options.record)} mutants recorded")
    if options.json:
        rows = (json.dumps(as_json(outcome)) + "\n" for outcome in outcomes)
        options.json.write_text("".join(rows), encoding="utf-8")


def _each(function: Callable[[_T], _R], items: Iterable[_T], n_jobs: int) -> Iterator[_R]:
    """Yields what a function returns for each item, in order, using several processes."""
    with ProcessPoolExecutor(n_jobs) as pool:
        yield from pool.map(function, items, chunksize=20)


def _split(text: str) -> list[str]:
    return [word for word in text.split(",") if word]
