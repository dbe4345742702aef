"""The places of matrix elements of an instruction: lanes and registers, as formulas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.handbook.page import Block, Code, Heading, Table, Text
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa.matrices.form_layouts import entries_of, layouts_of
from ptx_ls.isa.matrices.layout import MatrixLayout
from ptx_ls.source.english import inflected, listed

if TYPE_CHECKING:
    from ptx_ls.isa.model import Form, Instruction

_MAX_ROWS: Final = 16
_MAX_COLUMNS: Final = 8
"""Maximum number of rows and columns of a matrix that are drawn."""
_WARP: Final = 32
_MAX_FORMS_WITHOUT: Final = 3
"""Maximum number of forms without a layout to name instead of the forms with it."""
_LEGEND: Final = (
    "`lane` is the number of the thread, and `i` is the number of the element in the thread, "
    "counted from the lowest bits of its first register; `/` drops the remainder. "
)
_SIZES: Final = (
    "`m`, `n` and `k` are the sizes of the shape, `e` is the number of elements in a register, and "
    "`num` and `vectors` are the numbers in modifiers such as `.x4` and `.scale_vec::2X`."
)


@dataclass(frozen=True, slots=True)
class LayoutFacts:
    """The places of the elements of one matrix.

    Without complete modifiers, sizes and formulas contain `m`, `n`, `k`, `e`, `num` and `vectors`,
    and `where` says for which forms and modifiers they are.
    """

    operand: str
    matrix: str
    rows: str
    columns: str
    row: str
    """The row of element `i` of `lane`; "" if the manual does not specify it."""
    column: str
    where: str
    note: str
    drawing: str
    """The upper left corner of the matrix as a table, in which `T5 r1` is register 1 of lane 5.
    "" if modifiers are missing, or the layout is unspecified, has one column, or spans warps."""


def layout_facts(
    instruction: Instruction, forms: Sequence[Form], given: Sequence[str]
) -> tuple[LayoutFacts, ...]:
    """Returns the layouts for the modifiers `given`, if complete, else the general ones."""
    entries = entries_of(instruction.opcode)
    if not entries:
        return ()
    exact = layouts_of(instruction.opcode, given) if given else {}
    if exact:
        return tuple(_exact(name, layout) for name, layout in exact.items())
    return _general(instruction, entries, forms)


def _exact(name: str, layout: MatrixLayout) -> LayoutFacts:
    return LayoutFacts(
        name,
        layout.matrix,
        str(layout.rows),
        str(layout.columns),
        layout.row_formula,
        layout.column_formula,
        "",
        layout.note,
        _drawing(layout),
    )


def _drawing(layout: MatrixLayout) -> str:
    if layout.unspecified or layout.lanes > _WARP or layout.columns == 1:
        return ""
    cells = layout.table(_MAX_ROWS, _MAX_COLUMNS)
    width = max(len(cell) for row in cells for cell in row)
    return "\n".join("  ".join(cell.ljust(width) for cell in row).rstrip() for row in cells)


def _general(
    instruction: Instruction, entries: Sequence[Mapping[str, Any]], forms: Sequence[Form]
) -> tuple[LayoutFacts, ...]:
    """Returns each layout once, with the forms that have it."""
    titles = {form.id: form.summary.rstrip(".") or code(form.syntax.split()[0]) for form in forms}
    found: dict[LayoutFacts, list[str]] = {}
    for entry in entries:
        ids = [form for form in entry["forms"].split() if form in titles]
        if ids:
            found.setdefault(_raw(entry), []).extend(ids)
    return tuple(
        replace(
            facts, where=_applies(_among(ids, _with_operand(facts, forms, titles)), facts.where)
        )
        for facts, ids in sorted(found.items(), key=lambda item: _order(instruction, item[0]))
    )


def _order(instruction: Instruction, facts: LayoutFacts) -> int:
    operands = [row.name for form in instruction.forms for row in form.row.operands]
    return operands.index(facts.operand) if facts.operand in operands else len(operands)


def _with_operand(
    facts: LayoutFacts, forms: Sequence[Form], titles: Mapping[str, str]
) -> Mapping[str, str]:
    """Returns the titles of the forms that have the operand of a layout."""
    names = set(facts.operand.split())
    return {
        form.id: titles[form.id]
        for form in forms
        if not names.isdisjoint(row.name for row in form.row.operands)
    }


def _among(ids: Sequence[str], titles: Mapping[str, str]) -> str:
    """Describes which of the forms are in `ids`; "" if all are."""
    chosen = list(dict.fromkeys(titles[form] for form in ids))
    others = [title for form, title in titles.items() if form not in ids]
    if not others:
        return ""
    if len(chosen) > _MAX_FORMS_WITHOUT >= len(others):
        return f"all forms except {_titles(dict.fromkeys(others))}"
    return f"{inflected('form', len(chosen))} {_titles(chosen)}"


def _applies(forms: str, condition: str) -> str:
    if not condition:
        return forms
    return f"{forms or 'All forms'}, if {condition}"


def _titles(titles: Iterable[str]) -> str:
    """Returns "*Loads a matrix* and *Stores a matrix*"."""
    return listed((f"*{title}*" for title in titles), "and")


def _raw(entry: Mapping[str, Any]) -> LayoutFacts:
    is_open = entry.get("unspecified", False)
    when = [_when(f".{slot}", values.split()) for slot, values in entry.get("when", {}).items()]
    return LayoutFacts(
        entry["operands"],
        entry["matrix"],
        str(entry["rows"]),
        str(entry["columns"]),
        "" if is_open else str(entry.get("row", "0")),
        "" if is_open else str(entry.get("column", "0")),
        " and ".join(filter(None, (entry.get("variant", ""), *when))),
        entry.get("note", ""),
        "",
    )


def _when(slot: str, values: Sequence[str]) -> str:
    if values == [slot]:
        return f"{code(slot)} is given"
    return f"{code(slot)} is {listed(map(code, values)) or 'absent'}"


def layout_blocks(layouts: Sequence[LayoutFacts]) -> list[Block]:
    """Returns the part of a page about layouts; [] if there are none."""
    if not layouts:
        return []
    is_exact = not any(facts.where for facts in layouts) and any(f.drawing for f in layouts)
    legend = _LEGEND if is_exact else _LEGEND + _SIZES
    header = ("operand", "size", "row", "column", "where")
    rows = tuple(_row(facts) for facts in layouts)
    found: list[Block] = [Heading(2, "Matrix layouts"), Text(legend), Table(header, rows)]
    for facts in layouts:
        if facts.drawing:
            title = f"`{facts.operand}`: lane and register of each element of {facts.matrix}"
            found += [Text(f"{title}, upper left corner."), Code(facts.drawing, "text")]
    return found


def _row(facts: LayoutFacts) -> tuple[str, ...]:
    rows, columns = (f"({it})" if "*" in it else it for it in (facts.rows, facts.columns))
    size = f"{facts.matrix}, {rows} x {columns}"
    row = code(facts.row) if facts.row else "unspecified"
    column = code(facts.column) if facts.column else "unspecified"
    where = " ".join(f"{text.rstrip('.')}." for text in (facts.where, facts.note) if text)
    return code(facts.operand), size, row, column, where[:1].upper() + where[1:]
