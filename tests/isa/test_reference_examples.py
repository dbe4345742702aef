"""Examples of special registers, directives and pragmas: ptxas accepts all of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.lint.session import lint
from ptx_ls.source import Severity
from ptx_ls.toolchain import ptxas

DATABASE = isa.database()
HEADER = ".version 9.5\n.target sm_100\n.address_size 64\n"
BODY = """.file 1 "a.cu"
.file 2 "a.tileir"
.func (.param .b32 y) fast_sin(.param .b32 x) { ret; }
.func (.param .b32 y) fast_cos(.param .b32 x) { ret; }
.entry kernel() .minperctamemory 16
{
.reg .pred %p<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.param .b32 result;
.param .b64 argument;
.param .b32 x;
EXAMPLE
CASE0:
CASE1:
ret;
}
"""
OLD = {".maxnctapersm": ("2.0", "sm_20"), ".tex": ("1.4", "sm_13"), "@@DWARF": ("1.4", "sm_13")}
"""Directives that newer versions do not have."""
IN_BODY = {".local", ".param", ".loc", ".loc_intermediate", ".branchtargets",
           ".calltargets", ".callprototype"}  # fmt: skip
EXAMPLES = {
    **{name: entry.example for name, entry in DATABASE.directives.items() if entry.example},
    **{name: entry.example for name, entry in DATABASE.pragmas.items()},
    **{name: entry.example for name, entry in DATABASE.special_registers.items()},
    **{name: entry.example for name, entry in DATABASE.predefined.items()},
}


def check_module(name: str) -> str:
    """The module that contains the example of that name, which the linter must accept."""
    example = EXAMPLES[name]
    version, target = OLD.get(name, ("9.5", "sm_100"))
    header = HEADER.replace("9.5", version).replace("sm_100", target)
    if name in OLD:
        header = header.replace(".address_size 64\n", "")
    if name == ".version":
        text = f"{example}\n"
    elif name == ".target":
        text = f".version 9.5\n{example}\n"
    elif name == ".address_size":
        text = f".version 9.5\n.target sm_100\n{example}\n"
    elif (
        name in IN_BODY
        or name in ("WARP_SZ", "_")
        or name in DATABASE.pragmas
        or name in DATABASE.special_registers
    ):
        text = header + BODY.replace("EXAMPLE", example)
    elif name == ".reg":
        text = f"{header}.entry kernel() {{\n{example}\nret;\n}}\n"
    else:
        text = f'{header}.file 2 "a.tileir"\n{example}\n'
    errors = [each for each in lint(Document.read(text)) if each.severity is Severity.ERROR]
    assert errors == []
    return text


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_linter_accepts(name: str) -> None:
    check_module(name)


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_ptxas_accepts(name: str, tmp_path: Path) -> None:
    program = ptxas.find()
    if program is None:
        reason = f"no ptxas: {ptxas.INSTALL_HINT}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    source = tmp_path / "example.ptx"
    text = check_module(name)
    source.write_text(text, encoding="utf-8")
    target = text.partition(".target")[2].split()[0]
    run = ptxas.run(program, source, target)
    if any("too old" in each.text or "Unsupported .version" in each.text for each in run.messages):
        pytest.skip("an older ptxas")
    option = "requires command line option"
    assert [each for each in run.messages if each.is_error and option not in each.text] == []
