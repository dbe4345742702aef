"""The fields of the descriptors of matrices and instructions, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ptx_ls.handbook.page import Block, Heading, Table, Text
from ptx_ls.handbook.wording.phrases import capitalised, code
from ptx_ls.isa import database
from ptx_ls.source.english import listed

_HEADER: Final = ("bits", "field")
_OF_KIND: Final = "types"


def descriptor_blocks(opcode: str) -> list[Block]:
    """Returns the part of a page about the descriptors of an opcode; [] if it has none."""
    found: list[Block] = []
    for entry in database().layouts["descriptor"]:
        if entry["opcode"] != opcode:
            continue
        kinds = entry.get("kinds", ())
        operands = listed(map(code, entry["operands"]), "and")
        of_kinds = f", for {listed(map(code, kinds), 'and')}" if kinds else ""
        fields = sorted(entry["fields"], key=lambda each: each["bits"])
        rows = tuple((_bits(*each["bits"]), _meaning(entry, each)) for each in fields)
        found += [Heading(2, entry["name"]), Text(f"The value of {operands}{of_kinds}.")]
        found.append(Table(_HEADER, rows))
    return found


def _bits(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}..{last}"


def _meaning(entry: Mapping[str, Any], field: Mapping[str, Any]) -> str:
    """Returns the name of a field with its unit, or with its numbers and what they mean."""
    name, values = capitalised(field.get("name", "")), field.get("values", {})
    if field.get("is-swizzle"):
        return "Number of the swizzling mode"
    if values == _OF_KIND:
        types = database().layouts["descriptor-types"]
        kinds: dict[str, list[str]] = {}
        for kind in entry["kinds"]:
            kinds.setdefault(_numbers(types[kind]), []).append(code(kind))
        return f"{name} {'; '.join(f'{each} for {listed(of)}' for each, of in kinds.items())}"
    if field.get("times"):
        return f"{name}, divided by {field['times']}"
    numbers = _numbers(values)
    if field.get("is-open") or not (numbers or name):
        return name
    return f"{name} {numbers}".strip() if numbers else f"Always {', '.join(values)}"


def _numbers(values: Mapping[str, str]) -> str:
    """Returns what numbers mean, without those of the usual case."""
    shown = ((capitalised(phrase), number) for number, phrase in values.items() if phrase)
    return listed(f"{phrase} ({number})" for phrase, number in shown)
