"""The rule wrong-address-space.

Source: PTX ISA, "Generic Addressing", "cvta" and "mapa".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.check import mistaken_accesses
from ptx_ls.lint.addresses.problems import WrongAddressSpace
from ptx_ls.lint.addresses.spaces import WRITABLE
from ptx_ls.lint.addresses.words import declaration
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.symbols import Symbol

_GENERIC: Final = "generic"
_SHARED: Final = ".shared"
_PARAM: Final = ".param"
_OF_LOW_BITS: Final = ("tcgen05.alloc", "tcgen05.commit")
"""Instructions for which the machine code has only the low 32 bits of a generic address."""


def find(seen: CheckInput) -> Iterator[WrongAddressSpace]:
    """Yields the addresses of another kind than an instruction takes."""
    for each in mistaken_accesses(seen):
        if isinstance(each, WrongAddressSpace) and not _has_same_low_bits(each, seen):
            yield each


def _has_same_low_bits(mismatch: WrongAddressSpace, seen: CheckInput) -> bool:
    """Whether only the low 32 bits matter, which both kinds of shared addresses have in common."""
    record = seen.text.records[mismatch.start[0]]
    spaces = {mismatch.given or mismatch.space, mismatch.needed, mismatch.space} - {_GENERIC, ""}
    is_shared = all(each.startswith(_SHARED) for each in spaces)
    return is_shared and isinstance(record, Shape) and record.opcode.startswith(_OF_LOW_BITS)


@rule(
    "wrong-address-space",
    on=WrongAddressSpace,
    severity=Severity.WARNING,
    find=find,
    given=mistaken_accesses,
)
def wrong_address_space(mismatch: WrongAddressSpace, context: RuleContext) -> Finding:
    """Reports an address whose state space does not match the instruction that uses it.

    ## Why is this bad?
    The address of a variable is an offset in its state space, and `cvta` converts it to a generic
    address. An instruction with a state space takes such an offset; an instruction without a state
    space takes a generic address. With any other address, the instruction accesses unrelated
    memory. A `.global` address equals its generic address, so both are accepted in either place. A
    kernel cannot write `.const` memory, so a store to a generic address that points there is
    reported, too.
    `tcgen05.alloc` and `tcgen05.commit` take either kind of address in shared memory, because the
    machine code only uses the low 32 bits, which are the same. A pointer that a kernel gets as a
    64-bit parameter never points to shared or local memory, unless `.ptr` says so. If a kernel with
    shared memory never uses a 64-bit parameter as a global pointer, the parameter may be an offset
    in shared memory, so the severity is information. In compiler output, such a parameter is not
    reported, because OpenCL compilers pass such offsets.

    Compilers pass generic addresses to functions. For a function in another module, an argument is
    reported if the mangled C++ name of the function shows that the parameter is a pointer. If the
    name is not mangled, the severity is information.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry store(.param .b32 value)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        .shared .b32 values[16];
        ld.param.b32 %r1, [value];
        cvta.shared.u64 %rd1, values;
        st.shared.b32 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry store(.param .b32 value)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        .shared .b32 values[16];
        ld.param.b32 %r1, [value];
        mov.b64 %rd1, values;
        st.shared.b32 [%rd1], %r1;
        ret;
    }
    ```
    """
    symbol = mismatch.symbol
    related = _origin(symbol, mismatch, context) if symbol is not None else ()
    if mismatch.needed == WRITABLE:
        return Finding(
            f"{quoted(mismatch.text)} is {_given(mismatch)}, which a kernel cannot write",
            related=related,
        )
    needed = (
        "a generic address" if mismatch.needed == _GENERIC else f"an address in `{mismatch.needed}`"
    )
    taker = f"`{mismatch.callee}`" if mismatch.callee else "this instruction"
    if mismatch.is_assumed:
        return Finding(
            f"{quoted(mismatch.text)} is {_given(mismatch)}, but functions such as {taker}, "
            f"which is in another module, usually take {needed}",
            severity=Severity.INFORMATION,
            related=related,
        )
    return Finding(
        f"{quoted(mismatch.text)} is {_given(mismatch)}, but {taker} expects {needed}",
        severity=Severity.INFORMATION if mismatch.is_from_outside else None,
        related=related,
    )


def _origin(
    symbol: Symbol, mismatch: WrongAddressSpace, context: RuleContext
) -> tuple[Related, ...]:
    """Returns the declaration of the variable or parameter on which the address is based."""
    found = declaration(symbol, context, has_size=False)
    if symbol.space != _PARAM or mismatch.space == _PARAM:
        return found
    text = f"the address comes from the parameter {quoted(symbol.name)}"
    return tuple(each._replace(message=text) for each in found)


def _given(mismatch: WrongAddressSpace) -> str:
    """Returns what kind of address is given."""
    if mismatch.given != _GENERIC:
        return f"an address in `{mismatch.given or mismatch.space}`"
    into = f" that points to `{mismatch.space}`" if mismatch.space else ""
    return f"a generic address{into}"
