"""Messages show both ends of long names, such as those of C++ templates."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint

_LONG = "_ZN7cutlass7Kernel2INS_4gemm6kernel20DefaultGemmUniversalINS_6half_tEEEvT_"
_SHOWN = "_ZN7cutlass7Kernel2INS_4…iversalINS_6half_tEEEvT_"
_WHOLE = "_ZN7cutlass7Kernel2INS_4gemm6kernel20DefaultGemmEEvT_"
_MODULE = """\
.version 8.0
.target sm_80
.address_size 64
.visible .global .b32 out;
.visible .entry k()
{{
{}
ret;
}}
"""


def check_message(body: str, message: str, *notes: str) -> None:
    """Lints a kernel; compares its only finding, with the notes at other places."""
    (found,) = lint(Document.read(_MODULE.format(body)))
    assert found.message == message
    assert tuple(each.message for each in found.related) == notes


@pytest.mark.parametrize(("name", "shown"), [(_LONG, _SHOWN), (_WHOLE, _WHOLE), ("v", "v")])
def test_names(name: str, shown: str) -> None:
    check_message(
        f".shared .b32 {name};\n.reg .b32 %r<2>;\nld.shared.b32 %r1, [{name}];\n"
        "st.global.b32 [out], %r1;",
        f"this instruction reads `{shown}`, but no instruction writes it",
        f"`{shown}` is declared here",
    )


def test_a_name_in_quoted_text() -> None:
    check_message(
        f".reg .b32 %r<2>;\n.reg .f32 {_LONG};\nmov.b32 {_LONG}, 0;\nadd.s32 %r1, 1, {_LONG};",
        f"`{_SHOWN}` has type `.f32`, expected an `.s32` register",
        f"`{_SHOWN}` is declared here as `.f32`",
    )
