"""Work grows as the text does, for each thing that a file may repeat.

Counted are lines of Python that run in the modules where work once grew with the square: of four
times the text, some four times as many.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

import ptx_ls
from benchmarks.growth import computations
from benchmarks.growth.run import SERIES
from benchmarks.growth.series import END, HEADER, KERNEL, numbered
from ptx_ls.document.document import Document
from ptx_ls.lint import lint

_MAX_RATIO = 5
_PACKAGE = Path(ptx_ls.__file__).parent
_COMPUTING = [
    path.with_suffix("").as_posix()
    for folder in ("flow", "values", "lint/rules", "lint/addresses", "lint/performance")
    for path in sorted((_PACKAGE / folder).rglob("*.py"))
]
"""The modules of the rules about what a function computes, and of their analyses."""
_SQUARE: Final = "guarded statements"
"""All guarded writes to a register reach each later read; the lines of a function bound them."""
_TEXTS = {series.name: series.make for series in SERIES}


def n_steps(text: str, *modules: str) -> int:
    """Reads and lints a text; returns how many lines ran of modules."""
    paths = tuple(f"/{module.lstrip('/')}.py" for module in modules)
    n_lines = 0

    def count(_frame: FrameType, event: str, _argument: object) -> Any:  # noqa: ANN401
        nonlocal n_lines
        n_lines += event == "line"
        return count

    def enter(frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401
        return count if frame.f_code.co_filename.replace("\\", "/").endswith(paths) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        lint(Document.read(text))
    finally:
        sys.settrace(before)
    return n_lines


def check_growth(series: str, n: int, *modules: str) -> None:
    """Lints n and 4n of a series; the modules must not take much more than four times as long."""
    few, many = (n_steps(_TEXTS[series](count), *modules) for count in (n, 4 * n))
    assert 0 < many < _MAX_RATIO * few, f"{few} lines of Python for {n}, {many} for {4 * n}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "series", [series.name for series in computations.SERIES if series.name != _SQUARE]
)
def test_what_a_function_computes(series: str) -> None:
    check_growth(series, 80, *_COMPUTING)


def test_statements_on_one_line() -> None:
    body = "add.u32 %r3, %r2, %r1; st.shared.u32 [%r3], %r1; setp.eq.u32 %p1, %r3, 1; "
    head = KERNEL + "\t.shared .align 4 .b8 tile[64];\n\tmov.u32 %r2, tile; mov.u32 %r1, 4; "
    few, many = (
        n_steps(HEADER + head + body * n + END, "flow/function_flow", "values/decoding")
        for n in (50, 200)
    )
    assert 0 < many < _MAX_RATIO * few, (few, many)


@pytest.mark.slow
@pytest.mark.parametrize(
    "series",
    [
        "call chain",
        "call chain with forward calls",
        "call ring",
        "functions that call two others each",
    ],
)
def test_calls_of_a_module(series: str) -> None:
    check_growth(series, 25, "semantics/calls/call_graph", "source/reachability")


@pytest.mark.parametrize("series", ["calls to one function", "call prototypes"])
def test_signatures_of_calls(series: str) -> None:
    check_growth(series, 100, "semantics/calls/signatures")


def test_targets_of_an_indirect_call() -> None:
    check_growth("targets of an indirect call", 50, "semantics/calls/signatures")


@pytest.mark.parametrize("series", ["heads without a body", "heads without a closing parenthesis"])
def test_heads(series: str) -> None:
    check_growth(series, 50, "syntax/plain/heads")


@pytest.mark.parametrize(
    "series", ["`.target` directives", "different `.version` directives", "headers"]
)
def test_headers(series: str) -> None:
    check_growth(series, 100, "semantics/directives/header")


@pytest.mark.parametrize(
    "series",
    [
        "directives before the body of a kernel",
        "directives before the body of a function",
        "pragmas before the body of a kernel",
    ],
)
def test_directives_of_a_head(series: str) -> None:
    check_growth(series, 50, "semantics/directives/function_directives", "syntax/tokens")


def test_data_outside_of_sections() -> None:
    few, many = (
        n_steps(
            ".version 8.5\n.target sm_90\n" + "{\n.b8 1\n}\n" * n, "semantics/debug_info/sections"
        )
        for n in (100, 400)
    )
    assert 0 < many < _MAX_RATIO * few


def test_names_in_directives() -> None:
    module = "semantics/symbols/references/named_in_directives"
    check_growth("aliases of undeclared functions", 100, module)


@pytest.mark.parametrize(
    "series", ["instructions at module level", "statements after a stray `*/`"]
)
def test_statements_outside_of_functions_have_no_operands(series: str) -> None:
    _, few, many = (
        n_steps(
            _TEXTS[series](n),
            "semantics/instructions/unresolved_instruction",
            "syntax/operands",
            "lint/declarations/undeclared",
        )
        for n in (10, 50, 200)  # the first one imports modules
    )
    assert few == many


@pytest.mark.parametrize("series", ["empty lines", "empty lines in a body", "comments"])
def test_lines_without_a_statement_take_no_steps(series: str) -> None:
    few, many = (
        n_steps(
            _TEXTS[series](n),
            "semantics/symbols/region_text",
            "semantics/directives/module_scope",
            "semantics/directives/header",
            "syntax/record",
        )
        for n in (300, 600)  # several chunks
    )
    assert many - few <= 300


@pytest.mark.parametrize("series", ["arrays without a size", "arrays", "initialised variables"])
def test_no_expression_is_compiled_for_a_name(series: str) -> None:
    lint(Document.read(_TEXTS[series](1)))
    few, many = (n_steps(_TEXTS[series](n), "re/_compiler") for n in (50, 200))
    assert many <= few


def test_a_long_opcode_is_compared_with_the_opcodes_only() -> None:
    lint(Document.read(_TEXTS["a long opcode"](1)))  # imports the rule
    few, many = (
        n_steps(_TEXTS["a long opcode"](n), "lint/rules/instructions/unknown_opcode")
        for n in (1_000, 4_000)
    )
    assert few == many


@pytest.mark.slow
@pytest.mark.parametrize(
    "series",
    ["functions with an undeclared name each", "undeclared functions", "undeclared labels"],
)
def test_guesses_do_not_try_each_mistake_in_python(series: str) -> None:
    n = 150
    assert n_steps(_TEXTS[series](n), "lint/rule_context") < 200 * n


@pytest.mark.slow
def test_places_of_other_functions_are_not_kept() -> None:
    peaks = []
    for n in (150, 600):
        document = Document.read(_TEXTS["functions defined twice each"](n))
        tracemalloc.start()
        try:
            lint(document)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < _MAX_RATIO * peaks[0]


@pytest.mark.slow
def test_trees_leave_no_cycles() -> None:
    gc.collect()
    gc.disable()
    try:
        for series in ("global variables", "arrays", "undeclared registers"):
            lint(Document.read(_TEXTS[series](300)))
        # An exception that was caught, a closure: few, and none for each statement.
        assert gc.collect() < 300
    finally:
        gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize("line", [".target sm_#\n", ".target option#\n", ".target sm_9# "])
def test_targets_in_a_body(line: str) -> None:
    few, many = (
        n_steps(
            f"{HEADER}{KERNEL}{numbered(line + 'add.u32 %r1, %r2, %x;' + line[-1], n)}{END}",
            "lint/engine",
            "semantics/directives/header",
            "semantics/region_check",
            "semantics/symbols/region_text",
        )
        for n in (100, 400)
    )
    assert 0 < many < _MAX_RATIO * few


def test_each_target_in_a_body_has_only_its_own_lines_looked_at() -> None:
    lines = numbered("add.u32 %r1, %r2, x#;\n", 500)
    one, several = (
        n_steps(f"{HEADER}{KERNEL}{targets}{lines}{END}", "semantics/region_check")
        for targets in (".target sm_50\n" * 6, "".join(f".target sm_{n}0\n" for n in range(5, 11)))
    )
    assert several < 1.5 * one


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        ".shared .b8 s#[1000];\n.entry k#() { .reg .b32 %r<2>; mov.u32 %r1, s#; }\n",
        ".const .b8 c#[100];\n.func f#() { ret; }\n",
    ],
)
def test_memory_of_the_module(piece: str) -> None:
    few, many = (
        n_steps(
            ".version 8.5\n.target sm_90\n"
            + "".join(piece.replace("#", str(number)) for number in range(n)),
            "lint/rules/declarations/memory_limit",
            "semantics/declarations/module_memory",
        )
        for n in (100, 400)
    )
    assert 0 < many < _MAX_RATIO * few


@pytest.mark.parametrize(
    "series",
    [
        "arrays",
        "rows in an array",
        "numbers in an array, one per line",
        "initialised variables",
        "variables in one declaration",
        "registers in one declaration",
    ],
)
def test_plain_declarations_take_no_trees(series: str) -> None:
    lint(Document.read(_TEXTS[series](1)))  # the trees of the header are kept for a while
    few, many = (n_steps(_TEXTS[series](count), "syntax/parser") for count in (25, 100))
    assert few == many


@pytest.mark.parametrize("series", ["modifiers of an instruction", "repetitions of one modifier"])
def test_modifiers_of_an_instruction(series: str) -> None:
    check_growth(
        series,
        100,
        "lint/near",
        "lint/causes/within_statement",
        "isa/checking/nearest",
        "isa/__init__",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        ".func f#() { .shared .b8 s[1]; ret; }\n",
        ".shared .b8 s#;\n.func f#() { .reg .b32 %r<2>; mov.u32 %r1, s#; ret; }\n",
    ],
)
@pytest.mark.parametrize("with_kernels", [False, True])
def test_shared_memory_of_chains_of_calls(
    piece: str, *, with_kernels: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Shows with few functions what the bound does with thousands.
    monkeypatch.setattr("ptx_ls.semantics.declarations.shared_calls._MAX_VISITS", 1000)

    def chain(n: int) -> str:
        parts = [".version 8.5\n.target sm_90\n"]
        for number in range(n):
            call = f"call f{number - 1}, (); ret;" if number else "ret;"
            parts.append(piece.replace("#", str(number)).replace("ret;", call))
            if with_kernels:
                parts.append(f".entry k{number}() {{ call f{number}, (); ret; }}\n")
        return "".join(parts) + f".entry last() {{ call f{n - 1}, (); ret; }}\n"

    few, many = (
        n_steps(
            chain(n), "semantics/declarations/shared_calls", "lint/rules/declarations/memory_limit"
        )
        for n in (100, 400)
    )
    assert 0 < many < _MAX_RATIO * few
