"""Names in lists of targets: ranges of them, and undeclared ones."""

from __future__ import annotations

import pytest

from ptx_ls import lint
from ptx_ls.document.document import Document

MODULE = (
    ".version 8.5\n.target sm_90\n.func f0() {{ ret; }}\n.func f1() {{ ret; }}\n"
    ".global .u32 v;\n.entry k(.param .u32 parameter) {{\n{}\n}}\n"
)


def check_names(body: str, *undeclared: str) -> None:
    """The names reported in a kernel's body."""
    document = Document.read(MODULE.format(body))
    found = [it for it in lint.lint(document) if it.rule.startswith("undeclared")]
    for diagnostic, name in zip(found, undeclared, strict=True):
        assert f"`{name}`" in diagnostic.message


@pytest.mark.parametrize(
    ("body", "undeclared"),
    [
        ("t: .branchtargets L0, L1; L0: L1: ret;", ()),
        ("t: .branchtargets L<2>; L0: L1: ret;", ()),
        ("t: .branchtargets L<2>, M, L<1>; L0: L1: M: ret;", ()),
        ("t: .branchtargets L<3>; L0: L1: ret;", ("L2",)),
        ("t: .branchtargets L<0b11>; L0: L1: ret;", ("L2",)),
        ("t: .branchtargets L; L0: ret;", ("L",)),
        ("t: .calltargets f<2>;", ()),
        ("t: .calltargets f<3>;", ("f2",)),
        ("t: .calltargets f0, g;", ("g",)),
        ("t: .calltargets f0, k;", ()),
        ("t: .calltargets f0, v;", ("v",)),
        ("t: .calltargets parameter;", ("parameter",)),
        ("t: .calltargets t;", ("t",)),
        ("L: t: .calltargets L;", ("L",)),
        ("f0: t: .calltargets f0;", ("f0",)),
        (".reg .b32 f0; t: .calltargets f0;", ("f0",)),
        (".reg .b64 %rd<3>; t: .calltargets %rd1, %rd2;", ("%rd1", "%rd2")),
        ("{ .reg .b32 f0; } t: .calltargets f0;", ()),
    ],
)
def test_lists_of_targets(body: str, undeclared: tuple[str, ...]) -> None:
    check_names(body, *undeclared)
