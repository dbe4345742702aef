"""The agreement of threads on special registers and on results of instructions.

Sources: PTX ISA, "Special Registers", "Parallel Synchronization and Communication Instructions" and
"Data Movement and Conversion Instructions". A load is at most as uniform as its address; threads of
two warps may read different values from memory that others write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.operands import OperandForm
from ptx_ls.threads.uniformity.index_values import shuffled_lane
from ptx_ls.threads.uniformity.instruction_kinds import is_whole_warp
from ptx_ls.threads.uniformity.levels import UNIFORM, UNKNOWN, Level, ValueLevel
from ptx_ls.values.affine import plain_space

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ptx_ls.values.decoding import DecodedInstruction, Decoder

_SEEN: Final = ValueLevel(Level.WARP, is_of_index=False)
"""The level of a value that all lanes of a warp get when they execute an instruction together."""
_SPECIALS: Final[Mapping[str, ValueLevel]] = {
    "%tid": ValueLevel(Level.DIVERGENT),
    "%laneid": ValueLevel(Level.DIVERGENT),
    **{f"%lanemask_{each}": ValueLevel(Level.DIVERGENT) for each in ("eq", "lt", "le", "gt", "ge")},
    "%warpid": _SEEN,
    "%nwarpid": _SEEN,
    "%smid": _SEEN,
    "%nsmid": ValueLevel(Level.CTA),
    "%ctaid": ValueLevel(Level.CTA),
    "%cluster_ctaid": ValueLevel(Level.CTA),
    "%cluster_ctarank": ValueLevel(Level.CTA),
    "%clusterid": ValueLevel(Level.CLUSTER),
    **dict.fromkeys(
        (
            *("%ntid", "%nctaid", "%nclusterid", "%cluster_nctaid", "%cluster_nctarank"),
            *("%gridid", "%is_explicit_cluster", "%dynamic_smem_size", "%total_smem_size"),
            *("%aggr_smem_size", "%current_graph_exec", "%reserved_smem_offset_begin"),
            *("%reserved_smem_offset_end", "%reserved_smem_offset_cap", "%WARP_SZ"),
        ),
        UNIFORM,
    ),
}
_SAME_FOR_ANY_LANES: Final = frozenset({".any", ".all", ".uni", ".min", ".max", ".and", ".or"})
"""The modifiers of operations on equal values of lanes whose result is the same for any lanes."""
_ENVIRONMENT: Final = "%envreg"


def special_level(name: str) -> ValueLevel:
    """Returns the level of a special register in any launch."""
    family = name.partition(".")[0]
    if family.startswith(_ENVIRONMENT):
        return UNIFORM
    return _SPECIALS.get(family, UNKNOWN)


def rule_of(
    instruction: DecodedInstruction, place: tuple[int, int] | None, decoder: Decoder
) -> Callable[[ValueLevel], ValueLevel] | None:
    """Returns what an instruction makes of the level of its operands; None for a plain function.

    `place`: which result is asked for, as in `Decoder.destination`.
    """
    build = _RULES.get(instruction.name)
    return None if build is None else build(instruction, place, decoder)


Rule = "Callable[[ValueLevel], ValueLevel]"


def _unknown(_: ValueLevel) -> ValueLevel:
    return UNKNOWN


def _same(operands: ValueLevel) -> ValueLevel:
    return operands


def _in_warp(operands: ValueLevel) -> ValueLevel:
    """Returns the level of what a load returns: other warps may load it at another time."""
    level = min(operands.level, Level.WARP)
    return ValueLevel(level, is_of_index=False)


def _at_least(level: Level) -> Callable[[ValueLevel], ValueLevel]:
    """Returns the rule of an instruction that makes all threads of a group agree."""

    def raised(operands: ValueLevel) -> ValueLevel:
        return operands if operands.level >= level else ValueLevel(level, operands.is_of_index)

    return raised


def _load(
    instruction: DecodedInstruction, _: tuple[int, int] | None, __: Decoder
) -> Callable[[ValueLevel], ValueLevel]:
    modifiers = instruction.modifiers
    spaces = {plain_space(each) for each in modifiers}
    if ".local" in spaces:
        return _unknown
    if spaces & {".param", ".const"} or ".nc" in modifiers or instruction.name == "ldu":
        return _same
    return _in_warp


def _shuffle(
    instruction: DecodedInstruction, place: tuple[int, int] | None, decoder: Decoder
) -> Callable[[ValueLevel], ValueLevel]:
    if ".sync" not in instruction.modifiers or place is None or place[0]:
        return _unknown
    return _unknown if shuffled_lane(instruction, decoder) is None else _at_least(Level.WARP)


def _vote(
    instruction: DecodedInstruction, place: tuple[int, int] | None, decoder: Decoder
) -> Callable[[ValueLevel], ValueLevel]:
    is_match = instruction.name == "match"
    if ".sync" not in instruction.modifiers or (is_match and ".any" in instruction.modifiers):
        return _unknown
    if not is_whole_warp(instruction, 1, decoder) or place is None:
        return _unknown
    if is_match or _SAME_FOR_ANY_LANES.isdisjoint(instruction.modifiers):
        return lambda _: _SEEN  # it depends on how many lanes there are
    return _at_least(Level.WARP)


def _elect(
    instruction: DecodedInstruction, place: tuple[int, int] | None, decoder: Decoder
) -> Callable[[ValueLevel], ValueLevel]:
    if place is None or place[0] or not is_whole_warp(instruction, 0, decoder):
        return _unknown
    return lambda _: ValueLevel(Level.WARP)


def _barrier(
    instruction: DecodedInstruction, _: tuple[int, int] | None, __: Decoder
) -> Callable[[ValueLevel], ValueLevel]:
    """Returns the rule of `bar.red`, whose threads are those of the block if it has no count."""
    plain = [each for each in instruction.operands if each.form is not OperandForm.VECTOR]
    if ".red" not in instruction.modifiers or len(plain) != 3:  # noqa: PLR2004  d, a, c
        return _unknown
    return lambda _: ValueLevel(Level.CTA)


_RULES: Final = {
    "ld": _load,
    "ldu": _load,
    "shfl": _shuffle,
    "vote": _vote,
    "redux": _vote,
    "match": _vote,
    "elect": _elect,
    "bar": _barrier,
    "barrier": _barrier,
}
