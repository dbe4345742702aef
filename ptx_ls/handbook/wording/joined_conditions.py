"""Conditions of the data that are joined into one sentence, each subject once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from ptx_ls.handbook.wording.partial_evaluation import with_sets
from ptx_ls.isa.notation.expression import looks_at_operands
from ptx_ls.isa.notation.table import Node
from ptx_ls.source.english import listed

IS: Final = " is "
_TYPE_OF: Final = "the type of "
_A_REGISTER: Final = " is a register"
_COMPOUND: Final = frozenset({"&", "|", "=>", "<=>"})


def without_implied(node: Node) -> Node:
    """Returns a condition without "operand `e` is given" where another part implies it."""
    if node[0] in ("=>", "<=>"):
        return (node[0], without_implied(node[1]), without_implied(node[2]))
    if node[0] not in ("&", "|"):
        return node
    parts = [without_implied(part) for part in node[1]]
    if node[0] == "&":
        told = [part for part in parts if part[0] == "?" and _is_implied(part[1], parts)]
        parts = [part for part in parts if part not in told]
        if len(parts) == 1 and told:
            return parts[0]
    else:
        parts = [it for part in parts for it in (part[1] if part[0] == "|" else (part,))]
    return (node[0], tuple(parts))


def _is_implied(operand: str, parts: Sequence[Node]) -> bool:
    """Whether one of the conditions that all hold says something of an operand."""
    for part in parts:
        if part[0] == "|":
            if all(_is_implied(operand, [each]) for each in part[1]):
                return True
        elif part[0] == "compare":
            if part[1:] == ("==", ("inspect", part[2][1], operand), ("constant", 1)):
                return True
        elif part[0] == "in" and part[1] == ("inspect", part[1][1], operand) and all(part[2]):
            return True
    return False


def has_alternatives(node: Node) -> bool:
    """Whether a condition is one of two simple ones, which cannot be said as one."""
    parts = [*with_sets(node[1])] if node[0] == "|" else []
    return len(parts) == 2 and all(part[0] not in _COMPOUND for part in parts)  # noqa: PLR2004


def split_duty(node: Node) -> tuple[Node, Node]:
    """Returns a condition, and what must hold if it does, for an implication or alternatives.

    The alternative that becomes the condition is one on modifiers, or else the last one.
    """
    if node[0] == "=>":
        when, duty = node[1:]
        if has_alternatives(duty):
            more, duty = split_duty(duty)
            when = ("&", (when, more))
        return when, duty
    parts: list[Node] = list(with_sets(node[1]))
    plain = [part for part in parts if not looks_at_operands(part)]
    chosen = plain[0] if plain else parts[-1]
    return ("!", chosen), next(part for part in parts if part is not chosen)


def with_subjects_once(texts: Sequence[str], word: str) -> list[str]:
    """Joins conditions with the same subject: "`a` is a name and not negated" for two."""
    found: list[str] = []
    for subject, group in groupby(texts, _subject):
        those = list(group)
        ends = [text.removeprefix(subject) for text in those]
        found += [subject + listed(ends, word)] if subject else those
    return found


def with_typed_registers(texts: Sequence[str]) -> list[str]:
    """Says "`a` is a register of type `.b32`" for the two conditions on the type and the kind."""
    types = {
        f"{subject}{_A_REGISTER}": text
        for text in texts
        for subject, _, _ in [text.removeprefix(_TYPE_OF).partition(IS)]
        if text.startswith(_TYPE_OF)
    }
    typed = {text: types[text] for text in texts if text in types}
    return [
        f"{text} of type {typed[text].partition(IS)[2]}" if text in typed else text
        for text in texts
        if text not in typed.values()
    ]


def _subject(text: str) -> str:
    """Returns the subject of a condition on an operand or modifier with its verb, else "".

    A list of values keeps its own subject.
    """
    subject, verb, _ = text.partition(IS)
    return subject + verb if verb and text.startswith("`") and not lists_values(text) else ""


def lists_values(text: str) -> bool:
    """Whether words end in a list of values, such as "`.a` or `.b`", after which a comma helps."""
    return (" or `" in text or " nor `" in text) and not text.endswith(")")


def none_of(names: list[str]) -> str:
    """Returns "is not `a`", "is neither `a` nor `b`", or "is not `a`, `b` or `c`"."""
    if len(names) == 2:  # noqa: PLR2004
        return f"is neither {listed(names, 'nor')}"
    return f"is not {listed(names)}"
