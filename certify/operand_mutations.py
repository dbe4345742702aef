"""Changes one operand of a statement, or their list."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from certify.oracle import REGISTER_TYPES
from certify.statements import (
    Registers,
    Statement,
    Written,
    address,
    integer,
    real,
    shifted,
    special,
    symbol,
    vector,
)
from ptx_ls.isa import Instruction, Operand, OperandKind
from ptx_ls.isa.notation.table import OperandRow

_INTEGERS = (0, 1, 3, 17, 64, 70000, 1 << 40, -1, -5, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32)
_REALS = ("1.5", "0f3F800000", "0d3FF0000000000000", "-2.0")
_SELECTORS = ("", ".b0", ".b4", ".h1", ".h10", ".h23", ".b31", ".b0246")
_VARIABLES = (
    ("global_variable", ".global"),
    ("shared_variable", ".shared"),
    ("const_variable", ".const"),
    ("local_variable", ".local"),
    ("kernel_parameter", ".param"),
)
_FIRST = 12
"""Number of the registers that mutations use, beyond those of most statements."""


class OperandMutator:
    """Random single changes of operands."""

    def __init__(self, instruction: Instruction, chance: random.Random) -> None:
        self.random = chance
        self._registers = Registers(dict.fromkeys((*REGISTER_TYPES, "pred", "b128"), _FIRST))
        self._edges = {
            form.id: [tuple(_edges(row)) for row in form.row.operands] for form in instruction.forms
        }

    def change(self, statement: Statement, index: int) -> Statement | None:
        """Changes operand `index`, in a way that its kind allows."""
        old = statement.operands[index]
        edges = self._edges.get(statement.form, [])
        changes: list[Callable[[Written], Written | None]] = [
            self.register_type,
            self.register_type,
            self.kind,
            self.kind,
            self.pair,
        ]
        if index < len(edges) and edges[index]:
            changes += [lambda _: integer(self.random.choice(edges[index]))] * 2
        if old.operand.kind is OperandKind.VECTOR:
            changes += [self.vector_size, self.element]
        elif old.operand.kind is OperandKind.ADDRESS:
            changes += [self.address_part, self.address_part, self.address_form, self.address_form]
        elif old.operand.kind is OperandKind.REGISTER:
            changes += [self.negation, self.selector]
        elif old.operand.kind in (OperandKind.INTEGER, OperandKind.FLOAT):
            changes += [lambda _: self.constant()]
        elif old.operand.kind is OperandKind.NAME:
            changes += [lambda _: self.name()]
        change = self.random.choice(changes)
        new = change(old)
        if new is None:
            return None
        operands = (*statement.operands[:index], new, *statement.operands[index + 1 :])
        name = getattr(change, "__name__", "").replace("_", " ")
        cause = f"operand {name}" if name.isascii() and "lambda" not in name else "operand value"
        site = f"{statement.form} operand {index}"
        return replace(statement, operands=operands, cause=cause, site=site)

    def change_list(self, statement: Statement) -> Statement | None:
        """Drops, adds, repeats or exchanges operands."""
        operands = list(statement.operands)
        position = self.random.randint(0, len(operands))
        at = min(position, len(operands) - 1)
        what = self.random.choice(("drop", "drop", "add", "repeat", "swap"))
        if what == "add" or not operands:
            new = self.random.choice((self._take("b32"), self._take("pred"), integer(1)))
            operands.insert(len(operands) if self._is_likely(0.6) else position, new)
        elif what == "drop":
            del operands[at]
        elif what == "repeat":
            operands.insert(at, operands[at])
        elif at + 1 < len(operands):
            operands[at], operands[at + 1] = operands[at + 1], operands[at]
        else:
            return None
        site = f"{statement.form} operand {max(0, at)}"
        cause = f"{what} operand"
        return replace(statement, operands=tuple(operands), cause=cause, site=site)

    # One operand

    def register_type(self, old: Written) -> Written | None:
        """A register of another type: itself, the base of an address, or all of a vector."""
        name = self._type()
        if old.operand.kind is OperandKind.VECTOR and old.operand.elements:
            return vector([self._take(name) for _ in old.operand.elements])
        if old.operand.kind is OperandKind.ADDRESS and len(old.operand.elements) == 1:
            return address([self._take(name)])
        return self._take(name)

    def kind(self, _: Written) -> Written:
        """Another kind of operand."""
        take = self._take
        return self.random.choice(
            (
                self.constant(),
                self.constant(),
                Written("_", Operand(OperandKind.SINK, text="_")),
                take("b32"),
                take("b64"),
                take("pred"),
                address([take("b64")]),
                self.name(),
                special("%tid.x"),
                vector([take("b32"), take("b32")]),
            )
        )

    def constant(self) -> Written:
        """An integer or a floating-point number."""
        if self._is_likely(0.7):
            return integer(self.random.choice(_INTEGERS))
        return real(self.random.choice(_REALS))

    def name(self) -> Written:
        """A variable of some space, or a label."""
        return symbol(*self.random.choice((*_VARIABLES, ("Label", "label"))))

    def vector_size(self, old: Written) -> Written:
        """One element more, or less."""
        parts = _parts(old)
        shorter = self._is_likely(0.5) and len(parts) > 1
        return vector(
            parts[:-1] if shorter else [*parts, parts[-1] if parts else self._take("b32")]
        )

    def element(self, old: Written) -> Written | None:
        """Another element: a register of another type, a constant, `_`, a vector."""
        parts = _parts(old)
        if not parts:
            return None
        index = self.random.randrange(len(parts))
        new = self._take(self._type()) if self._is_likely(0.6) else self.kind(parts[index])
        if new.operand.kind in (OperandKind.ADDRESS, OperandKind.VECTOR):
            return None  # no PTX at all
        return vector([*parts[:index], new, *parts[index + 1 :]])

    def negation(self, old: Written) -> Written | None:
        """A sign before it, or none."""
        if old.operand.paired is not None:
            return None
        if old.operand.negation:
            text = old.text.removeprefix(old.operand.negation)
            return Written(text, old.operand._replace(negation=""))
        sign = self.random.choice("!-")
        return Written(sign + old.text, old.operand._replace(negation=sign))

    def selector(self, old: Written) -> Written | None:
        """Another part of the register, or none."""
        if old.operand.paired is not None:
            return None
        selector = self.random.choice(_SELECTORS)
        text = old.text.removesuffix(old.operand.selector) + selector
        return Written(text, old.operand._replace(selector=selector))

    def pair(self, old: Written) -> Written | None:
        """A second destination: dropped, added, or of another type."""
        if old.operand.kind not in (OperandKind.REGISTER, OperandKind.VECTOR, OperandKind.SINK):
            return None
        own = old.operand._replace(paired=None)
        first = old.text.rpartition("|")[0] if old.operand.paired is not None else old.text
        if old.operand.paired is not None and self._is_likely(0.4):
            return Written(first, own)
        other = self._take("pred" if old.operand.paired is None else self._type())
        return Written(f"{first}|{other.text}", own._replace(paired=other.operand))

    # Addresses

    def address_part(self, old: Written) -> Written | None:
        """A part left out, added, or another in its place; the size or element of a vector."""
        parts = _parts(old)
        if not parts:
            return None
        index = self.random.randrange(len(parts))
        what = self.random.choice(("drop", "add", "change", "change"))
        if what == "add":
            return _address(old, [*parts, self._take("b32")])
        if what == "drop":
            left = [*parts[:index], *parts[index + 1 :]]
            return _address(old, left) if left else None
        part = parts[index]
        if part.operand.kind is OperandKind.VECTOR and self._is_likely(0.7):
            new = self.vector_size(part) if self._is_likely(0.5) else self.element(part)
        else:
            new = self._base()
        if new is None:
            return None
        return _address(old, [*parts[:index], new, *parts[index + 1 :]])

    def _base(self) -> Written:
        return self.random.choice(
            (
                self._take(self._type()),
                symbol(*self.random.choice(_VARIABLES)),
                symbol("Label", "label"),
                integer(self.random.choice((0, 8, 4096))),
                special("%tid.x"),
                vector([self._take("b32"), self._take("b32")]),
            )
        )

    def address_form(self, old: Written) -> Written | None:
        """No brackets, an offset, or a selector after them."""
        parts = _parts(old)
        if not parts:
            return None
        first = parts[0]
        is_base = first.operand.kind in (OperandKind.REGISTER, OperandKind.NAME)
        what = self.random.choice(("bare", "offset", "offset", "selector"))
        if what == "bare":
            return first
        if what == "selector" and first.operand.kind is not OperandKind.NAME:
            text = old.text.removesuffix(old.operand.selector)
            selector = "" if old.operand.selector else ".unified"
            return Written(text + selector, old.operand._replace(selector=selector))
        if what == "selector" or not is_base or first.operand.offset:
            return None
        moved = shifted(first, self.random.choice((4, 16, 128, -8, 1 << 20)))
        return _address(old, [moved, *parts[1:]])

    def _take(self, name: str) -> Written:
        return self._registers.take(name)

    def _type(self) -> str:
        return self.random.choice((*REGISTER_TYPES, "pred", "b128"))

    def _is_likely(self, share: float) -> bool:
        return self.random.random() < share


def _parts(old: Written) -> list[Written]:
    return [Written(part.text, part) for part in old.operand.elements]


def _address(old: Written, parts: Sequence[Written]) -> Written:
    """An address with other parts, and the selector it had."""
    made = address(parts)
    selector = old.operand.selector
    return Written(made.text + selector, made.operand._replace(selector=selector))


def _edges(row: OperandRow) -> list[int]:
    """Constants just inside and outside of what an operand takes."""
    found: set[int] = set()
    for spec in row.specs:
        if spec.kind != "imm":
            continue
        for bound in (spec.low, spec.high):
            if bound is not None:
                found |= {bound - 1, bound, bound + 1, bound - spec.multiple, bound + spec.multiple}
        if spec.multiple > 1:
            found |= {spec.multiple + 1, spec.multiple // 2, 0}
        for choice in spec.choices:
            if isinstance(choice, int):
                found |= {choice - 1, choice, choice + 1}
    return sorted(found)
