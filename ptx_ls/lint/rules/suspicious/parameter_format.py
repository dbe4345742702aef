"""The rule parameter-format.

Source: PTX ISA, "Kernel Function Parameters": a load copies the bits of a parameter, whatever type
it is declared with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol

_OPCODES: Final = ("ld", "st")
_SPACE: Final = ".param"
_NUMBERS: Final = {".s": "an integer", ".u": "an integer", ".f": "a floating-point number"}


class ParameterFormat(NamedTuple):
    """An access to a parameter as another kind of number than it is declared with.

    `name`, `declared` and `type`: those of the parameter. `used`: the type of the access.
    `opcode`: the opcode without modifiers.
    """

    name: str
    declared: FunctionSpan
    type: str
    used: str
    opcode: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ParameterFormat]:
    """Yields the accesses of a function to parameters as another kind of number."""
    declared = {each.type for each in seen.facts.declared if each.space == _SPACE}
    shapes = {
        each
        for each in seen.text.shapes_of(_OPCODES)
        if _SPACE in each.opcode and any(_differs(it, _type_of(each)) for it in declared)
    }
    for found in seen.text.statements_of(seen.text.with_shapes(shapes)):
        if isinstance(found.record, Shape) and found.record in shapes:
            used = _type_of(found.record)
            symbol = _parameter(found, seen)
            if symbol is not None and _differs(symbol.type, used):
                yield _mismatch(found, found.record, symbol, used)


def _type_of(shape: Shape) -> str:
    return f".{shape.opcode.rpartition('.')[2]}"


def _parameter(found: Found, seen: CheckInput) -> Symbol | None:
    """Returns the scalar parameter that an access names as a whole."""
    name = found.text.partition("[")[2].partition("]")[0].strip()
    symbol = seen.facts.lookup(name, found.start)
    is_parameter = symbol is not None and symbol.kind in (
        SymbolKind.PARAMETER,
        SymbolKind.VARIABLE,
    )
    if symbol is None or not is_parameter or symbol.space != _SPACE or symbol.dimensions:
        return None
    return symbol


def _differs(declared: str, used: str) -> bool:
    """Whether one of two types of the same size is an integer and the other one a float."""
    kinds = {_NUMBERS.get(declared[:2]), _NUMBERS.get(used[:2])}
    return declared[2:] == used[2:] and None not in kinds and len(kinds) > 1


def _mismatch(found: Found, shape: Shape, symbol: Symbol, used: str) -> ParameterFormat:
    opcode = shape.opcode
    column = found.start[1] + found.text.index(opcode)
    start = FunctionPosition((found.start[0], column))
    end = FunctionPosition((start[0], column + len(opcode)))
    declared = symbol.start, symbol.end
    return ParameterFormat(symbol.name, declared, symbol.type, used, shape.name, start, end)


@rule(
    "parameter-format",
    on=ParameterFormat,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*(f"{each}{_SPACE}" for each in _OPCODES)),
)
def parameter_format(mismatch: ParameterFormat, _: RuleContext) -> Finding:
    """Reports a parameter that is declared as an integer and loaded as a float, or the reverse.

    ## Why is this bad?
    A load copies the bits of a parameter without a conversion. If the declared type is right, the
    register holds an unrelated number: the bits of the integer 3 are the float 4.2e-45. ptxas does
    not compare the two types. A load as `.b32` or `.b64` is not reported, because its type says
    nothing about the format.

    ## Example
    ```ptx
    .visible .entry scale(.param .u64 values, .param .u32 factor)
    {
        .reg .f32 %f<4>;
        .reg .b64 %rd<2>;
        ld.param.u64 %rd1, [values];
        ld.param.f32 %f1, [factor];
        ld.global.f32 %f2, [%rd1];
        mul.f32 %f3, %f1, %f2;
        st.global.f32 [%rd1], %f3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry scale(.param .u64 values, .param .f32 factor)
    {
        .reg .f32 %f<4>;
        .reg .b64 %rd<2>;
        ld.param.u64 %rd1, [values];
        ld.param.f32 %f1, [factor];
        ld.global.f32 %f2, [%rd1];
        mul.f32 %f3, %f1, %f2;
        st.global.f32 [%rd1], %f3;
        ret;
    }
    ```
    """
    verb = "loaded" if mismatch.opcode == "ld" else "stored"
    kind = _NUMBERS[mismatch.used[:2]]
    return Finding(
        f"`{mismatch.name}` is declared as `{mismatch.type}`, but is {verb} as {kind}",
        related=(Related(*mismatch.declared, f"`{mismatch.name}` is declared here"),),
    )
