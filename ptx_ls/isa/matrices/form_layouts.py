"""Finds the layouts of an instruction's matrices, which depend on its modifiers.

Nothing is decoded before the first call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from ptx_ls.isa.checking.match import place
from ptx_ls.isa.database import database
from ptx_ls.isa.matrices.layout import WARP_SIZE, MatrixLayout, thread_names
from ptx_ls.isa.model import Form
from ptx_ls.isa.notation.formula import Formula, FormulaError

_REGISTER_BITS: Final = 32
_VECTORS: Final = {".scale_vec::1X": 1, ".scale_vec::2X": 2, ".scale_vec::4X": 4}


_DEFAULT_VECTORS: Final = {".kind::mxf4": 2}


def layouts_of(opcode: str, modifiers: Sequence[str]) -> Mapping[str, MatrixLayout]:
    """Returns the layouts of an instruction's operands by name, in the operands' order.

    `modifiers`: as written, each with its dot. If the layout depends on more than modifiers, there
    is an entry for each case, named `d-tmem (M = 128)`. Empty if the instruction has no matrices,
    or a modifier is missing or wrong.
    """
    return _layouts(opcode, tuple(modifiers))


@lru_cache(maxsize=64)
def _layouts(opcode: str, modifiers: tuple[str, ...]) -> Mapping[str, MatrixLayout]:
    found: dict[str, MatrixLayout] = {}
    instruction = database().instruction(opcode)
    if instruction is None or not any(entry["opcode"] == opcode for entry in _entries()):
        return found
    for form in instruction.forms:
        placement = place(form.row, modifiers, frozenset())
        if placement.is_complete:
            found.update(layouts_of_form(form, form.by_slot(placement.values)))
    return found


def layouts_of_form(form: Form, values: Mapping[str, str]) -> dict[str, MatrixLayout]:
    """Returns the layouts of one form; `values` has the modifiers by slot.

    Omits layouts that depend on a missing modifier, such as a shape or a type.
    """
    found = {}
    for entry in _entries():
        if entry["opcode"] != form.opcode or form.id not in entry["forms"].split():
            continue
        wanted = entry.get("when", {})
        if all(values.get(slot, "") in (text.split() or [""]) for slot, text in wanted.items()):
            try:
                layout = _layout(entry, values)
            except (FormulaError, KeyError):
                continue
            found[layout.operand + (f" ({layout.variant})" if layout.variant else "")] = layout
    order = {part.name: index for index, part in enumerate(form.operands)}
    return dict(sorted(found.items(), key=lambda item: order.get(item[1].operand, len(order))))


def entries_of(opcode: str) -> tuple[Mapping[str, Any], ...]:
    """Returns the entries of the data about an opcode, with shared parts included."""
    return tuple(entry for entry in _entries() if entry["opcode"] == opcode)


@lru_cache(maxsize=1)
def _entries() -> tuple[Mapping[str, Any], ...]:
    tables = database().layouts
    return tuple(
        {**tables["bases"].get(entry.get("like", ""), {}), **entry} for entry in tables["layout"]
    )


def _layout(entry: Mapping[str, Any], values: Mapping[str, str]) -> MatrixLayout:
    width = entry["width"]
    bits = width if isinstance(width, int) else database().type_facts[values[width]][0]
    per_register = max(_REGISTER_BITS, bits) // bits
    sizes = {**_sizes(values), "e": per_register}
    free = {name: _number(text, sizes) for name, text in entry.get("free", {}).items()}
    known = {**sizes, **free}
    rows, columns = _number(entry["rows"], known), _number(entry["columns"], known)
    warps, copies = entry.get("warps", 1), entry.get("copies", 1)
    lanes = entry.get("lanes", WARP_SIZE * warps)
    supplied = _supplying(entry, lanes)
    elements = entry.get("elements")
    per_lane = rows * columns * copies // supplied if elements is None else _number(elements, known)
    bounds = {"lane": (0, lanes // warps - 1), "warp": (0, warps - 1), "i": (0, per_lane - 1)}
    row, column = (
        Formula.parse(entry.get(key, "0")).given(sizes, bounds) for key in ("row", "column")
    )
    return MatrixLayout(
        operand=entry["operands"],
        variant=entry.get("variant", ""),
        matrix=entry["matrix"],
        rows=rows,
        columns=columns,
        lanes=lanes,
        warps=warps,
        element_bits=bits,
        elements_per_lane=per_lane,
        elements_per_register=per_register,
        copies=copies,
        row=row,
        column=column,
        unspecified=entry.get("unspecified", False),
        stored=entry.get("stored", 1),
        chunk=_number(entry.get("chunk", 1), known),
        chunks_along=entry.get("along", "columns"),
        supplier=_optional(entry, "supplier"),
        selector=entry.get("selector", ""),
        used=_optional(entry, "used"),
        free=free,
        note=entry.get("note", ""),
    )


def _supplying(entry: Mapping[str, Any], lanes: int) -> int:
    """Returns the number of lanes that are used for a value of the selector."""
    formula = _optional(entry, "supplier")
    if formula is None:
        return lanes
    names = (thread_names(lane, entry.get("warps", 1)) for lane in range(lanes))
    return sum(formula.value({**each, "selector": 0}) for each in names)


def _optional(entry: Mapping[str, Any], key: str) -> Formula | None:
    return Formula.parse(entry[key]) if key in entry else None


def _number(text: str | int, names: Mapping[str, int]) -> int:
    return Formula.parse(text).value(names)


def _sizes(values: Mapping[str, str]) -> dict[str, int]:
    """Returns the numbers that the modifiers contain."""
    sizes = next(filter(None, map(_shape, values.values())), {})
    sizes["num"] = int(values.get("num", "")[2:] or 1)
    vectors = [_VECTORS[value] for value in values.values() if value in _VECTORS]
    implied = [_DEFAULT_VECTORS[value] for value in values.values() if value in _DEFAULT_VECTORS]
    sizes["vectors"] = (*vectors, *implied, 1)[0]
    return sizes


def _shape(modifier: str) -> dict[str, int]:
    """Returns the sizes in a shape such as `.m16n8k16` by their letters; empty for others."""
    parts = ["".join(part) for _, part in groupby(modifier.removeprefix("."), str.isdigit)]
    letters, numbers = parts[::2], parts[1::2]
    if letters not in (["m", "n"], ["m", "n", "k"]) or len(numbers) != len(letters):
        return {}
    return dict(zip(letters, map(int, numbers), strict=True))
