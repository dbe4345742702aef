"""The memory events of instructions: what they read and write, and how they synchronise.

Source: the `events`, `executed-by`, `completion` and `in-flight` entries of the instruction files
(docs/isa-format.md), which follow the sections of the manual that the files name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa.model import holding
from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.operand import Operand, OperandKind
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from ptx_ls.isa.model import Form, Instruction
    from ptx_ls.isa.notation.expression_scope import ExpressionScope
    from ptx_ls.isa.notation.table import ConditionalWord, EventRow, Node, OperandRow, SlotText

_DOES: Final = "does"
_WEAK: Final = "weak"
_SAME: Final = {"shared": "shared::cta", "param::entry": "param", "param::func": "param"}
"""State spaces that have two names in modifiers."""
_ANY: Final = Operand(OperandKind.UNKNOWN)


class AccessEvent(NamedTuple):
    """An access to memory by one thread.

    Attributes:
        kind: `reads`, `writes`, or `updates` for both, in one step if it is atomic.
        operand: the operand that names the memory.
        space: one of `ptx_ls.isa.event_words.SPACES`; `generic` if the address decides.
        n_bytes: the number of bytes; None if it is unknown, or the value of `size`.
        size: the operand with the number of bytes, or "".
        lanes: how many lanes give an address, each for `n_bytes`; None for an access of each
            thread at its own address.
        proxy: one of `ptx_ls.isa.event_words.PROXIES`.
        order: one of `ptx_ls.isa.event_words.ORDERS`; "" if the manual has none.
        scope: `cta`, `cluster`, `gpu`, `sys`, or "" for a weak access.
        by: how `operand` names the memory: an `address`, a `descriptor`, a `tensor map` or
            `coordinates`.
    """

    kind: str
    operand: str
    space: str
    n_bytes: int | None
    size: str
    lanes: int | None
    proxy: str
    order: str
    scope: str
    by: str

    @property
    def is_read(self) -> bool:
        """Whether memory is read."""
        return self.kind != "writes"

    @property
    def is_write(self) -> bool:
        """Whether memory is written."""
        return self.kind != "reads"

    @property
    def is_strong(self) -> bool:
        """Whether other threads may access the same memory at the same time, in the same way."""
        return self.order not in ("", _WEAK)


class SyncEvent(NamedTuple):
    """An act that is not an access, mostly synchronisation.

    Attributes:
        action: one of `ptx_ls.isa.event_words.ACTIONS`.
        operand: the barrier, the mbarrier object or the address that it is about, or "".
        argument: the operand with the number that belongs to it, or "": threads of a barrier,
            arrivals, bytes, groups, a phase, a mask.
        amount: that number, if the instruction implies it.
        space, order, scope, proxy: as for an access; "" where they do not apply.
        of: the mechanism of what it closes or waits for, as `completion` of an instruction.
    """

    action: str
    operand: str
    argument: str
    amount: int | None
    space: str
    order: str
    scope: str
    proxy: str
    of: str


class MemoryEvents(NamedTuple):
    """All that an instruction does to memory and to other threads.

    Attributes:
        accesses: its accesses; until it completes, if it is asynchronous.
        syncs: its other acts.
        executed_by: which threads must execute it, one of `ptx_ls.isa.event_words.EXECUTED_BY`.
        is_aligned: whether the threads of a warp must execute the same instruction together.
        completion: how an asynchronous instruction completes, one of
            `ptx_ls.isa.event_words.COMPLETIONS`; "" if it completes at once.
        in_flight: the operands whose registers are in use until then.
    """

    accesses: tuple[AccessEvent, ...] = ()
    syncs: tuple[SyncEvent, ...] = ()
    executed_by: str = "thread"
    is_aligned: bool = False
    completion: str = ""
    in_flight: tuple[str, ...] = ()

    @property
    def is_none(self) -> bool:
        """Whether the instruction neither touches memory nor involves other threads."""
        return not (self.accesses or self.syncs) and self.executed_by == "thread"


def memory_events(
    instruction: Instruction,
    form: Form,
    slots: Mapping[str, str],
    operands: Collection[str] | None = None,
) -> MemoryEvents:
    """Returns the memory events of the instructions of a form with the modifiers in `slots`.

    `operands`: the names of the operands that are written; None for all that the form has.
    """
    facts = instruction.facts(form)
    rows, known = facts.events, operand_names(form.row.operands)
    written = known if operands is None else known.intersection(operands)
    values = [slots.get(slot.name, "") for slot in form.row.slots]
    scope = form.scope(values, dict.fromkeys(written, _ANY))
    reader = _EventEvaluator(scope, written)
    found = [row for row in rows.events if reader.happens(row)]
    convergence = holding(facts.convergence, form, slots)
    default = "warp" if "aligned" in convergence else "members" if convergence else "thread"
    return MemoryEvents(
        tuple(reader.access(row) for row in found if row.kind != _DOES),
        tuple(reader.sync(row) for row in found if row.kind == _DOES),
        reader.word(rows.executed_by) or default,
        "aligned" in convergence,
        reader.word(rows.completion),
        tuple(name for name in rows.in_flight if name in written),
    )


def operand_names(rows: Iterable[OperandRow]) -> frozenset[str]:
    """Returns the names of operands, of their parts, and of second destinations."""
    found: set[str] = set()
    for row in rows:
        found |= {row.name, row.pair} | operand_names(row.parts)
    return frozenset(found - {""})


class _EventEvaluator:
    """Evaluates the rows of a form for some modifiers and operands."""

    def __init__(self, scope: ExpressionScope, written: frozenset[str]) -> None:
        self._scope, self._written = scope, written

    def happens(self, row: EventRow) -> bool:
        """Whether an event happens: its operand is written, and its condition holds."""
        if row.operand and row.operand not in self._written:
            return False
        return row.condition is None or bool(evaluate(row.condition, self._scope))

    def access(self, row: EventRow) -> AccessEvent:
        """Returns an event that is an access."""
        size = row.argument if row.argument in self._written else ""
        return AccessEvent(
            row.kind,
            row.operand,
            self._text(row, "space") or "generic",
            self._number(row.amount) or None,  # 0 without a type
            size,
            self._number(row.lanes),
            self._text(row, "proxy") or "generic",
            self._text(row, "order"),
            self._text(row, "scope"),
            self._text(row, "by") or "address",
        )

    def sync(self, row: EventRow) -> SyncEvent:
        """Returns an event that is not an access."""
        argument = row.argument if row.argument in self._written else ""
        return SyncEvent(
            self._text(row, "action"),
            row.operand,
            argument,
            None if argument else self._number(row.amount),
            *(self._text(row, key) for key in ("space", "order", "scope", "proxy", "of")),
        )

    def word(self, words: Sequence[ConditionalWord]) -> str:
        """Returns the first word whose condition holds, or ""."""
        for each in words:
            if each.condition is None or evaluate(each.condition, self._scope):
                return each.word
        return ""

    def _text(self, row: EventRow, key: str) -> str:
        text = row.texts.get(key)
        return "" if text is None else self._value(text)

    def _value(self, text: SlotText) -> str:
        written = "" if text.slot is None else str(evaluate(text.slot, self._scope))
        found = written.removeprefix(".") or text.default
        return _SAME.get(found, found)

    def _number(self, node: Node | None) -> int | None:
        return None if node is None else int(evaluate(node, self._scope))
