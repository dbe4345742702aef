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


def with_subjects_once(texts: Sequence[str], word: str) -> str:
    """Joins conditions: "`a` is a name and not negated" for two with the same subject."""
    found = []
    for subject, group in groupby(texts, _subject):
        those = list(group)
        ends = [text.removeprefix(subject) for text in those]
        found += [subject + listed(ends, word)] if subject else those
    return f" {word} ".join(found)


def without_presumed(node: Node) -> Node:
    """Omits that an operand is given where another condition that must hold says what it is."""
    if node[0] not in ("&", "|"):
        return node
    parts = [without_presumed(part) for part in node[1]]
    if node[0] == "&":
        parts = [
            part
            for part in parts
            if part[0] != "?" or not any(_presumes(other, part[1]) for other in parts)
        ]
    joined = [each for part in parts for each in (part[1] if part[0] == node[0] else (part,))]
    return (node[0], tuple(joined)) if len(joined) > 1 else joined[0]


def _presumes(node: Node, operand: str) -> bool:
    """Whether a condition says what an operand is, so that it must be given."""
    if node[0] == "|":
        return all(_presumes(part, operand) for part in node[1])
    if node[0] == "in":
        return bool(node[1] == ("inspect", "typeof", operand) and "" not in node[2])
    is_kind = node[0] == "compare" and node[1] == "==" and node[2][0] == "inspect"
    return is_kind and bool(node[2][2] == operand and node[3] == ("constant", 1))


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
    """Returns the subject of a condition on an operand or modifier with its verb, else ""."""
    subject, verb, _ = text.partition(IS)
    return subject + verb if verb and text.startswith("`") else ""


def lists_values(text: str) -> bool:
    """Whether words end in a list of values, such as "`.a` or `.b`", after which a comma helps."""
    return (" or `" in text or " nor `" in text) and not text.endswith(")")


def none_of(names: list[str]) -> str:
    """Returns "is not `a`", "is neither `a` nor `b`", or "is not `a`, `b` or `c`"."""
    if len(names) == 2:  # noqa: PLR2004
        return f"is neither {listed(names, 'nor')}"
    return f"is not {listed(names)}"
