"""A check that is skipped for a function would find nothing in it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from benchmarks.accuracy.bases import bases
from benchmarks.accuracy.sample import read
from ptx_ls.document.braces import braces
from ptx_ls.document.document import Document
from ptx_ls.lint import lint, shared_checks
from ptx_ls.lint.check_input import CheckInput, RegisteredCheck
from ptx_ls.lint.checks import checks_on
from ptx_ls.semantics.calls.check import CallCheck
from ptx_ls.semantics.calls.removed_functions import check_removed_functions
from ptx_ls.semantics.calls.whole_program import check_program
from ptx_ls.semantics.debug_info.locations import check_file_stamps, check_locations
from ptx_ls.semantics.debug_info.section_gates import check_section_gates
from ptx_ls.semantics.debug_info.sections import check_sections
from ptx_ls.semantics.declarations.aliases import check_aliases
from ptx_ls.semantics.declarations.array_index import ArrayIndexCheck
from ptx_ls.semantics.declarations.attributes import check_attributes
from ptx_ls.semantics.declarations.constant_banks import check_banks
from ptx_ls.semantics.declarations.initial_values import InitialValueCheck
from ptx_ls.semantics.declarations.redeclaration import check_redeclarations, check_repeated_names
from ptx_ls.semantics.declarations.samplers import check_samplers
from ptx_ls.semantics.directives.braces import check_braces
from ptx_ls.semantics.directives.directive_values import check_directive_values
from ptx_ls.semantics.directives.function_directives import check_function_directives
from ptx_ls.semantics.directives.header import check_header
from ptx_ls.semantics.directives.metadata import check_metadata
from ptx_ls.semantics.directives.pragmas import check_pragmas
from ptx_ls.semantics.directives.syntax_problems import check_syntax
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.semantics.symbols.references.named_in_directives import check_names

CORPUS = Path(__file__).parent.parent / "corpus"
SAMPLE = 5
"""One of this many mutants is checked."""

ALWAYS: dict[str, Callable[[CheckInput], Iterable[Mismatch]]] = {
    "_syntax": lambda seen: check_syntax(seen.text, seen.facts, seen.module, seen.number),
    "_braces": lambda seen: check_braces(
        seen.text, braces(seen.function).problems, ends_file=seen.is_last
    ),
    "_repeated_names": lambda seen: check_repeated_names(seen.facts, seen.module, seen.number),
    "_redeclarations": lambda seen: check_redeclarations(seen.facts, seen.module, seen.number),
    "_sections": lambda seen: check_sections(seen.text, seen.facts, seen.module, seen.number),
    "_section_gates": lambda seen: check_section_gates(seen.text, seen.facts, seen.module.context),
    "_locations": lambda seen: check_locations(seen.text, seen.module, seen.number),
    "_file_stamps": lambda seen: check_file_stamps(seen.facts, seen.module.context),
    "_header": lambda seen: check_header(
        seen.text, seen.facts, seen.module, seen.number, is_last=seen.is_last
    ),
    "_function_directives": lambda seen: check_function_directives(
        seen.text, seen.facts, seen.module.context
    ),
    "_directive_values": lambda seen: check_directive_values(seen.text, seen.facts),
    "_metadata": lambda seen: check_metadata(seen.facts, seen.module, seen.number),
    "_pragmas": lambda seen: check_pragmas(seen.facts, seen.module.context),
    "_attributes": lambda seen: check_attributes(seen.text, seen.facts),
    "_aliases": lambda seen: check_aliases(seen.facts, seen.module, seen.number),
    "_names_in_directives": lambda seen: check_names(seen.facts, seen.module, seen.number),
    "_initial_values": lambda seen: InitialValueCheck(
        seen.text, seen.facts, seen.module, seen.number
    ).check(),
    "_array_elements": lambda seen: ArrayIndexCheck(
        seen.text, seen.facts, seen.module, seen.number, seen.checker.special
    ).check(),
    "_constant_banks": lambda seen: check_banks(seen.text, seen.facts, seen.module.context),
    "_calls": lambda seen: CallCheck(seen.text, seen.facts, seen.module, seen.number).check(),
    "_removed_functions": lambda seen: check_removed_functions(seen.text, seen.facts, seen.module),
    "_samplers": lambda seen: check_samplers(seen.text, seen.facts, seen.module),
    "_program": lambda seen: check_program(seen.text, seen.facts, seen.module, seen.number),
}
"""The checks that are skipped for some functions, as they would run for any function."""


def check_skipped(texts: Iterable[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails if a check finds something in a function for which it is skipped."""
    seen: list[CheckInput] = []

    def note(function: CheckInput) -> Iterable[Mismatch]:
        seen.append(function)
        return ()

    noting = (*shared_checks.SHARED_CHECKS, RegisteredCheck(note, ()))
    monkeypatch.setattr("ptx_ls.lint.checks.SHARED_CHECKS", noting)
    checks_on.cache_clear()
    try:
        for text in texts:
            lint(Document.read(text))
    finally:
        checks_on.cache_clear()
    assert seen
    for function in seen:
        for name, always in ALWAYS.items():
            if next(iter(getattr(shared_checks, name)(function)), None) is None:
                assert next(iter(always(function)), None) is None, (name, function.text.lines)


def mutants() -> Iterator[str]:
    """Modules with a mistake."""
    paths = [path for path in CORPUS.glob("*/*.ptx") if path.parent.name != "rejected"]
    sources = {it.name: it.text for it in bases(sorted(paths))}
    for it in list(read(CORPUS / "mutants.tsv"))[::SAMPLE]:
        text = sources[it.base]
        yield text[: it.offset] + it.after + text[it.offset + len(it.before) :]


def test_each_check_that_may_be_skipped_is_listed() -> None:
    names = {check.run.__name__ for check in shared_checks.SHARED_CHECKS}
    unconditional = {"_outside", "_availability", "_declarations", "_signatures"}
    unconditional |= {"_unsized_parameters", "_parameter_access", "_declared_names"}
    assert names == unconditional | ALWAYS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["handwritten", "rejected", "warned"])
def test_corpus(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted(CORPUS.glob(f"{folder}/*.ptx"))
    check_skipped((path.read_bytes().decode() for path in paths), monkeypatch)


@pytest.mark.slow
def test_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    check_skipped(mutants(), monkeypatch)


@pytest.mark.slow
def test_correct_code_needs_no_parser_and_no_rare_check(tmp_path: Path) -> None:
    path = tmp_path / "plain.ptx"
    path.write_text(
        ".version 8.5\n.target sm_90\n.address_size 64\n\n"
        ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n"
        "\t.reg .b32 \t%r<3>;\n\t.reg .b64 \t%rd<2>;\n\n"
        "\tld.param.u64 \t%rd1, [k_param_0];\n\tmov.u32 \t%r1, %tid.x;\n"
        "\tadd.s32 \t%r2, %r1, -1;\n\tst.global.v2.u32 \t[%rd1+8], {%r1, %r2};\n\tret;\n}\n"
    )
    code = (
        "import sys; from ptx_ls.cli.main import main; status = main(sys.argv[1:]);"
        "print(status, *sorted(sys.modules))"
    )
    command = [sys.executable, "-c", code, "lint", str(path)]
    status, *loaded = subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.split()
    assert status == "0"
    unwanted = ("parso", "ptx_ls.lint.wording", "ptx_ls.lint.fixes", "shutil", "inspect")
    assert not [name for name in loaded if name.startswith(unwanted)]
    analyses = ("ptx_ls.threads", "ptx_ls.protocols")
    assert not [name for name in loaded if name.startswith(analyses)]
    rare = ("debug_info", "calls.check", "declarations.initial_values", "directives.pragmas")
    seldom = tuple(f"ptx_ls.semantics.{name}" for name in rare)
    assert not [name for name in loaded if name.startswith(seldom)]
