"""Ranks symbols by how well they fit the operand at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion.complete_call import holds
from ptx_ls.features.completion.operand_fit import OperandFit, count_operands
from ptx_ls.features.signature.signature_call import formal
from ptx_ls.isa.operand import OPAQUE_TYPES
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.symbols import Facts, Symbol
    from ptx_ls.syntax.tokens import Token

BRANCHES: Final = frozenset({"bra", "brx"})
HALVES: Final = {".b32": ".b16", ".b64": ".b32", ".b128": ".b64"}
"""The types that `mov` packs, and those of their parts."""
UNFIT: Final = "7"
"""The rank of registers that do not fit."""
_OF_OPAQUE: Final = ("tex", "tld4", "txq", "sul", "sus", "sur", "suq", "istypep")
_SPACES: Final = (".param", ".shared", ".global", ".const", ".local")
_ADDRESS_SIZES: Final = (32, 64)
_INTEGERS: Final = ("bits", "unsigned", "signed")


class OperandRanks:
    """Ranks symbols by how well they fit the place: "0" is best, "" is not offered."""

    def __init__(self, analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> None:
        self.fit = OperandFit(analysis, place, statement)
        self._opcode = statement[0].string.partition(".")[0]
        self._inside = place.inside
        self._number = count_operands(statement)
        is_call = self._opcode == "call" and self._inside.endswith("(")
        function = analysis.function_at(place.range.start)
        results = function.symbol.returns if function is not None else ()
        self._results = frozenset(each.name for each in results)
        self._is_of_kernel = function is not None and function.symbol.kind is SymbolKind.KERNEL
        self._formal = formal(analysis, place, statement) if is_call else None
        self._in_address = place.inside.endswith("[")
        self._address_size = analysis.context.address_size
        modifiers = [modifier.partition("::")[0] for modifier in self.fit.modifiers]
        self._space = next((name for name in modifiers if name in _SPACES), "")
        self.is_parameter = self._in_address and self._space == ".param"
        """Whether the name is one in `.param` space; these are used one after the other."""
        self._sibling = _sibling_type(analysis, place, self.fit)
        self._known: dict[tuple[Facts, bool], str] = {}

    def of(self, symbol: Symbol) -> str:
        """Returns the rank of a symbol, which symbols with the same facts share.

        A parameter and a result of a function may have the same facts.
        """
        key = symbol.facts, symbol.name in self._results
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._of(symbol)
        return known

    def _of(self, symbol: Symbol) -> str:
        kind = symbol.kind
        if kind is SymbolKind.LABEL:
            return "0" if self._opcode == "bra" else ""
        if self._opcode in BRANCHES and (self._opcode != "brx" or self._number):
            return "0" if kind is SymbolKind.BRANCH_TARGETS else ""
        if self._opcode == "call" and kind in (SymbolKind.KERNEL, SymbolKind.FUNCTION):
            return "0" if kind is SymbolKind.FUNCTION and not self._inside else ""
        if self._opcode == "call" and self._inside.endswith("("):
            return self._argument(symbol)
        if self._inside:
            is_vector = kind is SymbolKind.REGISTER and symbol.vector_size > 1
            rank = self._in_brackets if self._in_address else self._element
            return "" if is_vector else rank(symbol)
        fits = self.fit.fits(symbol.facts)
        if kind is SymbolKind.REGISTER:
            if fits is None and symbol.vector_size > 1:
                return "3"
            return UNFIT if fits is False else self._rank(symbol.type, fits=fits)
        return "3" if fits is not False or self._opcode == "call" else ""

    def _rank(self, kind: str, *, fits: bool | None) -> str:
        """Returns the rank of a register that may fit: best by type, then by width."""
        if kind in self.fit.types:
            return "0"
        types = isa.database().types
        own, wanted = types.get(kind), [types[name] for name in self.fit.types if name in types]
        if own is None or not wanted:
            return "1" if fits else "2"
        is_like = any(
            own.bits == each.bits and (fits or "bits" in (own.type_class, each.type_class))
            for each in wanted
        )
        return "1" if is_like else "2"

    def _argument(self, symbol: Symbol) -> str:
        """Returns the rank of a symbol in a list of arguments or results."""
        if symbol.kind is SymbolKind.REGISTER:
            if self._formal is None or symbol.vector_size > 1:
                return "2" if symbol.vector_size == 1 else ""
            is_same = symbol.type == self._formal.type
            return "1" if is_same else "2" if holds(symbol.type, self._formal.type) else UNFIT
        if symbol.kind is not SymbolKind.VARIABLE or symbol.space != ".param":
            return ""
        is_like = self._formal is not None and symbol.type == self._formal.type
        return "0" if is_like or self._formal is None else "3"

    def _in_brackets(self, symbol: Symbol) -> str:
        fits = self.fit.fits(symbol.facts)
        if fits is False:
            return ""
        if symbol.kind is SymbolKind.REGISTER:
            return self._address(symbol)
        if symbol.kind not in (SymbolKind.VARIABLE, SymbolKind.PARAMETER):
            return ""
        return self._variable(symbol, fits=fits)

    def _variable(self, symbol: Symbol, *, fits: bool | None) -> str:
        """Returns the rank of a variable or parameter as an address."""
        if symbol.space == ".param" and self._is_of_other(symbol):
            return ""
        if symbol.name in self._results:
            return "1" if self._opcode == "st" else "5"
        if fits is None and self._space and symbol.space != self._space:
            return "5"
        if symbol.type in OPAQUE_TYPES:  # ptxas lets other instructions access them like data
            return "0" if self._opcode.startswith(_OF_OPAQUE) else "5"
        if self.fit.is_generic or (fits is None and not self._space):
            return "2"
        return self._likeness(symbol)

    def _is_of_other(self, symbol: Symbol) -> bool:
        """Whether one of symbol and access is for a kernel's parameters, the other for a call's."""
        if symbol.kind is not SymbolKind.PARAMETER:
            return ".param::entry" in self.fit.modifiers
        is_of_call = self._opcode == "st" or ".param::func" in self.fit.modifiers
        return is_of_call and self._is_of_kernel

    def _address(self, symbol: Symbol) -> str:
        """Returns the rank of a register as an address."""
        info = isa.database().types.get(symbol.type)
        is_address = info is not None and info.type_class in _INTEGERS
        if info is None or not is_address or info.bits < min(_ADDRESS_SIZES):
            return ""
        if self.is_parameter:
            return "4"
        is_usual = info.bits == self._address_size or self._space == ".shared"
        return ("0" if self._space else "1") if is_usual else "3"

    def _likeness(self, symbol: Symbol) -> str:
        """Returns the rank of a variable by its type and the access; arrays are read in pieces."""
        types = isa.database().types
        accessed = next((name for name in reversed(self.fit.modifiers) if name in types), "")
        is_whole = symbol.space == ".param" and not symbol.dimensions and symbol.type in types
        if not accessed or not is_whole or symbol.type == accessed:
            return "0"
        return "1" if types[symbol.type].bits == types[accessed].bits else "2"

    def _element(self, symbol: Symbol) -> str:
        """Returns the rank of a symbol in a vector in braces or a list of arguments."""
        if symbol.kind is not SymbolKind.REGISTER:
            return "3" if self._inside.endswith("(") else ""
        if self.fit.fits(symbol.facts) is False:
            return UNFIT
        types = isa.database().types
        own, other = types.get(symbol.type), types.get(self._sibling)
        if symbol.type == self._sibling or own is None or other is None:
            return "0" if symbol.type == self._sibling else "3"
        if own.bits != other.bits:
            return "3"
        return "1" if own.type_class == "bits" else "2"


def _sibling_type(analysis: Analysis, place: TypingPlace, fit: OperandFit) -> str:
    """Returns the type of the last register in the same braces, or else of the instruction."""
    for token in reversed(place.before):
        if token.string in ("{", "("):
            break
        declared = analysis.lookup(token.string, place.range.start)
        if declared is not None and declared.symbol.kind is SymbolKind.REGISTER:
            return declared.symbol.type
    types = isa.database().types
    found = next((name for name in reversed(fit.modifiers) if name in types), "")
    if place.inside == "{":
        found = fit.types[0] if fit.types else found
        # The parts of a `mov` are half as wide as its type.
        is_pack = place.before[place.guard].string == f"mov{found}"
        return HALVES.get(found, found) if is_pack else found
    return found
