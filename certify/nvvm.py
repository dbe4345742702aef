"""Proves the table of intrinsics with NVIDIA's own compiler: call one, compile, look at the PTX.

`python -m certify.nvvm [--opcode NAME]` needs libnvvm (the `nvidia-nvvm` wheel). An intrinsic is
proven when the instruction that the compiler emits for it leads back to it through the table.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from certify.nvvm_compiler import Compiler, find
from certify.nvvm_modules import Signatures
from ptx_ls.isa import Context, Operand, OperandKind, check, database, split_modifiers
from ptx_ls.isa.checking.match import place, takes
from ptx_ls.isa.intrinsics import intrinsics_of
from ptx_ls.isa.nvvm import Intrinsic, IntrinsicPattern

ARCHITECTURES = ("compute_100a", "compute_120a")
"""Those whose NVVM IR is a current LLVM dialect, with opaque pointers."""
_LABEL = re.compile(r"^\S+: ")
_REGISTERS = {"%p": ".pred", "%rs": ".b16", "%r": ".b32", "%rd": ".b64", "%rq": ".b128"}
"""Types of the compiler's registers."""


def emitted(ptx: str) -> Iterator[tuple[str, tuple[str, ...], tuple[Operand, ...]]]:
    """Opcode, modifiers and operands of each instruction of a module with one function."""
    _, _, body = ptx.partition("\n{")
    lines = (line.partition("//")[0] for line in (body or ptx).splitlines())
    for statement in " ".join(lines).split(";"):
        text = _LABEL.sub("", " ".join(statement.strip(" \t{}").split()))
        text = text.partition(" ")[2] if text.startswith("@") else text
        head, _, operands = text.partition(" ")
        opcode, modifiers = split_modifiers(head)
        if opcode.isidentifier():
            yield opcode, modifiers, tuple(map(_operand, _top_level(operands)))


def _top_level(operands: str) -> list[str]:
    """The operands: what commas outside of brackets divide."""
    depth, parts = 0, [""]
    for character in operands:
        depth += (character in "[{(") - (character in "]})")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _operand(text: str) -> Operand:
    """An operand, as far as the compiler's spelling shows it."""
    kinds = {"[": OperandKind.ADDRESS, "{": OperandKind.VECTOR}
    if text[0] in kinds:
        elements = tuple(map(_operand, _top_level(text[1:-1])))
        return Operand(kinds[text[0]], elements=elements, text=text)
    if text.isdigit():
        return Operand(OperandKind.INTEGER, value=int(text), text=text)
    type_ = _REGISTERS.get(text.rstrip("0123456789"))
    kind = OperandKind.REGISTER if type_ else OperandKind.UNKNOWN
    return Operand(kind, type_ or "", text=text)


def leads_back(ptx: str) -> set[tuple[str, str, Intrinsic]]:
    """Opcode, canonical modifiers and intrinsic for all that the table says of a PTX module."""
    found = set()
    for opcode, modifiers, operands in emitted(ptx):
        if opcode not in database().nvvm.opcodes:
            continue
        instruction = database().instruction(opcode)
        if instruction is None:
            continue
        verdict = check(instruction, modifiers, operands, Context())
        if verdict.form is None:
            continue
        slots = verdict.form.row.slots[: verdict.form.row.n_modifier_slots]
        text = "".join(verdict.slots.get(slot.name, "") for slot in slots)
        found |= {(opcode, text, target) for target in intrinsics_of(instruction, verdict)}
    return found


@dataclass
class Report:
    """The results of the compiler for the table: counts of (instruction, intrinsic) pairs."""

    proven: set[tuple[str, str]] = field(default_factory=set)
    """The instruction is what the compiler emits."""
    other_spelling: dict[tuple[str, str], str] = field(default_factory=dict)
    """The compiler writes it in another way: `bar.sync` for `bar.cta.sync`."""
    contradicted: dict[tuple[str, str], str] = field(default_factory=dict)
    """The compiler emits something else: the table is wrong."""
    unknown: set[tuple[str, str]] = field(default_factory=set)
    """The compiler does not know the intrinsic, or no type is known."""

    def counts(self) -> str:
        """One line."""
        return (
            f"proven {len(self.proven)}, other spelling {len(self.other_spelling)}, "
            f"unknown {len(self.unknown)}, CONTRADICTED {len(self.contradicted)}"
        )


class Prover:
    """Asks the compiler about the entries of opcodes."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self._signatures = Signatures()
        self._emitted: dict[str, tuple[set[str], set[str]]] = {}

    def _yield_of(
        self, pattern: IntrinsicPattern, number: int, choice: Mapping[str, str]
    ) -> tuple[set[str], set[str]]:
        """Instructions that lead back to an intrinsic, and everything that was emitted for it."""
        name = pattern.fill(choice)[number].name
        if name not in self._emitted:
            good: set[str] = set()
            every: set[str] = set()
            for module in self._signatures.modules(pattern, number, choice):
                ptx = self._compile(module)
                if ptx is not None:
                    every |= {opcode + "".join(modifiers) for opcode, modifiers, _ in emitted(ptx)}
                    good |= {o + text for o, text, target in leads_back(ptx) if target.name == name}
            self._emitted[name] = good, every
        return self._emitted[name]

    def _compile(self, module: str) -> str | None:
        for architecture in ARCHITECTURES:
            ptx = self._compiler.compile(module, architecture)
            if ptx is not None:
                return ptx
        return None

    def prove(self, opcode: str, report: Report) -> None:
        """Adds what is found about an opcode to the report."""
        for pattern in database().nvvm.patterns(opcode):
            for choice in pattern.choices():
                written = opcode + pattern.spell(choice)
                if not is_spelling(opcode, pattern.spell(choice)):
                    continue
                for number, target in enumerate(pattern.fill(choice)):
                    pair = written, target.name
                    good, every = self._yield_of(pattern, number, choice)
                    if written in good:
                        report.proven.add(pair)
                    elif good:
                        report.other_spelling[pair] = min(good)
                    elif every:
                        report.contradicted[pair] = " ".join(sorted(every))
                    else:
                        report.unknown.add(pair)

    def prove_registers(self, report: Report) -> None:
        """Adds what is found about special registers: the compiler's code reads them by name."""
        for pattern in database().nvvm.register_patterns:
            for choice in pattern.choices():
                pair = pattern.spell(choice), pattern.fill(choice)[0].name
                modules = self._signatures.modules(pattern, 0, choice)
                answers = [ptx for ptx in map(self._compile, modules) if ptx is not None]
                read = {op.text for ptx in answers for *_, ops in emitted(ptx) for op in ops}
                if pair[0] in read:
                    report.proven.add(pair)
                elif answers:
                    report.contradicted[pair] = " ".join(sorted(read))
                else:
                    report.unknown.add(pair)


def is_spelling(opcode: str, text: str) -> bool:
    """True when the modifiers, in this order, fit a form of the opcode."""
    instruction = database().instruction(opcode)
    modifiers = split_modifiers(opcode + text)[1]
    rows = (form.row for form in instruction.forms) if instruction else ()
    return any(
        takes(row, frozenset(modifiers)) and place(row, modifiers, frozenset()).is_complete
        for row in rows
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what is proven; 1 when something is contradicted, 2 without the compiler."""
    parser = argparse.ArgumentParser(prog="certify.nvvm", description=__doc__)
    parser.add_argument("--opcode", action="append", help="only this opcode")
    parser.add_argument("--list", action="store_true", help="list the entries that are not proven")
    options = parser.parse_args(arguments)
    path = find()
    if path is None:
        print("libnvvm is not installed: python -m pip install nvidia-nvvm", file=sys.stderr)
        return 2
    total = Report()
    with Compiler(path) as compiler:
        prover = Prover(compiler)
        for opcode in options.opcode or sorted(database().nvvm.opcodes):
            prover.prove(opcode, total)
        if not options.opcode:
            prover.prove_registers(total)
    for pair, found in sorted(total.contradicted.items()):
        print("CONTRADICTED", *pair, "->", found)
    if options.list:
        for pair, found in sorted(total.other_spelling.items()):
            print("other spelling", *pair, "->", found)
        for pair in sorted(total.unknown):
            print("unknown", *pair)
    print(total.counts())
    return int(bool(total.contradicted))


if __name__ == "__main__":
    sys.exit(main())
