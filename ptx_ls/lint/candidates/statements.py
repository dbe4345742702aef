"""Whether a function has anything that a rule may report, before the rule's module is imported.

These questions are answered by what is known of every function.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.directives.register_pragma_values import pragma_registers
from ptx_ls.semantics.instructions.barrier_opcodes import BARRIERS, has_arrivals
from ptx_ls.semantics.instructions.control_transfer import LEAVING
from ptx_ls.semantics.symbols.region_text import label_name
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.plain.heads import plain_head
from ptx_ls.syntax.record import Kind, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_INDEXED: Final = "brx"
_BRANCHES: Final = ("bra", _INDEXED)
_AWAY: Final = LEAVING.union(_BRANCHES)
_SHARED: Final = ".shared"
_SCOPE_OF_BLOCK: Final = ".cta."
_WIDE_BY_DEFAULT: Final = ("atom", "red", "fence", "membar")
_WIDE_SCOPES: Final = (".cluster", ".gpu", ".sys")
_SILENT: Final = (Kind.BLANK, Kind.COMMENT, Kind.CLOSE, Kind.LOCATION)
_OWN: Final = (".shared", ".local")
"""The state spaces of memory that has no value when a kernel starts."""


def has_head_directives(seen: CheckInput) -> bool:
    """Whether a function has directives before its body, or is the prototype of a kernel."""
    return _has_head_directives(seen.text)


@lru_cache(maxsize=2)
def _has_head_directives(text: RegionText) -> bool:
    """Returns the result for a text, for which several checks ask in turn."""
    return not all(map(_is_bare, text.of_kind(Kind.FUNCTION, Kind.FUNCTION_DECLARATION)))


def _is_bare(head: Found) -> bool:
    plain = plain_head(head.text)
    if plain is None or plain.has_directives:
        return False
    return plain.is_definition or not plain.is_kernel


def has_own_variables_or_calls(seen: CheckInput) -> bool:
    """Whether a function has variables in shared or local memory, or calls other ones."""
    return (
        any(each.space in _OWN for each in seen.facts.declared)
        or bool(seen.module.shared.by_name)
        or bool(seen.module.unsized)
        or bool(seen.calls)
    )


def names_shared_memory(seen: CheckInput) -> bool:
    """Whether an opcode names shared memory."""
    return any(_SHARED in each.opcode for each in seen.text.shapes)


def names_scope_of_block(seen: CheckInput) -> bool:
    """Whether an opcode has the scope of a block."""
    return any(_SCOPE_OF_BLOCK in each.opcode for each in seen.text.shapes)


def may_have_wide_scopes(seen: CheckInput) -> bool:
    """Whether an instruction has, or may have by default, a scope wider than a block."""
    return any(
        each.name in _WIDE_BY_DEFAULT or any(scope in each.opcode for scope in _WIDE_SCOPES)
        for each in seen.text.shapes_of(("st", *_WIDE_BY_DEFAULT))
    )


def arrives_at_barriers(seen: CheckInput) -> bool:
    """Whether a function arrives at a barrier of the block without waiting."""
    return has_arrivals(seen.text)


def counts_threads_at_barriers(seen: CheckInput) -> bool:
    """Whether a barrier of a function may be for a stated number of threads."""
    return any(len(each.operands) > 1 for each in seen.text.shapes_of(BARRIERS))


def has_branches(seen: CheckInput) -> bool:
    """Whether a function has branches, without which it has no loop."""
    return seen.text.has_opcodes(_BRANCHES)


def may_divide_threads(seen: CheckInput) -> bool:
    """Whether a guard, or the index of a jump, may send the threads of a warp different ways."""
    return any(each.guard or each.name == _INDEXED for each in seen.text.shapes)


def has_several_unsized_arrays(seen: CheckInput) -> bool:
    """Whether the module has arrays of unknown size, which all begin at one address."""
    return len(seen.module.unsized) > 1


def has_register_pragmas(seen: CheckInput) -> bool:
    """Whether pragmas choose the registers of a function, or of one that the module has."""
    return bool(seen.module.graph.by_hand) or any(pragma_registers(seen.facts))


def has_preserving_functions(seen: CheckInput) -> bool:
    """Whether a function of the module says which registers it preserves."""
    return bool(seen.module.graph.kept)


def has_constant_pointers(seen: CheckInput) -> bool:
    """Whether a kernel of the module takes a pointer to constants."""
    return seen.module.graph.takes_constants


def has_device_functions_or_globals(seen: CheckInput) -> bool:
    """Whether a function is not a kernel, or something else is declared at module scope."""
    return any(each.kind is not SymbolKind.KERNEL for each in seen.facts.exports)


def has_foreign_lines(seen: CheckInput) -> bool:
    """Whether a line is for other tools."""
    return bool(seen.text.holding(Kind.LINE))


def may_reach_end(seen: CheckInput) -> bool:
    """Whether a function may end without an instruction that leaves it or branches away.

    Braces may be after such an instruction, and labels for debug data.
    """
    if seen.facts.function is None:
        return False
    text, labels = seen.text, list[str]()
    for row in range(len(text.records) - 1, -1, -1):
        record = text.records[row]
        if isinstance(record, Shape):
            return record.name not in _AWAY or bool(record.guard) or _are_targets(labels, text)
        if record.kind is Kind.LABEL:
            labels.append(label_name(text.lines[row]))
        elif record.kind not in _SILENT:
            return True
    return True


def _are_targets(labels: Sequence[str], text: RegionText) -> bool:
    """Whether a branch may lead to one of some labels."""
    if not labels:
        return False
    branches = text.with_opcodes(("bra",))
    return text.has_opcodes(("brx",)) or any(text.lines_with(label, branches) for label in labels)
