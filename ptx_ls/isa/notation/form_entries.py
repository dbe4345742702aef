"""Compiles the entries of a form: rules, gates, facts and operands."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ptx_ls.isa.notation.expression_parser import ExpressionNames, parse_expression
from ptx_ls.isa.notation.notation import (
    Notation,
    OperandNotation,
)
from ptx_ls.isa.notation.operand_spec_parser import parse_operand_spec
from ptx_ls.isa.notation.table import (
    AvailabilityGate,
    ConditionalWord,
    FormRule,
    ModifierSlot,
    Node,
    OperandRow,
)
from ptx_ls.isa.version import parse_requirement

_GATE = re.compile(
    r"(?:(?P<condition>.*\S)\s*:\s+)?(?P<requirements>(?:ptx|sm_|on)\s*.*)$", re.DOTALL
)


@dataclass(frozen=True)
class SharedDefinitions:
    """The definitions that instruction files may refer to: `data/shared.toml` and the types."""

    sets: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Sequence[str]] = field(default_factory=dict)
    types: Collection[str] = ()
    ordered: Sequence[Collection[str]] = ()
    """Modifiers that ptxas accepts in only one order if a form has several of them."""


class Entries:
    """Compiles the rules, gates and operands of one form."""

    def __init__(self, names: ExpressionNames, shared: SharedDefinitions) -> None:
        self.names = names
        self.shared = shared

    def rules(self, texts: Sequence[str]) -> list[FormRule]:
        """Returns the rules in the given texts, in which `use` refers to shared rules."""
        return [self._rule(text) for raw in texts for text in self._macro(raw)]

    def _macro(self, text: str) -> list[str]:
        """Expands `use name(.a, .b)` to shared rules of that name, and replaces `$1` and `$2`."""
        match = re.fullmatch(r"use ([\w-]+)\((.*)\)", text)
        if match is None:
            return [text]
        if match[1] not in self.shared.rules:
            raise ValueError(f"unknown shared rules {match[1]!r}")
        arguments = [argument.strip() for argument in match[2].split(",")]
        expanded = list(self.shared.rules[match[1]])
        for number, argument in enumerate(arguments, 1):
            expanded = [rule.replace(f"${number}", argument) for rule in expanded]
        return expanded

    def _rule(self, text: str) -> FormRule:
        body, note = _split_note(text)
        lenient = body.startswith("~")
        body = body.lstrip("~ ")
        tree, needs_operands = parse_expression(body, self.names, self.shared.types)
        return FormRule(tree, body, note, lenient, needs_operands)

    def gates(self, texts: Sequence[str]) -> tuple[AvailabilityGate, ...]:
        """Returns the gates in the given texts."""
        return tuple(self._gate(text) for text in texts)

    def _gate(self, text: str) -> AvailabilityGate:
        body, note = _split_note(text)
        lenient = body.startswith("~")
        match = _GATE.match(body.lstrip("~ "))
        if match is None:
            raise ValueError(f"cannot read the gate {text!r}")
        condition: Node | None = None
        needs_operands = False
        if match["condition"]:
            condition, needs_operands = parse_expression(
                match["condition"], self.names, self.shared.types
            )
        requirements = tuple(parse_requirement(part) for part in match["requirements"].split("|"))
        return AvailabilityGate(condition, requirements, lenient, needs_operands, note)

    def facts(self, texts: Sequence[str], words: Collection[str]) -> tuple[ConditionalWord, ...]:
        """Returns the facts in the given texts, each of which ends with one of `words`."""
        return tuple(self._fact(text, words) for text in texts)

    def _fact(self, text: str, words: Collection[str]) -> ConditionalWord:
        body, _, word = text.rpartition(": ")
        if word not in words:
            raise ValueError(f"{word!r} is none of: {', '.join(words)}")
        if not body:
            return ConditionalWord(None, word)
        condition, needs_operands = parse_expression(body, self.names, self.shared.types)
        if needs_operands:
            raise ValueError(f"{text!r} may only refer to modifiers")
        return ConditionalWord(condition, word)

    def operands(
        self, notation: Notation, ops: Mapping[str, str], slots: Sequence[ModifierSlot]
    ) -> tuple[OperandRow, ...]:
        """Returns the operands of a notation, with the specification that `ops` has for each."""
        return tuple(self._operand(operand, ops, slots) for operand in notation.operands)

    def _operand(
        self, operand: OperandNotation, ops: Mapping[str, str], slots: Sequence[ModifierSlot]
    ) -> OperandRow:
        parts = tuple(self._operand(part, ops, slots) for part in operand.parts)
        text = ops.get(operand.name)
        if text is None:
            text = "any" if parts or operand.name == "_" else ""
        if not text:
            raise ValueError(f"the operand {operand.name} has no entry in ops")
        if operand.bracket == "[" and not parts and not text.startswith(("addr", "any")):
            inner = replace(operand, bracket="", optional=False, syntax=operand.name)
            parts, text = (self._operand(inner, ops, slots),), "any"
        specs = parse_operand_spec(text, self.names, self.shared.types)
        selector = [
            index
            for index, slot in enumerate(slots)
            if operand.selector and slot.name == operand.selector[1:]
        ]
        return OperandRow(
            name=operand.name,
            optional=operand.optional,
            specs=specs.alternatives,
            role=specs.role or _default_role(operand, text),
            pair=operand.pair,
            pair_optional=operand.pair_optional,
            negation=operand.negation,
            selector=selector[-1] if selector else -1,
            parts=parts,
            syntax=operand.syntax,
        )


def _default_role(operand: OperandNotation, text: str) -> str:
    if operand.bracket == "[" or text.startswith("addr"):
        return "address"
    return "write" if operand.name == "d" or operand.pair else "read"


def _split_note(text: str) -> tuple[str, str]:
    body, _, note = text.partition(" -- ")
    return body.strip(), note.strip()
