"""Compilers' output draws no false warning, and next to nothing else, from the rules about meaning.

Each warning that is true is listed with its reason.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.checks import COMPUTATION_GROUPS
from ptx_ls.lint.rule import rules
from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.semantics.symbols.module_facts import is_generated
from ptx_ls.source import Diagnostic, Severity

CORPUS: Final = sorted((Path(__file__).parent.parent / "corpus" / "ptx").glob("*.ptx"))
RULES: Final = frozenset(name for name, rule in rules().items() if rule.group in COMPUTATION_GROUPS)
LINES_FOR_EACH: Final = 2_000
"""Number of lines that may draw one diagnostic of severity `information`."""
_UNSET_COUNTERS: Final = "the kernel counts in shared memory that nothing sets to 0"
_UNSET_TILE: Final = "the kernel loads matrices from shared memory that nothing writes"
_UNSET_DYNAMIC: Final = "the kernel reads dynamic shared memory that nothing writes"
_INTEGER_HALF: Final = "`__ushort_as_half(__half2ushort_rz(a))` uses a number as the bits of a half"
_MIXED_PAIRS: Final = "`asm` uses one register for `ex2.approx.f16x2` and `fma.rn.relu.bf16x2`"
_NO_BARRIER: Final = "nothing orders `mbarrier.init` by thread 0 before the wait of the others"
_NOT_ELECTED: Final = "the kernel shows each instruction, and elects no thread for them"
_NOT_AWAITED: Final = "the kernel shows each instruction, and waits for none of them"
_NOT_MET: Final = "the blocks of the cluster do not wait for each other at the end"
TRUE_WARNINGS: Final[dict[tuple[str, str, int], str]] = {
    **{
        (f"blackwell-sm_100a{suffix}.ptx", "repeated-tensor-operation", line): _NOT_ELECTED
        for suffix, lines in (("", (52, 60, 69, 74, 89)), ("-debug", (135, 151, 169, 176, 222)))
        for line in lines
    },
    ("blackwell-sm_100a.ptx", "early-tensor-read", 77): _NOT_AWAITED,
    ("blackwell-sm_100a.ptx", "uncommitted-tensor-operation", 89): _NOT_AWAITED,
    ("blackwell-sm_100a-debug.ptx", "early-tensor-read", 183): _NOT_AWAITED,
    ("blackwell-sm_100a-debug.ptx", "early-tensor-read", 228): _NOT_AWAITED,
    ("hopper-sm_90a.ptx", "exit-before-peers", 159): _NOT_MET,
    ("hopper-sm_90a-O0.ptx", "exit-before-peers", 874): _NOT_MET,
    ("hopper-sm_90a-lineinfo.ptx", "exit-before-peers", 187): _NOT_MET,
    ("nvcc13.0-hopper-sm_90a-lineinfo.ptx", "exit-before-peers", 186): _NOT_MET,
    ("blackwell-sm_100a.ptx", "out-of-bounds", 180): "`st.bulk` clears 256 bytes of an array of 16",
    ("half-sm_100a.ptx", "integer-as-float", 388): _INTEGER_HALF,
    ("half-sm_120a.ptx", "integer-as-float", 388): _INTEGER_HALF,
    ("half-sm_75.ptx", "integer-as-float", 452): _INTEGER_HALF,
    ("half-sm_80.ptx", "integer-as-float", 411): _INTEGER_HALF,
    ("half-sm_90a.ptx", "integer-as-float", 411): _INTEGER_HALF,
    ("hopper-sm_90a.ptx", "mbarrier-lifetime", 97): _NO_BARRIER,
    ("hopper-sm_90a-O0.ptx", "mbarrier-lifetime", 797): _NO_BARRIER,
    ("hopper-sm_90a-lineinfo.ptx", "mbarrier-lifetime", 110): _NO_BARRIER,
    ("nvcc13.0-hopper-sm_90a-lineinfo.ptx", "mbarrier-lifetime", 109): _NO_BARRIER,
    ("tensor_cores-sm_120a-O0.ptx", "mixed-float-formats", 355): _MIXED_PAIRS,
    ("tensor_cores-sm_80.ptx", "mixed-float-formats", 163): _MIXED_PAIRS,
    ("tensor_cores-sm_86-debug.ptx", "mixed-float-formats", 446): _MIXED_PAIRS,
    ("llvm-sm_35-kernels-O0.ptx", "unwritten-memory", 151): _UNSET_COUNTERS,
    ("llvm-sm_90-kernels-O1.ptx", "unwritten-memory", 139): _UNSET_COUNTERS,
    ("memory-sm_100a-debug.ptx", "unwritten-memory", 604): _UNSET_DYNAMIC,
    ("memory-sm_120a.ptx", "unwritten-memory", 75): _UNSET_DYNAMIC,
    ("memory-sm_75.ptx", "unwritten-memory", 79): _UNSET_DYNAMIC,
    ("memory-sm_80.ptx", "unwritten-memory", 79): _UNSET_DYNAMIC,
    ("memory-sm_90a.ptx", "unwritten-memory", 79): _UNSET_DYNAMIC,
    ("nvcc13.0-memory-sm_80-lineinfo.ptx", "unwritten-memory", 84): _UNSET_DYNAMIC,
    ("tensor_cores-sm_75.ptx", "unwritten-memory", 36): _UNSET_TILE,
    ("tensor_cores-sm_80.ptx", "unwritten-memory", 38): _UNSET_TILE,
}
"""Why a warning is true, by the name of the file, the rule and the line."""


def check_files(paths: list[Path]) -> None:
    """Fails if a warning is not listed, or if there is more information than allowed."""
    caches, n_lines = SharedCaches(), 0
    counts: Counter[str] = Counter()
    unexpected: list[str] = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        caches.begin(len(text))
        document = Document.read(text, caches.reader)
        assert is_generated(document), path.name
        n_lines += document.n_lines
        for one in lint(document, checkers=caches.checkers):
            if one.rule not in RULES or one.severity is Severity.HINT:
                continue
            counts[one.severity.value] += 1
            is_listed = (path.name, one.rule, one.range.start.line + 1) in TRUE_WARNINGS
            if one.severity is not Severity.INFORMATION and not is_listed:
                unexpected.append(_shown(path, one))
    assert unexpected == []
    assert counts["information"] * LINES_FOR_EACH <= n_lines, counts


def _shown(path: Path, one: Diagnostic) -> str:
    return f"{path.name}:{one.range.start.line + 1}: {one.rule}: {one.message}"


@pytest.mark.slow
def test_compilers_output() -> None:
    assert len(CORPUS) > 100
    check_files(CORPUS)


@pytest.mark.slow
def test_each_listed_warning_is_drawn() -> None:
    for name, rule, line in TRUE_WARNINGS:
        text = (CORPUS[0].parent / name).read_text(encoding="utf-8")
        found = {(one.rule, one.range.start.line + 1) for one in lint(Document.read(text))}
        assert (rule, line) in found
