"""The rule incomplete-member-mask.

Source: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync" and
"bar.warp.sync": the lane that executes the instruction must be a member.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.candidates.computation import has_unusual_constants
from ptx_ls.lint.collectives.reasons import numbers
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import statements_with
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.constants.usual import LANES
from ptx_ls.semantics.directives.ignored_directives import numbers_of_directives
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.values.affine import AffineForm, TermKind
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region_text import Found

_OPCODES: Final = ("shfl", "vote", "match", "redux", "elect", "bar", "barrier")
_MASK: Final = "membermask"
_FULL: Final = (1 << LANES) - 1
_ALL: Final = (0, LANES - 1)
_LANE: Final = "%laneid"
_COPY: Final = frozenset({"mov"})
_REQUIRED: Final = (".reqntid",)


class IncompleteMemberMask(NamedTuple):
    """A mask that leaves out lanes that execute the instruction.

    `first` and `last`: the lanes that may execute it. `missing`: a lane that does, but is left out;
    None if all of them are.
    """

    text: str
    first: int
    last: int
    missing: int | None
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[IncompleteMemberMask]:
    """Yields the masks of a function that leave out lanes that execute the instruction."""
    for use in unusual_constants(seen.function):
        mask = use.constant(_MASK)
        value = mask.whole if mask is not None else None
        if mask is None or value is None or value & _FULL in (0, _FULL):
            continue
        lanes = _lanes(seen, use.found)
        members = [bool(value >> lane & 1) for lane in range(LANES)]
        if not any(members[lanes[0] : lanes[1] + 1]):
            yield IncompleteMemberMask(mask.text, *lanes, None, mask.start, mask.end)
        elif lanes == _ALL and _is_for_all(seen, use.found):
            missing = members.index(False)
            yield IncompleteMemberMask(mask.text, *lanes, missing, mask.start, mask.end)


def _lanes(seen: CheckInput, found: Found) -> tuple[int, int]:
    """Returns the first and the last lane that may execute an instruction."""
    values = function_values(seen.function, seen.module)
    for copied in statements_with(seen.text, _COPY):
        if _LANE in copied.text:
            for use in uses_in(values.flow, copied, WRITES).values():
                form = values.written(use).affine
                if form is not None and _is_lane(form):
                    known = values.bounds(form, found)
                    if not known.is_impossible and known.low < LANES:
                        return known.low, min(known.high, LANES - 1)
    return _ALL


def _is_lane(form: AffineForm) -> bool:
    terms = [(term.kind, term.name, factor) for term, factor in form.terms]
    return not form.offset and terms == [(TermKind.SPECIAL, _LANE, 1)]


def _is_for_all(seen: CheckInput, found: Found) -> bool:
    """Whether all lanes of each warp execute an instruction: nothing before it is conditional."""
    kernel = seen.facts.function
    is_kernel = kernel is not None and kernel.kind is SymbolKind.KERNEL
    if not is_kernel or found.text.lstrip("{ \t").startswith("@"):
        return False
    threads = 0
    for head in seen.text.of_kind(Kind.FUNCTION):
        for _, sizes in numbers_of_directives(head.text, _REQUIRED):
            threads = math.prod(sizes)
    graph = function_flow(seen.function, seen.module.never_returning).graph
    return threads > 0 and threads % LANES == 0 and graph.number_at(found.start) == 0


@rule(
    "incomplete-member-mask",
    on=IncompleteMemberMask,
    severity=Severity.WARNING,
    find=find,
    given=has_unusual_constants,
    looks_at=Instructions(*_OPCODES),
)
def incomplete_member_mask(mismatch: IncompleteMemberMask, _: RuleContext) -> Finding:
    """Reports a member mask that omits a lane that executes the instruction.

    ## Why is this bad?
    The mask selects the lanes that take part, and must include each lane that executes the
    instruction. Otherwise, the behaviour is undefined.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        setp.ge.u32 %p1, %r1, 16;
        @%p1 exit;
        shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xFFFF0000;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        setp.ge.u32 %p1, %r1, 16;
        @%p1 exit;
        shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0x0000FFFF;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    text, first, last = mismatch.text, mismatch.first, mismatch.last
    if mismatch.missing is not None:
        missing = mismatch.missing
        return Finding(f"all lanes execute this, but the mask `{text}` omits lane {missing}")
    lanes = numbers((1 << last + 1) - (1 << first), last + 1, "lane")
    verb, omitted = ("executes", "it") if first == last else ("execute", "all of them")
    return Finding(f"only {lanes} {verb} this, but the mask `{text}` omits {omitted}")
