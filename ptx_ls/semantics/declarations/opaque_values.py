"""Checks the initial values of textures, samplers and surfaces, which consist of named fields.

Source: PTX ISA, "Texture Sampler and Surface Types"; the fields are those that ptxas 13.5 accepts.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.initial_braces import braces_in, is_braced
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.values import (
    BadInitialValue,
    BadOpaqueValue,
    InitialValueFault,
    OpaqueFault,
)
from ptx_ls.semantics.problems.versions import too_old
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.parsing.nodes import end_of, is_inner, is_leaf, leaves, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from parso.tree import Leaf, NodeOrLeaf

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.symbols import Symbol

_SIZES: Final = ("width", "height", "depth", "channel_data_type", "channel_order", "array_size")
MODES: Final = ("filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2")
FIELDS: Final = {
    ".texref": (*_SIZES, "normalized_coords", *MODES, "num_mipmap_levels", "num_samples"),
    ".samplerref": ("force_unnormalized_coords", *MODES),
    ".surfref": (*_SIZES, "memory_layout"),
}
VALUES: Final = (
    "nearest",
    "linear",
    "wrap",
    "mirror",
    "clamp_ogl",
    "clamp_to_edge",
    "clamp_to_border",
)
"""Named values of fields."""
_WARP: Final = "WARP_SZ"
_NAMES: Final = ("word", "reg")
_SINCE: Final = {"channel_data_type": (2, 1), "channel_order": (2, 1)}
"""The version that introduced a field, if it was later than the others."""


def check_opaque(
    value: NodeOrLeaf, symbol: Symbol, origin: FunctionPosition, context: Context
) -> Iterator[BadOpaqueValue | BadInitialValue | Unavailable]:
    """Yields the faults of the initial value of an opaque variable in a statement at `origin`."""
    fields = FIELDS.get(symbol.type, ())
    if not is_braced(value):
        yield _bad(value, symbol, OpaqueFault.BRACES, fields, origin)
        return
    for braces, items, depth in braces_in(value):
        if depth > len(symbol.dimensions):
            yield _bad(braces, symbol, OpaqueFault.UNNAMED, fields, origin)
            return
        is_array = depth < len(symbol.dimensions)
        size = symbol.dimensions[depth] if is_array else None
        if size and len(items) > size:
            start, end = shifted(start_of(braces), origin), shifted(end_of(braces), origin)
            yield BadInitialValue(symbol, InitialValueFault.TOO_MANY, start, end)
        for item in items:
            if not is_braced(item):
                # ptxas ignores a named value in place of a whole element.
                legal = () if is_array else fields
                yield from _check_item(item, symbol, legal, origin, context)


def _check_item(
    item: NodeOrLeaf,
    symbol: Symbol,
    legal: tuple[str, ...],
    origin: FunctionPosition,
    context: Context,
) -> Iterator[BadOpaqueValue | Unavailable]:
    if item.type != "item" or not is_inner(item):
        yield _bad(item, symbol, OpaqueFault.UNNAMED, FIELDS[symbol.type], origin)
        return
    name, value = item.children[0], item.children[-1]
    if not is_leaf(name) or (legal and name.value not in legal):
        yield _bad(name, symbol, OpaqueFault.FIELD, legal, origin)
        return
    if legal:
        yield from _check_since(name, origin, context)
    if is_braced(value) or not is_value(value):
        yield _bad(value, symbol, OpaqueFault.VALUE, VALUES, origin)


def is_value(value: NodeOrLeaf) -> bool:
    """Whether a value is a named value of a field or a constant expression."""
    if is_leaf(value) and value.type != "string":
        return value.type not in _NAMES or value.value in (*VALUES, _WARP)
    parts = list(leaves(value))
    is_named = any(leaf.type in _NAMES and leaf.value != _WARP for leaf in parts)
    is_text = any(leaf.type == "string" or leaf.value in ("[", "{") for leaf in parts)
    called = any(
        leaf.type == "number" and after.value == "(" for leaf, after in pairwise(parts)
    )  # a mask
    return not (is_named or is_text or called)


def _check_since(name: Leaf, origin: FunctionPosition, context: Context) -> Iterator[Unavailable]:
    """Yields fields that the module's version does not have yet."""
    since = _SINCE.get(name.value)
    if since is None or context.version is None or context.version >= since:
        return
    start, end = shifted(start_of(name), origin), shifted(end_of(name), origin)
    yield Unavailable(name.value, too_old(context.version, since), start, end)


def _bad(
    node: NodeOrLeaf,
    symbol: Symbol,
    fault: OpaqueFault,
    legal: tuple[str, ...],
    origin: FunctionPosition,
) -> BadOpaqueValue:
    text = "".join([leaf.value for leaf in leaves(node)])
    start, end = shifted(start_of(node), origin), shifted(end_of(node), origin)
    return BadOpaqueValue(symbol, fault, text, legal, start, end)
