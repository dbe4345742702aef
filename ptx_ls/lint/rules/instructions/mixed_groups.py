"""The rule mixed-groups.

Source: PTX ISA, "Tensorcore 5th Generation Instructions": all of them in a kernel have
the same group. ptxas checks each function when it generates code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import position
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition

_OPCODE: Final = "tcgen05"
_GROUPS: Final = frozenset({".cta_group::1", ".cta_group::2"})


class MixedGroups(NamedTuple):
    """An instruction whose `.cta_group` differs from that of an earlier one in its function."""

    group: str
    before: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[MixedGroups]:
    """Yields the first instruction of a function whose group differs from the earlier ones."""
    groups: dict[object, str] = {
        shape: modifier
        for shape in seen.text.shapes_of((_OPCODE,))
        for modifier in isa.split_modifiers(shape.opcode)[1]
        if modifier in _GROUPS
    }
    if len(set(groups.values())) < 2:  # noqa: PLR2004  they agree
        return
    first = ""
    for found in seen.text.statements():
        group = groups.get(found.record, "")
        if group and first and group != first and group in found.text:
            start = position(found, found.text.index(group))
            yield MixedGroups(group, first, start, along(start, len(group)))
            return
        first = first or group


@rule(
    "mixed-groups",
    on=MixedGroups,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(_OPCODE),
)
def mixed_groups(mismatch: MixedGroups, _: RuleContext) -> Finding:
    """Reports a function that mixes `tcgen05` instructions for one block and for a pair of blocks.

    ## Why is this bad?
    ptxas does not generate code for a function that contains both `.cta_group::1` and
    `.cta_group::2`. All `tcgen05` instructions in a kernel must have the same `.cta_group`.

    ## Example
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    {
        .reg .b64 %rd<2>;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd1], 32;
        tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    {
        .reg .b64 %rd<2>;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd1], 32;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        ret;
    }
    ```
    """
    return Finding(
        f"`{mismatch.group}` cannot be combined with `{mismatch.before}` in one function"
    )
