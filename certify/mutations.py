"""Changes one thing in an accepted statement.

A mutation has a site: a modifier that is there, one that is inserted, or an operand. Among the
sites of a statement those come first that were touched least in the whole run of an opcode, so that
every modifier and every operand position gets its share.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from certify.operand_mutations import OperandMutator
from certify.statements import Statement
from ptx_ls.isa import Instruction

FOREIGN_MODIFIERS = (
    ".f32 .u32 .s32 .u64 .s64 .b64 .s8 .f16x2 .bf16 .pred .sat .ftz .rn .rz .wide .hi "
    ".lo .cc .global .shared .v2 .v4 .sync .aligned .relaxed .gpu .and .eq .uni .approx "
    ".full .cluster .nosuch"
).split()
"""Modifiers of other instructions, a handful."""

_OWN_SHARE = 0.75
_TRIES = 20
"""Tries to change an operand: some changes fit few operands."""
_CATEGORIES = {"modifier": 0.32, "insert": 0.14, "operand": 0.46, "list": 0.08}


class Mutator:
    """Random single mutations of statements of one opcode."""

    def __init__(self, instruction: Instruction, seed: int) -> None:
        self.own = sorted(instruction.known)
        self.random = random.Random(seed)  # noqa: S311  not for secrets
        self.touched: Counter[str] = Counter()
        """How often each site was changed."""
        self._operands = OperandMutator(instruction, self.random)

    def mutations(self, statement: Statement, count: int) -> list[Statement]:
        """Up to `count` different mutations."""
        found: dict[str, Statement] = {str(statement): statement}
        for _ in range(count * 3):
            mutant = self._mutate(statement)
            if mutant is None or str(mutant) in found:
                continue
            found[str(mutant)] = mutant
            self.touched[mutant.site] += 1
            if len(found) > count:
                break
        return list(found.values())[1:]

    def untouched(self, statement: Statement) -> list[Statement]:
        """A mutation of each operand whose place nothing has changed yet."""
        found = []
        for index in range(len(statement.operands)):
            for _ in range(_TRIES):
                if self.touched[f"{statement.form} operand {index}"]:
                    break
                mutant = self._operands.change(statement, index)
                if mutant is not None and str(mutant) != str(statement):
                    self.touched[mutant.site] += 1
                    found.append(mutant)
        return found

    def _mutate(self, statement: Statement) -> Statement | None:
        category = self.random.choices(list(_CATEGORIES), list(_CATEGORIES.values()))[0]
        if category == "insert" or (category == "modifier" and not statement.modifiers):
            return self._insert(statement)
        if category == "modifier":
            return self._change_modifier(statement)
        if category == "list" or not statement.operands:
            return self._operands.change_list(statement)
        index = self._least(
            [f"{statement.form} operand {index}" for index in range(len(statement.operands))]
        )
        return self._operands.change(statement, index)

    def _least(self, sites: list[str]) -> int:
        """Index of a site that was touched least."""
        least = min(self.touched[site] for site in sites)
        return self.random.choice(
            [index for index, site in enumerate(sites) if self.touched[site] == least]
        )

    def _insert(self, statement: Statement) -> Statement:
        token = self._token("insert")
        modifiers = list(statement.modifiers)
        modifiers.insert(self.random.randint(0, len(modifiers)), token)
        return _with(statement, modifiers, "insert modifier", f"insert {token}")

    def _token(self, verb: str) -> str:
        pool = self.own if self.own and self.random.random() < _OWN_SHARE else FOREIGN_MODIFIERS
        return pool[self._least([f"{verb} {token}" for token in pool])]

    def _change_modifier(self, statement: Statement) -> Statement | None:
        sites = [f"modifier {token}" for token in statement.modifiers]
        index = self._least(sites)
        change = self.random.choice(_MODIFIER_CHANGES)
        return change(self, statement, index)

    def drop(self, statement: Statement, index: int) -> Statement:
        """Leaves a modifier out."""
        modifiers = [*statement.modifiers[:index], *statement.modifiers[index + 1 :]]
        return _with(statement, modifiers, "drop modifier", _site(statement, index))

    def replace(self, statement: Statement, index: int) -> Statement:
        """Writes another modifier instead."""
        modifiers = list(statement.modifiers)
        modifiers[index] = self._token("insert")
        return _with(statement, modifiers, "replace modifier", _site(statement, index))

    def alter(self, statement: Statement, index: int) -> Statement | None:
        """Writes one with the same beginning: `.m16n8k8` for `.m16n8k16`, `.s8` for `.s16`."""
        old = statement.modifiers[index]
        alike = [token for token in self.own if token != old and token[:2] == old[:2]]
        if not alike:
            return None
        modifiers = list(statement.modifiers)
        modifiers[index] = self.random.choice(alike)
        return _with(statement, modifiers, "replace modifier", _site(statement, index))

    def duplicate(self, statement: Statement, index: int) -> Statement:
        """Writes a modifier twice."""
        modifiers = list(statement.modifiers)
        modifiers.insert(index, modifiers[index])
        return _with(statement, modifiers, "duplicate modifier", _site(statement, index))

    def swap(self, statement: Statement, index: int) -> Statement | None:
        """Exchanges it with its neighbour."""
        modifiers = list(statement.modifiers)
        if index + 1 >= len(modifiers):
            return None
        modifiers[index], modifiers[index + 1] = modifiers[index + 1], modifiers[index]
        return _with(statement, modifiers, "swap modifiers", _site(statement, index))


_MODIFIER_CHANGES: tuple[Callable[[Mutator, Statement, int], Statement | None], ...] = (
    Mutator.drop,
    Mutator.replace,
    Mutator.alter,
    Mutator.duplicate,
    Mutator.swap,
)


def _site(statement: Statement, index: int) -> str:
    return f"modifier {statement.modifiers[index]}"


def _with(statement: Statement, modifiers: list[str], cause: str, site: str) -> Statement:
    return replace(statement, modifiers=tuple(modifiers), cause=cause, site=site)
