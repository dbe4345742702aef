"""Every example of the instruction pages is legal: for ptx-ls, and for ptxas where it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ptx_ls import isa, lint
from ptx_ls.document.document import Document
from ptx_ls.isa.version import parse_version
from ptx_ls.source.diagnostic import Severity
from ptx_ls.toolchain import ptxas

OPCODES = sorted(isa.database().opcodes)
HEADERS = [
    ("9.5", "sm_90a"),
    ("9.5", "sm_100a"),
    ("9.5", "sm_120a"),
    ("9.5", "sm_107a"),
    ("9.5", "sm_90a, texmode_independent"),
    ("6.2", "sm_60"),
    ("3.0", "sm_20"),
    ("1.4", "sm_13"),
]
"""Versions and targets under which an example may be legal, the first that fits counts."""
GLOBALS = """\
.global .align 128 .b8 array[4096];
.shared .align 128 .b8 tile[4096];
.global .texref picture;
.global .surfref surface;
"""
MODERN_GLOBALS = """\
.func (.param .b32 result) device_function (.param .b32 x) { ret; }
"""
REGISTERS = """\
.reg .pred %p<100>; .reg .b16 %rs<100>; .reg .b32 %r<100>; .reg .f32 %f<100>;
.reg .b64 %rd<100>; .reg .f64 %fd<100>;
"""
FOOTER = "LOOP: DONE: exit;\n"


def module(example: str, version: str, target: str) -> str:
    """A module with the example in a kernel; names stand for what they say by custom."""
    number = parse_version(version)
    size = ".address_size 64\n" if number >= (2, 3) else ""
    text = f".version {version}\n.target {target}\n{size}{GLOBALS}"
    text += MODERN_GLOBALS if number >= (2, 0) else ""
    text += ".global .samplerref sampler;\n" if "independent" in target else ""
    wide = ".reg .b128 %rq<10>;\n" if number >= (8, 3) else ""
    if example.startswith(".func"):
        return text + example
    text += f".entry kernel (.param .u64 kernel_param_0) {{\n{REGISTERS}{wide}"
    return f"{text}{example.strip()}\n{FOOTER}}}\n"


def check_errors(text: str) -> list[str]:
    """Errors that ptx-ls reports on a module."""
    found = lint.lint(Document.read(text))
    return [each.message for each in found if each.severity is Severity.ERROR]


def example(opcode: str) -> str:
    """The example on the page of an instruction."""
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    return instruction.prose.example


@pytest.mark.slow
@pytest.mark.parametrize("opcode", OPCODES)
def test_example_shows_the_instruction_and_is_legal(opcode: str) -> None:
    assert opcode in example(opcode)
    errors = [check_errors(module(example(opcode), *header)) for header in HEADERS]
    assert [] in errors, errors[0]


@pytest.mark.slow
@pytest.mark.ptxas
def test_ptxas_accepts_every_example(tmp_path: Path) -> None:
    program = ptxas.find()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no ptxas")
        pytest.skip(f"no ptxas: {ptxas.INSTALL_HINT}")
    rejected = dict.fromkeys(OPCODES, "")
    source = tmp_path / "example.ptx"
    for version, target in HEADERS:
        for opcode in tuple(rejected):
            source.write_text(module(example(opcode), version, target))
            messages = ptxas.run(program, source, target).messages
            errors = [each.text for each in messages if each.is_error]
            rejected[opcode] = rejected[opcode] or "".join(errors[:1])
            if not errors:
                del rejected[opcode]
    assert rejected == {}
