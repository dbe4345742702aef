"""Operands as the checks of the ISA take them: as written, with their declared types.

`ptx_ls.semantics` makes them from syntax and declarations.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple

MEMORY_SPACES: Final = frozenset({".global", ".shared", ".local", ".const", ".param"})
"""The state spaces that an instruction can name for an address."""
OPAQUE_TYPES: Final = frozenset({".texref", ".samplerref", ".surfref"})
"""The types of textures, samplers and surfaces."""
COMPONENTS: Final = frozenset({".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a"})
"""The names of the elements of a vector in a register."""


class OperandKind(StrEnum):
    """The kind of a written operand."""

    REGISTER = "register"
    SPECIAL_REGISTER = "special register"
    INTEGER = "integer"
    FLOAT = "float"
    STRING = "string"
    NAME = "name"
    ADDRESS = "address"
    VECTOR = "vector"
    LIST = "list"
    SINK = "sink"
    EXPRESSION = "expression"
    UNKNOWN = "unknown"


class Operand(NamedTuple):
    """One operand of an instruction.

    `type`: the declared type with its dot (`.b32`, `.pred`), for a vector register that of an
    element, or "" if unknown. `space`: what a NAME refers to: `label`, `function`, `branchtargets`,
    `prototype`, or the state space of a variable (`.global`). `elements`: the parts of an ADDRESS
    (base first), a VECTOR or a LIST. An operand of kind UNKNOWN fits everywhere.
    """

    kind: OperandKind
    type: str = ""
    elements: tuple[Operand, ...] = ()
    space: str = ""
    negation: str = ""
    paired: Operand | None = None
    selector: str = ""
    value: int | float | None = None
    text: str = ""
    vector_size: int = 1
    offset: bool = False
    is_array: bool = False
