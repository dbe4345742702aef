"""Checks the arguments and return values of a call against the parameters of the function.

Source: PTX ISA, "call", as ptxas 13.5 applies it: untyped bits fit all types of their size,
integers do not fit floating-point types, and alignments have to be equal.
"""

from __future__ import annotations

from typing import Final

from ptx_ls import isa
from ptx_ls.isa.articles import with_indefinite
from ptx_ls.semantics.constants.values import type_of
from ptx_ls.semantics.problems.calls import CallFault
from ptx_ls.semantics.symbols.symbols import UNKNOWN_TYPE, Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.tokens import FLOAT, tokenize

_BEFORE_NUMBERS: Final = "-+( \t\r\n"
_PREDICATE: Final = ".pred"
_PACKED: Final = ".f16x2"
"""The type that ptxas accepts for all types of 32 bits, including predicates."""
_FAMILIES: Final = {
    ".f16": "float",
    ".f32": "float",
    ".f64": "float",
    _PREDICATE: "predicate",
}
_COMPUTED: Final = {".f64": "float", ".s64": "integer"}
_MAX_VECTOR_BYTES: Final = 8
"""Maximum size, in bytes, of a vector parameter for which a constant is accepted."""
_PREDICATE_BYTES: Final = 4
"""Size of a predicate, in bytes, which matters for alignments only."""


class Misfit(NamedTuple):
    """A mismatch, with what was found and what was expected: numbers of bytes, or types."""

    fault: CallFault
    found: int = 0
    wanted: int = 0
    found_type: str = ""
    wanted_type: str = ""


def misfit_of_literal(text: str, formal: Symbol) -> Misfit | None:
    """Returns why a constant cannot be an argument for `formal`; None if it can."""
    family = _family(formal.type)
    given = _COMPUTED.get(type_of(text)) or _first_family(text)
    if _takes_no_literal(formal, text):
        return Misfit(CallFault.SHAPE, found_type="a constant", wanted_type=describe(formal))
    if formal.vector_size > 1 or family in ("", given):
        return None
    return Misfit(
        CallFault.TYPE,
        found_type=f"{with_indefinite(given)} constant",
        wanted_type=describe(formal),
    )


def _first_family(text: str) -> str:
    """Returns the kind of the first number in an invalid expression: "float" or "integer"."""
    first = next(tokenize(text.lstrip(_BEFORE_NUMBERS)))
    return "float" if first.type is FLOAT else "integer"


def _takes_no_literal(formal: Symbol, text: str) -> bool:
    """Whether a parameter does not accept the constant `text`.

    Arrays, long vectors and alternate floating-point formats accept none; `.f16x2` only `0f`.
    """
    if formal.type == _PACKED or (formal.vector_size > 1 and _bytes(formal) == _PREDICATE_BYTES):
        return not text.lstrip(_BEFORE_NUMBERS).startswith(("0f", "0F"))
    facts = isa.database().type_facts.get(formal.type, (0, ""))
    is_long = formal.vector_size > 1 and _bytes(formal) > _MAX_VECTOR_BYTES
    return bool(formal.dimensions) or is_long or facts[1] == "alternate"


def misfit(symbol: Symbol, formal: Symbol) -> Misfit | None:
    """Returns why a name cannot be an argument for `formal`, or receive it; None if it can."""
    if UNKNOWN_TYPE in (symbol.type, formal.type):
        return None
    return (
        _operand_misfit(symbol)
        or _shape_misfit(symbol, formal)
        or _type_misfit(symbol, formal)
        or _alignment_misfit(symbol, formal)
    )


def _operand_misfit(symbol: Symbol) -> Misfit | None:
    if symbol.kind is SymbolKind.REGISTER:
        return None
    if symbol.kind is SymbolKind.PARAMETER:
        return Misfit(CallFault.HANDED_ON)
    if symbol.kind is SymbolKind.VARIABLE and symbol.space == ".param":
        return None
    kind = f"in {symbol.space}" if symbol.kind is SymbolKind.VARIABLE else f"a {symbol.kind}"
    return Misfit(CallFault.OPERAND, found_type=kind)


def _shape_misfit(symbol: Symbol, formal: Symbol) -> Misfit | None:
    """Returns the mismatch of symbols with different numbers of dimensions."""
    if len(symbol.dimensions) == len(formal.dimensions):
        return None
    found, wanted = describe(symbol), describe(formal)
    return Misfit(CallFault.SHAPE, found_type=found, wanted_type=wanted)


def _type_misfit(symbol: Symbol, formal: Symbol) -> Misfit | None:
    found, wanted = _size(symbol), _size(formal)
    if found and wanted and found != wanted:
        return Misfit(CallFault.SIZE, found, wanted)
    if symbol.vector_size > 1 or formal.vector_size > 1 or _is_open(formal):
        return None
    families = {_family(symbol.type), _family(formal.type)}
    is_packed = _PACKED in (symbol.type, formal.type)
    has_predicate = "predicate" in families and not is_packed
    if len(families) == 1 or ("" in families and not has_predicate):
        return None
    return Misfit(CallFault.TYPE, found_type=describe(symbol), wanted_type=describe(formal))


def _alignment_misfit(symbol: Symbol, formal: Symbol) -> Misfit | None:
    found, wanted = alignment(symbol), alignment(formal)
    if found and wanted and found != wanted:
        return Misfit(CallFault.ALIGNMENT, found, wanted)
    return None


def _is_open(formal: Symbol) -> bool:
    """Whether a parameter accepts arrays of any size."""
    return bool(formal.dimensions) and not formal.dimensions[0]


def _family(name: str) -> str:
    """Returns the family of a type; untyped bits ("") fit all families except predicates."""
    known = isa.database().type_facts.get(name)
    if known is not None and known[1] in ("signed", "unsigned"):
        return "integer"
    return _FAMILIES.get(name, "")


def _size(symbol: Symbol) -> int:
    """Returns the size in bytes; 0 for an array without a size."""
    size = _bytes(symbol)
    for dimension in symbol.dimensions:
        size *= dimension or 0
    return size


def _bytes(symbol: Symbol) -> int:
    """Returns the size in bytes of one array element, which may be a whole vector."""
    if symbol.type == _PREDICATE:
        return _PREDICATE_BYTES
    return isa.database().type_facts.get(symbol.type, (0, ""))[0] // 8 * symbol.vector_size


def alignment(symbol: Symbol) -> int:
    """Returns the alignment in bytes, at least that of the type; 0 if unknown."""
    return max(symbol.alignment or 0, _bytes(symbol)) if _bytes(symbol) else 0


def describe(symbol: Symbol) -> str:
    """Returns the type as in a declaration: `.v2 .f32`, `.align 8 .b8[16]`."""
    vector = f".v{symbol.vector_size} " if symbol.vector_size > 1 else ""
    sizes = "".join(f"[{'' if size is None else size}]" for size in symbol.dimensions)
    aligned = f".align {symbol.alignment} " if symbol.alignment and sizes else ""
    return f"{aligned}{vector}{symbol.type}{sizes}"
