"""Instructions that belong together, in a function of which not all can be read.

Groups follow the control flow: a wait belongs to the commits that may reach it, back to a wait for
all of them. Operations on barriers in memory belong together if they have the same address. Where
the whole function can be read, `highlight_chain.py` knows more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.flow.dataflow import reaching_definitions
from ptx_ls.flow.graphs import flow_graph
from ptx_ls.flow.registers.register_flow import RegisterFlow, Site
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts
from ptx_ls.syntax.record import Kind, MultiLine, Record, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.source import Range
    from ptx_ls.syntax.statement import Statement


class _Family(NamedTuple):
    """Opcodes that commit asynchronous work to groups, and those that wait for groups."""

    commits: tuple[str, ...]
    waits: tuple[str, ...]


_FAMILIES: Final = (
    _Family(("cp.async.commit_group",), ("cp.async.wait_group", "cp.async.wait_all")),
    _Family(("cp.async.bulk.commit_group",), ("cp.async.bulk.wait_group",)),
    _Family(("wgmma.commit_group",), ("wgmma.wait_group",)),
    _Family(("tcgen05.ld",), ("tcgen05.wait::ld",)),
    _Family(("tcgen05.st",), ("tcgen05.wait::st",)),
)
_LEAVING: Final = ("ret", "exit", "trap")
_BARRIER: Final = "mbarrier"
_ON_BARRIERS: Final = (
    _BARRIER,
    "cp.async.bulk",
    "cp.async.mbarrier",
    "st.async",
    "red.async",
    "tcgen05.commit",
)
"""Opcodes that may have the address of an mbarrier as an operand."""
_WAITS_ON_BARRIER: Final = ("mbarrier.test_wait", "mbarrier.try_wait")
_MAX_FUNCTION_LINES: Final = 20_000
"""The longest function to search, in lines."""


def group(analysis: Analysis, statement: Statement) -> list[tuple[Range, bool]]:
    """Returns the opcodes that belong together with that of a statement, in order.

    Each comes with whether it starts work that others wait for. Returns none for an opcode without
    a group, and in a very long function.
    """
    opcode = opcode_of(statement.text)
    located = analysis.document.located_at(statement.start)
    if located.n_lines > _MAX_FUNCTION_LINES:
        return []
    if opcode in _LEAVING:
        return [(place, True) for place, _ in _opcodes(analysis, located, _LEAVING)]
    if opcode.startswith(_BARRIER):
        return _of_barrier(analysis, located, statement)
    for family in _FAMILIES:
        if _is_one(opcode, (*family.commits, *family.waits)):
            return _of_family(analysis, located, statement, family)
    return []


def _of_family(
    analysis: Analysis, located: LocatedFunction, statement: Statement, family: _Family
) -> list[tuple[Range, bool]]:
    opcodes: dict[Site, Range] = {}
    for place, found in _opcodes(analysis, located, (*family.commits, *family.waits)):
        is_wait = _is_one(opcode_of(found.text), family.waits)
        is_full = is_wait and _waits_for_all(found.text)
        # A wait for all groups ends earlier commits, as a write to a register ends its old value.
        site = Site(found.start, found.end, is_wait, not is_wait or is_full, is_full)
        opcodes[site] = place
    graph = flow_graph(analysis.document, located.number)
    flow = RegisterFlow(graph, tuple(sorted(opcodes)))
    own = flow.site_at(located.place(statement.start))
    if own is None:
        return []
    others = flow.reaching(own.start)[0] if own.is_read else flow.reached(own)
    belonging = [site for site in others if site.is_read != own.is_read]
    return [(opcodes[site], not site.is_read) for site in sorted({own, *belonging})]


def _waits_for_all(text: str) -> bool:
    words = text.replace(";", " ").split()
    number = integer(words[-1]) if words else None
    return not number and guard_of(text) is None


def _of_barrier(
    analysis: Analysis, located: LocatedFunction, statement: Statement
) -> list[tuple[Range, bool]]:
    """Returns the operations on the same address: same text, and same values of registers."""
    barrier = _addresses(analysis, statement)[:1]
    found = []
    for place, other in _opcodes(analysis, located, _ON_BARRIERS if barrier else ()):
        same = statement_at(analysis.document, located.position(other.start))
        if same is not None and barrier[0] in _addresses(analysis, same):
            found.append((place, not _is_one(opcode_of(other.text), _WAITS_ON_BARRIER)))
    return found


def _addresses(analysis: Analysis, statement: Statement) -> list[tuple[object, ...]]:
    """Returns the addresses of a statement: their text, and the definitions of their registers."""
    operands, identifiers = statement.parts()
    found: list[tuple[object, ...]] = []
    for operand in operands:
        if operand.form is OperandForm.ADDRESS:
            inside = [it for it in identifiers if operand.start <= it.start < operand.end]
            values = [reaching_definitions(analysis, it.name, statement.start) for it in inside]
            found.append(("".join(operand.text.split()), *values))
    return found


def _opcodes(
    analysis: Analysis, located: LocatedFunction, opcodes: tuple[str, ...]
) -> Iterator[tuple[Range, Found]]:
    """Yields the statements of a function with some opcodes, each with the place of its opcode."""
    text = region_text(located.function)
    chosen = {read for read in text.distinct if _has_opcode(read, opcodes)}
    for found in text.statements_of(chosen):
        if found.record.kind is not Kind.INSTRUCTION or not _is_one(opcode_of(found.text), opcodes):
            continue
        place = opcode_place(analysis, located, found)
        if place is not None:
            yield place, found


def opcode_place(analysis: Analysis, located: LocatedFunction, found: Found) -> Range | None:
    """Returns the place of the opcode of a statement, with its modifiers."""
    statement = statement_at(analysis.document, located.position(found.start))
    parts = opcode_parts(statement.parsed.tree) if statement is not None else ()
    if statement is None or not parts:
        return None
    return statement.range(parts[0][1], parts[-1][2])


def _has_opcode(read: Record, opcodes: tuple[str, ...]) -> bool:
    if isinstance(read, MultiLine):
        return any(_has_opcode(each, opcodes) for each in read.records)
    return isinstance(read, Shape) and _is_one(read.opcode, opcodes)


def _is_one(opcode: str, opcodes: tuple[str, ...]) -> bool:
    """Whether an opcode is one of the given ones, with or without modifiers."""
    return any(opcode == each or opcode.startswith(f"{each}.") for each in opcodes)
