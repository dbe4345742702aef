"""Changes one thing in an accepted statement."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from certify.oracle import REGISTER_TYPES
from certify.statements import Registers, Statement, Written, address, integer, real, symbol, vector
from ptx_ls.isa import Operand, OperandKind


class Mutator:
    """Random single mutations of statements of one opcode."""

    def __init__(self, own: Sequence[str], foreign: Sequence[str], seed: int) -> None:
        self.own = sorted(own)
        self.foreign = sorted(foreign)
        self.random = random.Random(seed)  # noqa: S311  not for secrets
        self._registers = Registers(dict.fromkeys((*REGISTER_TYPES, "pred", "b128"), 12))

    def mutations(self, statement: Statement, count: int) -> list[Statement]:
        """Up to `count` different mutations."""
        found: dict[str, Statement] = {}
        for _ in range(count * 3):
            kind = self.random.choice(_KINDS)
            mutant = kind(self, statement)
            if mutant is not None and str(mutant) != str(statement):
                found.setdefault(str(mutant), mutant)
            if len(found) >= count:
                break
        return list(found.values())

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _modifier(self) -> str:
        pool = self.own if self._chance(0.75) else self.foreign
        return self.random.choice(pool or self.foreign)

    def drop_modifier(self, statement: Statement) -> Statement | None:
        """Leaves a modifier out."""
        if not statement.modifiers:
            return None
        index = self.random.randrange(len(statement.modifiers))
        modifiers = statement.modifiers[:index] + statement.modifiers[index + 1 :]
        return replace(statement, modifiers=modifiers, cause="drop modifier")

    def replace_modifier(self, statement: Statement) -> Statement | None:
        """Writes another modifier instead."""
        if not statement.modifiers:
            return None
        modifiers = list(statement.modifiers)
        modifiers[self.random.randrange(len(modifiers))] = self._modifier()
        return replace(statement, modifiers=tuple(modifiers), cause="replace modifier")

    def insert_modifier(self, statement: Statement) -> Statement | None:
        """Adds a modifier."""
        modifiers = list(statement.modifiers)
        modifiers.insert(self.random.randint(0, len(modifiers)), self._modifier())
        return replace(statement, modifiers=tuple(modifiers), cause="insert modifier")

    def duplicate_modifier(self, statement: Statement) -> Statement | None:
        """Writes a modifier twice."""
        if not statement.modifiers:
            return None
        modifiers = list(statement.modifiers)
        index = self.random.randrange(len(modifiers))
        modifiers.insert(index, modifiers[index])
        return replace(statement, modifiers=tuple(modifiers), cause="duplicate modifier")

    def swap_modifiers(self, statement: Statement) -> Statement | None:
        """Exchanges two neighbours."""
        if len(statement.modifiers) < 2:  # noqa: PLR2004  a pair
            return None
        modifiers = list(statement.modifiers)
        index = self.random.randrange(len(modifiers) - 1)
        modifiers[index], modifiers[index + 1] = modifiers[index + 1], modifiers[index]
        return replace(statement, modifiers=tuple(modifiers), cause="swap modifiers")

    def drop_operand(self, statement: Statement) -> Statement | None:
        """Leaves an operand out."""
        if not statement.operands:
            return None
        index = self.random.randrange(len(statement.operands))
        operands = statement.operands[:index] + statement.operands[index + 1 :]
        return replace(statement, operands=operands, cause="drop operand")

    def add_operand(self, statement: Statement) -> Statement | None:
        """Adds a register at the end."""
        operands = (*statement.operands, self._registers.take("b32"))
        return replace(statement, operands=operands, cause="add operand")

    def change_register_type(self, statement: Statement) -> Statement | None:
        """Puts a register of another type in the place of an operand or of a vector element."""
        if not statement.operands:
            return None
        index = self.random.randrange(len(statement.operands))
        name = self.random.choice((*REGISTER_TYPES, "pred"))
        new = self._registers.take(name)
        old = statement.operands[index].operand
        if old.kind is OperandKind.VECTOR and self._chance(0.7) and old.elements:
            parts = [Written(element.text, element) for element in old.elements]
            parts[self.random.randrange(len(parts))] = new
            new = vector(parts)
        elif old.kind is OperandKind.ADDRESS and len(old.elements) == 1:
            new = address([new])
        return self._with(statement, index, new, "register type")

    def change_operand_kind(self, statement: Statement) -> Statement | None:
        """Puts another kind of operand there."""
        if not statement.operands:
            return None
        index = self.random.randrange(len(statement.operands))
        take = self._registers.take
        new = self.random.choice(
            (
                integer(self.random.choice((0, 1, 3, 17, 64, 70000, 1 << 40))),
                real(self.random.choice(("1.5", "0f3F800000", "0d3FF0000000000000"))),
                Written("_", Operand(OperandKind.SINK, text="_")),
                take("b32"),
                take("b64"),
                address([take("b64")]),
                symbol("global_variable", ".global"),
                symbol("Label", "label"),
                Written("%tid.x", Operand(OperandKind.SPECIAL_REGISTER, ".u32", text="%tid.x")),
                vector([take("b32"), take("b32")]),
            )
        )
        return self._with(statement, index, new, "operand kind")

    def change_vector_size(self, statement: Statement) -> Statement | None:
        """Makes a vector one element longer or shorter."""
        vectors = [
            index
            for index, written in enumerate(statement.operands)
            if written.operand.kind is OperandKind.VECTOR
        ]
        if not vectors:
            return None
        index = self.random.choice(vectors)
        parts = [Written(part.text, part) for part in statement.operands[index].operand.elements]
        parts = parts[:-1] if self._chance(0.5) and len(parts) > 1 else [*parts, parts[-1]]
        return self._with(statement, index, vector(parts), "vector size")

    def decorate(self, statement: Statement) -> Statement | None:
        """Negates an operand."""
        if not statement.operands:
            return None
        index = self.random.randrange(len(statement.operands))
        old = statement.operands[index]
        if old.operand.negation or old.operand.kind is not OperandKind.REGISTER:
            return None
        sign = self.random.choice(("!", "-"))
        new = Written(sign + old.text, replace(old.operand, negation=sign))
        return self._with(statement, index, new, "negation")

    def change_selector(self, statement: Statement) -> Statement | None:
        """Writes another part of a register, or none."""
        if not statement.operands:
            return None
        index = self.random.randrange(len(statement.operands))
        old = statement.operands[index]
        if old.operand.kind is not OperandKind.REGISTER or old.operand.paired is not None:
            return None
        selector = self.random.choice(("", ".b0", ".b4", ".h1", ".h10", ".h23", ".b31", ".b0246"))
        text = old.text.removesuffix(old.operand.selector) + selector
        return self._with(
            statement, index, Written(text, replace(old.operand, selector=selector)), "selector"
        )

    @staticmethod
    def _with(statement: Statement, index: int, new: Written, cause: str) -> Statement:
        operands = list(statement.operands)
        operands[index] = new
        return replace(statement, operands=tuple(operands), cause=cause)


_KINDS = (
    Mutator.drop_modifier,
    Mutator.replace_modifier,
    Mutator.insert_modifier,
    Mutator.duplicate_modifier,
    Mutator.swap_modifiers,
    Mutator.drop_operand,
    Mutator.add_operand,
    Mutator.change_register_type,
    Mutator.change_register_type,
    Mutator.change_operand_kind,
    Mutator.change_operand_kind,
    Mutator.change_vector_size,
    Mutator.decorate,
    Mutator.change_selector,
)
