"""Variables in .shared of the functions that a kernel calls: a warning where ptxas refuses.

Each module is judged twice: by the rule `memory-limit`, and, where ptxas is installed, by a whole
compile.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_ls import lint
from ptx_ls.document.document import Document
from ptx_ls.source import Severity
from tests.support.assembling import assemble

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"
X = ".shared .b8 x[30000]; st.shared.b8 [x], %r1;"
Y = ".shared .b8 y[30000]; st.shared.b8 [y], %r1;"
OF_MODULE = ".shared .b8 x[30000];\n"
MOVE_F = "mov.b64 %rd1, f;"
LIST = "t: .calltargets f; call %rd1, (), t;"
PROTOTYPE = "t: .callprototype _ (); call %rd1, (), t;"


def func(name: str, body: str, kind: str = ".func") -> str:
    """A function without parameters that declares some registers."""
    return f"{kind} {name}()\n{{ .reg .b32 %r<4>; .reg .b64 %rd<4>;\n{body}\nret; }}\n"


def kernel(body: str) -> str:
    """The kernel of a module."""
    return func("k", body, ".entry")


REFUSED = (
    func("f", X) + kernel("call f, ();\n" + Y),
    func("f", X.partition(";")[0] + ";") + kernel("call f, ();\n.shared .b8 y[30000];"),
    func("f", ".shared .b8 y[60000];") + kernel("call f, ();"),
    func("f", X) + func("g", "call f, ();\n" + X) + kernel("call g, ();"),
    func("f", X) + func("g", Y) + kernel("call f, ();\ncall g, ();"),
    func("f", "{ .shared .b8 x[30000]; }\n{ .shared .b8 x[30000]; }") + kernel("call f, ();"),
    func("f", X) + kernel(Y + "\nret;\ncall f, ();"),
    func("f", X) + kernel(f".reg .pred p; setp.eq.b32 p, %r1, %r2; @p call f, ();\n{Y}"),
    func("f", X, ".weak .func") + kernel("call f, ();\n" + Y),
    func("f", X, ".visible .func")
    + ".visible .func a();\n.alias a, f;\n"
    + kernel("call a, ();\n" + Y),
    ".func g();\n"
    + func("f", "call g, ();\n" + X)
    + func("g", "call f, ();\n" + X)
    + kernel("call g, ();"),
    func("f", X) + kernel(f"{MOVE_F} {LIST}\n{Y}"),
    func("f", X) + kernel(f"{MOVE_F} {PROTOTYPE}\n{Y}"),
    func("f", X) + func("g", MOVE_F) + kernel("call g, ();\n" + Y),
    OF_MODULE + func("f", "st.shared.b8 [x], %r1;") + kernel("call f, ();\n" + Y),
    OF_MODULE + func("f", "mov.b64 %rd1, x;") + kernel("call f, ();\n" + Y),
    OF_MODULE.replace("30", "60") + func("f", "ld.shared.b8 %r1, [x+4];") + kernel("call f, ();"),
    OF_MODULE
    + ".shared .b8 z[30000];\n"
    + func("f", "st.shared.b8 [x], %r1;")
    + func("g", "st.shared.b8 [z], %r1;")
    + kernel("call f, ();\ncall g, ();"),
    func("f", ".shared .b8 x[25000];") + kernel("call f, ();\n.shared .b8 y[24153];"),
)
COMPILED = (
    func("f", X) + kernel(Y),
    func("f", X + Y) + kernel(""),
    func("f", X + Y, ".visible .func"),
    func("f", X) + kernel("call f, ();") + func("k2", X, ".entry"),
    func("f", X) + kernel(f"ld.global.b64 %rd1, [%rd2]; {PROTOTYPE}\n{Y}"),
    OF_MODULE + func("f", "st.shared.b8 [x], %r1;") + kernel("call f, ();\nst.shared.b8 [x], %r1;"),
    OF_MODULE + func("f", ".reg .b32 x; mov.b32 x, 1;") + kernel("call f, ();\n" + Y),
    OF_MODULE + func("f", "{ .reg .b32 x; mov.b32 x, 1; }") + kernel("call f, ();\n" + Y),
    OF_MODULE + func("f", "x: bra x;") + kernel("call f, ();\n" + Y),
    OF_MODULE
    + ".func f(.param .b32 x)\n{ .reg .b32 %r<2>; ld.param.b32 %r1, [x]; ret; }\n"
    + kernel("{ .param .b32 p; st.param.b32 [p], %r1; call f, (p); }\n" + Y),
    func("f", ".shared .b8 x[25000];") + kernel("call f, ();\n.shared .b8 y[24152];"),
)


def check_limit(text: str) -> bool:
    """Whether the kernel of a module is reported for its functions, and nothing else is wrong."""
    found = lint.lint(Document.read(HEADER + text))
    limits = [each for each in found if each.rule == "memory-limit"]
    assert not [each for each in found if each.severity is Severity.ERROR]
    assert all("`k` and the functions that it calls need" in each.message for each in limits)
    return bool(limits)


@pytest.mark.parametrize("text", REFUSED)
def test_what_ptxas_refuses_is_reported(text: str) -> None:
    assert check_limit(text)


@pytest.mark.parametrize("text", COMPILED)
def test_what_ptxas_compiles_is_not(text: str) -> None:
    assert not check_limit(text)


@pytest.mark.ptxas
@pytest.mark.parametrize("text", REFUSED + COMPILED)
def test_ptxas_says_so(text: str, tmp_path: Path) -> None:
    run = assemble(HEADER + text, tmp_path, "sm_90")
    assert (run.status == 0) is (text in COMPILED), run.output
    assert (text in COMPILED) is ("uses too much shared data" not in run.output)
