"""The interface of a function is the same whether or not its body was read."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.lint import lint, task
from ptx_ls.semantics.symbols import module_names
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import interface
from ptx_ls.semantics.symbols.region_reader import read_region
from tests.document.texts import LINES
from tests.semantics.symbols.test_module_names import PIECES

MODULE = (
    ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".entry k(.param .u64 p) {\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n"
    "st.global.u32 [%rd1], 1;\nret;\n}\n"
    ".visible .func f() {\n.reg .b32 %r<2>;\nmov.u32 %r1, %tid.x;\n"
    "st.shared.u32 [%r1], 1;\nret;\n}\n"
)


def check_interfaces(text: str) -> None:
    """Fails if the interface of a function depends on whether its symbols are held."""
    expected = list(map(interface, Document.read(text).leaves()))
    document = Document.read(text)
    held = list(map(region_facts, document.leaves()))
    assert list(map(interface, document.leaves())) == expected
    assert len(held) == len(expected)


@settings(max_examples=500)
@given(
    st.lists(st.sampled_from([*PIECES, *(f"{line}\n" for line in LINES)]), max_size=25).map("".join)
)
@example(".func f() {\n}\n}\n.global .u32 a;\n{\n")
@example(".entry k() {\n{\n.extern .func g\n}\n.alias g, k;\n")
def test_any_lines(text: str) -> None:
    check_interfaces(text)


@pytest.mark.parametrize(("n_lines", "n_outer"), [(100, 0), (5, 3)])
def test_functions_of_small_documents_are_read_once(
    n_lines: int, n_outer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []

    def counted(*given: object) -> object:
        read.append(given)
        return read_region(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(task, "_MAX_LINES_AT_ONCE", n_lines)
    monkeypatch.setattr(module_names, "read_region", counted)
    document = Document.read(MODULE)
    assert lint(document) == []
    assert len(read) == n_outer
