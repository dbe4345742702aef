"""Initial values of textures, samplers and surfaces: their fields by name.

Source: PTX ISA, "Texture Sampler and Surface Types"; which fields ptxas 13.5 knows of each.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from parso.tree import BaseNode, Leaf, NodeOrLeaf

from ptx_ls.syntax.parser import end_of, leaves, start_of
from ptx_ls.syntax.places import shifted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols import Symbol
    from ptx_ls.syntax.places import Place

_SIZES: Final = ("width", "height", "depth", "channel_data_type", "channel_order", "array_size")
_MODES: Final = ("filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2")
FIELDS: Final = {
    ".texref": (*_SIZES, "normalized_coords", *_MODES, "num_mipmap_levels", "num_samples"),
    ".samplerref": ("force_unnormalized_coords", *_MODES),
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
"""What a field may be beside a number."""
_WARP: Final = "WARP_SZ"


class OpaqueFault(Enum):
    """What is wrong with an initial value of a texture, sampler or surface."""

    BRACES = auto()
    """It is a single value without braces."""
    UNNAMED = auto()
    FIELD = auto()
    VALUE = auto()


class BadOpaqueValue(NamedTuple):
    """An initial value that `symbol` cannot have; `text` as written, `legal` what may be there."""

    symbol: Symbol
    fault: OpaqueFault
    text: str
    legal: tuple[str, ...]
    start: Place
    end: Place


def check_opaque(
    value: NodeOrLeaf, symbol: Symbol, origin: tuple[int, int]
) -> Iterator[BadOpaqueValue]:
    """What is wrong with the initial value of an opaque variable in a statement at `origin`."""
    fields = FIELDS.get(symbol.type, ())
    if value.type != "vector" or not isinstance(value, BaseNode):
        yield _bad(value, symbol, OpaqueFault.BRACES, fields, origin)
        return
    for item in value.children:
        if item.type == "vector":
            yield from check_opaque(item, symbol, origin)
        elif item.type != "operator":
            yield from _check_item(item, symbol, fields, origin)


def _check_item(
    item: NodeOrLeaf, symbol: Symbol, fields: tuple[str, ...], origin: tuple[int, int]
) -> Iterator[BadOpaqueValue]:
    if item.type != "item" or not isinstance(item, BaseNode):
        yield _bad(item, symbol, OpaqueFault.UNNAMED, fields, origin)
        return
    name, value = item.children[0], item.children[-1]
    if not isinstance(name, Leaf) or name.value not in fields:
        yield _bad(name, symbol, OpaqueFault.FIELD, fields, origin)
        return
    is_name = isinstance(value, Leaf) and value.type in ("word", "reg", "string")
    if is_name and value.value not in (*VALUES, _WARP):
        yield _bad(value, symbol, OpaqueFault.VALUE, VALUES, origin)


def _bad(
    node: NodeOrLeaf,
    symbol: Symbol,
    fault: OpaqueFault,
    legal: tuple[str, ...],
    origin: tuple[int, int],
) -> BadOpaqueValue:
    text = "".join([leaf.value for leaf in leaves(node)])
    start, end = shifted(start_of(node), origin), shifted(end_of(node), origin)
    return BadOpaqueValue(symbol, fault, text, legal, start, end)
