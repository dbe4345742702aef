"""Which instructions are executed, and which are described in words."""

import re

import pytest

from ptx_ls import isa
from ptx_ls.isa.execution.parser import parse_statements
from tests.isa.execution.variants import cases, executable_opcodes

_REASONS = {
    "asynchronous", "control flow", "matrices", "memory", "synchronization", "textures",
    "the hardware decides",
}  # fmt: skip
_FORMS_IN_WORDS = {
    "add": {"fp8"},
    "cvt": {
        "bf16-to-s2f6", "bf16-to-scale", "half-to-narrow", "half-to-ue5m3", "narrow-to-bf16x2",
        "pack-half-stochastic", "s2f6-to-bf16", "to-narrow", "to-narrow-stochastic", "to-s2f6",
        "to-scale", "to-ue5m3", "ue5m3-to-bf16", "ue5m3-to-f16", "undocumented",
    },
    "fma": {"fp8", "oob"},
    "mul": {"fp8", "mixed-half"},
    "rcp": {"f64-approximate"},
    "rsqrt": {"f64"},
    "sub": {"fp8"},
    "testp": {"all"},
}  # fmt: skip
"""Forms of which some variants are described only: the manual says too little to execute them."""


def test_every_instruction_is_executed_or_says_why_not() -> None:
    database = isa.database()
    for name in sorted(database.opcodes):
        instruction = database.instruction(name)
        assert instruction is not None
        prose = instruction.prose
        assert prose.semantics, name
        if prose.not_computable:
            assert prose.not_computable in _REASONS, name
            continue
        for line in prose.semantics.strip("\n").split("\n"):
            code = line.partition("//")[0]
            assert code.startswith("~ ") or parse_statements(code), (name, line)


@pytest.mark.slow
@pytest.mark.parametrize("opcode", executable_opcodes())
def test_every_variant_has_a_program(opcode: str) -> None:
    """Every legal variant has one but for those in words, and it writes every destination."""
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    in_words = set()
    n_programs = 0
    for case in cases(opcode):
        if case.program is not None:
            n_programs += 1
            written = {
                name
                for statement in case.program.statements
                for name in re.findall(r"'(\w+)'", repr(statement))
            }
            assert {row.name for row in case.form.operands if row.role == "write"} <= written
        elif case.is_legal:
            in_words.add(case.form.id)
    assert in_words == _FORMS_IN_WORDS.get(opcode, set())
    assert n_programs > 0
