"""Mistakes in accesses to memory, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.symbols import Symbol


class OutOfBounds(NamedTuple):
    """An access that reaches beyond a variable of `n_bytes` bytes.

    `low` and `high`: the smallest and largest offset of the first byte. `is_sometimes`: whether
    only the access at one of these is outside, which surely happens. `size`: the number of bytes
    that are accessed there. `callee`: the called function that makes the access, or "".
    `is_assumed`: whether it only happens if a number from memory may have any bits, or if a block
    has more threads than the variable has elements.
    """

    symbol: Symbol
    n_bytes: int
    low: int
    high: int
    size: int
    start: FunctionPosition
    end: FunctionPosition
    is_sometimes: bool = False
    callee: str = ""
    is_assumed: bool = False


class MisalignedAccess(NamedTuple):
    """An access at an address that is not a multiple of `needed`.

    `text`: the address. `symbol`: the variable or the pointer parameter on which the address is
    based, if any; `known`: what its address or value is a multiple of. `remainder`: how far the
    address is from a multiple of that number, or of `needed` if that is smaller; 0 if it depends on
    the place of the variable whether the access is aligned. `callee`: as in `OutOfBounds`.
    `is_of_parameter`: whether that is so because the pointer in the parameter is aligned as usual.
    `is_assumed`: as in `OutOfBounds`.
    """

    symbol: Symbol | None
    text: str
    needed: int
    known: int
    remainder: int
    start: FunctionPosition
    end: FunctionPosition
    is_sometimes: bool = False
    is_by_compiler: bool = False
    callee: str = ""
    is_of_parameter: bool = False
    is_assumed: bool = False


class WrongAddressSpace(NamedTuple):
    """An address that an instruction takes for one of another kind.

    `text`: the address or operand. `given`: what kind of address it is, and `needed`: what the
    instruction takes: a state space, `generic`, or `writable`. `space`: the state space into which
    the address points, if known. `symbol`: the variable or the pointer parameter on which it is
    based, if any.
    `callee`: the called function that takes the address, or "". `is_assumed`: whether only the
    usual convention says what that function takes. `is_from_outside`: whether it is only assumed
    that the parameter is a pointer, which does not point to the kernel's own memory.
    """

    text: str
    given: str
    needed: str
    space: str
    symbol: Symbol | None
    start: FunctionPosition
    end: FunctionPosition
    callee: str = ""
    is_assumed: bool = False
    is_from_outside: bool = False


class TruncatedAddress(NamedTuple):
    """A 64-bit address of which only the low 32 bits are left.

    `text`: the address. `pointer`: the variable or pointer on which it is based. `made`: the
    instruction that writes the narrow value; None if it loads only a part of the parameter.
    """

    text: str
    pointer: str
    made: FunctionSpan | None
    start: FunctionPosition
    end: FunctionPosition


class InvalidAddress(NamedTuple):
    """An address that is not the sum of one pointer or variable and an index.

    `text`: the address. `value`: the sum. `pointers`: the pointers in it that are added; those that
    are subtracted if none is. `space`: the state space if it has to be an address of a variable
    there; "" for global and generic addresses.
    """

    text: str
    value: str
    pointers: tuple[str, ...]
    is_subtracted: bool
    start: FunctionPosition
    end: FunctionPosition
    space: str = ""


class ZeroExtendedIndex(NamedTuple):
    """An address whose index is negative, but was extended to 64 bits with zeros.

    `register`: the one with the index. `value`: a value that the index surely has. `made`: the
    instruction that computes it.
    """

    register: str
    value: int
    made: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition
