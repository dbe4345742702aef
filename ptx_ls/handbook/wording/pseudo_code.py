"""Pseudo-code of all variants as pages show it, with the conditions of its lines in words."""

from __future__ import annotations

from typing import Final

from ptx_ls.isa.execution.variant import alternatives, readable, test_of

_LOOKS: Final = {
    "address": "an address",
    "constant": "a constant",
    "name": "a name",
    "negated": "negated",
    "predicate": "a predicate",
    "repeated": "the same as the operand before it",
    "vector": "a vector",
    "wide": "wider than the type",
}
"""Words for the conditions on how an operand is written."""
_CLASSES: Final = {"float": "a floating-point type", "integer": "an integer type"}
_KINDS: Final = frozenset({"float", "packed", "signed", "special", "unsigned"})
"""The conditions on the types of the instruction."""
_NEGATED: Final = "no "


def with_worded_conditions(semantics: str) -> str:
    """Returns pseudo-code whose conditions read `if d is wider than the type and .vec`."""
    return "\n".join(map(_with_words, readable(semantics).split("\n")))


def _with_words(line: str) -> str:
    test = test_of(line)
    if not test:
        return line
    terms = [[_item(item) for item in items] for items in alternatives(test)]
    joined = [" or ".join(items) for items in terms]
    if len(terms) > 1:
        joined = [
            f"({text})" if len(items) > 1 else text
            for text, items in zip(joined, terms, strict=True)
        ]
    return line.replace(f"// if {test}", f"// if {' and '.join(joined)}", 1)


def _item(item: str) -> str:
    """Returns the words for an item of a condition, such as `no wide d` or `dtype .f*`."""
    is_negated = item.startswith(_NEGATED)
    kind, _, name = item.removeprefix(_NEGATED).partition(" ")
    verb = "is not" if is_negated else "is"
    if kind in _LOOKS and name:
        return f"{name} {verb} {_LOOKS[kind]}"
    if kind == "before":
        return f"the target {verb} older than {name}"
    if name.startswith("."):
        return f".{kind} {verb} {name}"
    if name:
        return f".{name} {verb} {_CLASSES.get(kind, kind)}"
    return f"not {kind}" if is_negated and kind in _KINDS else item
