"""The rule unused-result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.dead_cycles import dead_cycles
from ptx_ls.flow.dead_results import dead_results
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.instructions.control_transfer import LEAVING
from ptx_ls.semantics.symbols.inline_assembly import InlineAssembly
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Applicability, Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind, Shape
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.syntax.written.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_REMOVED: Final = frozenset(
    {
        *("add", "sub", "mul", "mad", "fma", "div", "rem", "neg", "abs", "min", "max"),
        *("and", "or", "xor", "not", "shl", "shr", "shf", "lop3", "bfe", "bfi", "prmt"),
        *("selp", "slct", "set", "testp", "copysign", "sad", "mul24", "mad24", "dp4a", "dp2a"),
        *("popc", "clz", "brev", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"),
    }
)
"""Opcodes that compilers remove if nothing reads the result, so that a reader is missing."""
_STACK: Final = "%SP"
"""The start of the names of registers with the address of the stack frame."""
_ALSO_REMOVED: Final = (
    "cvta.to.global",
    *("cvt.s8", "cvt.s16", "cvt.s32", "cvt.f", "cvt.r", "cvt.u8", "cvt.u16", "cvt.u32"),
    *("ld.global", "ld.shared", "ld.local", "ld.const"),
)
"""The starts of opcodes that they remove, too. Conversions to 64 bits may be left."""
_COMPARISON: Final = "setp"
_FLAGS: Final = (_COMPARISON, "selp")
_ENDS: Final = (*LEAVING, "bra", "brx")


class UnusedResult(NamedTuple):
    """An instruction that only writes registers, which nothing reads after it.

    `register`: the first of them. `is_set_up`: as in `DeadResult`. `is_repeated`: whether it reads
    its own result in the next iteration, so that nothing else does.
    """

    opcode: str
    register: str
    is_set_up: bool
    is_repeated: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnusedResult]:
    """Yields the instructions of a function whose results nothing reads."""
    if not is_understood(seen.function, seen.text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    left = _Left(seen.text) if seen.is_generated else None
    for found, opcode, write, is_set_up, replaced in dead_results(flow):
        name, is_usual = flow.name_of(write), is_set_up and not seen.is_generated
        if replaced is None and not (left is not None and left.contains(found, name)):
            yield UnusedResult(opcode, name, is_usual, False, found.start, found.end)
    for first in () if seen.is_generated else dead_cycles(flow):
        found = flow.statement(first)
        write = next(use for use in flow.index.statement(first) if flow.uses.ways[use] & WRITES)
        if isinstance(found.record, Shape):
            opcode, name = found.record.opcode, flow.name_of(write)
            yield UnusedResult(opcode, name, False, True, found.start, found.end)


class _Left:
    """The instructions that a compiler may leave although nothing reads their results."""

    def __init__(self, text: RegionText) -> None:
        self._text, self._assembly = text, InlineAssembly(text)

    def contains(self, found: Found, name: str) -> bool:
        """Whether an instruction that writes a register is one of them.

        Compilers do not look into inline assembly. Instructions that they repeat near their
        readers, after they have removed what is unused, have registers with falling numbers.
        """
        record = found.record
        if not isinstance(record, Shape) or self._assembly.contains(found.start[0]):
            return True
        if record.name == _COMPARISON:
            return self._is_one_of_several(found)
        is_removed = record.name in _REMOVED or record.opcode.startswith(_ALSO_REMOVED)
        if not is_removed or _STACK in found.text or _falls(name, record, found.text):
            return True
        return self._is_repeated(found) or self._is_among_falling(found.start[0], name)

    def _is_repeated(self, found: Found) -> bool:
        """Whether the next instruction computes the same in another register."""
        row = found.start[0] + 1
        for _, line, record in self._text.rows([row] if row < len(self._text.records) else []):
            if record is found.record:
                return _operands(line) == _operands(found.text)
        return False

    def _is_among_falling(self, row: int, name: str) -> bool:
        """Whether the instructions around one write registers with higher and with lower numbers.

        Those before it have the higher ones.
        """
        numbers = [_written_number(self._text, each, name) for each in (row - 1, row + 1)]
        before, after = numbers
        return before is not None and after is not None and before > _number(name) > after

    def _is_one_of_several(self, comparison: Found) -> bool:
        """Whether other comparisons or selections follow a comparison in its block.

        Compilers leave such a comparison if it is one of many flags, but not the condition of a
        branch.
        """
        for record in self._text.records[comparison.start[0] + 1 :]:
            if isinstance(record, Shape):
                if record.name in _ENDS:
                    return False
                if record.name in _FLAGS:
                    return True
            elif record.kind is Kind.LABEL:
                return False
        return True


def _written_number(text: RegionText, row: int, like: str) -> int | None:
    """Returns the number of the register that a line writes, if its prefix is that of another."""
    for _, line, record in text.rows([row] if 0 <= row < len(text.records) else []):
        if isinstance(record, Shape):
            written = next(iter(names_of(record, line.strip())), "")
            if _prefix(written) == _prefix(like):
                return _number(written)
    return None


def _operands(text: str) -> str:
    """Returns a statement from its second operand on."""
    return text.partition(",")[2].strip()


def _prefix(name: str) -> str:
    return name.rstrip("0123456789")


def _number(name: str) -> int:
    """Returns the number at the end of a name; -1 if there is none."""
    return int(name.removeprefix(_prefix(name)) or -1)


def _falls(name: str, shape: Shape, text: str) -> bool:
    """Whether an instruction reads a register with the prefix and the next number of its result."""
    number = _number(name)
    return number >= 0 and f"{_prefix(name)}{number + 1}" in names_of(shape, text)


@rule(
    "unused-result",
    on=UnusedResult,
    severity=Severity.INFORMATION,
    find=find,
)
def unused_result(mismatch: UnusedResult, context: RuleContext) -> Finding:
    """Reports an instruction whose result is never read.

    ## Why is this bad?
    The instruction has no effect, and ptxas removes it. Often, a later instruction reads the wrong
    register. A sum that only the loop itself reads is also reported. An instruction that does more
    than write registers is not reported. An unneeded read of a parameter or special register is
    reported as a hint, because many kernels begin with more of these reads than they need. In
    compiler output, only arithmetic, loads, and the condition of a branch that lost its guard are
    reported, because compilers leave other unused instructions.

    ## Example
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        add.s32 %r2, %r1, 1;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        add.s32 %r2, %r1, 1;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    from ptx_ls.lint.fixes.statements import without_statement  # noqa: PLC0415  not for correct code

    name = mismatch.register
    why = f"no later instruction reads `{name}`"
    if mismatch.is_repeated:
        why = f"`{name}` is read only to compute its next value"
    return Finding(
        severity=Severity.HINT if mismatch.is_set_up else None,
        message=f"the result of `{mismatch.opcode}` is never used: {why}",
        repairs=without_statement(
            mismatch.start, mismatch.end, context, "the instruction", Applicability.UNSAFE
        ),
        tags=frozenset({Tag.UNNECESSARY}),
    )
