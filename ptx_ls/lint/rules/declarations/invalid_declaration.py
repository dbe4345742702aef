"""The rule invalid-declaration."""

from __future__ import annotations

from typing import Final

from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.lint.fixes.text import blank_before, replaced
from ptx_ls.lint.rule import Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.declarations import BadDeclaration, DeclarationFault
from ptx_ls.syntax.offsets import after
from ptx_ls.syntax.tokens import tokenize

_BRACES: Final = {"{": 1, "}": -1}
_MESSAGES: Final = {
    DeclarationFault.ALIGNMENT: "the alignment of `{name}` is not a power of two",
    DeclarationFault.PREDICATE_IN_MEMORY: "predicate `{name}` is in `{space}`, expected `.reg`",
    DeclarationFault.PREDICATE_VECTOR: "`{name}` cannot be a vector of predicates",
    DeclarationFault.VECTOR_TOO_LARGE: "vector `{name}` is wider than 128 bits",
    DeclarationFault.REGISTER_ARRAY: (
        "register `{name}` cannot be an array: registers have no address"
    ),
    DeclarationFault.NEGATIVE_SIZE: "the size of `{name}` is negative",
    DeclarationFault.NO_SIZE: "array `{name}` has no size, which is allowed only for `.extern`",
    DeclarationFault.COUNT: "the number of registers in `{name}<...>` does not fit in 32 bits",
    DeclarationFault.INITIALIZED: "`{name}` cannot have an initial value, because it is {space}",
    DeclarationFault.MODULE_SCOPE: "`{space}` variable `{name}` is declared outside of a function",
    DeclarationFault.KERNEL_RESULT: "a kernel cannot have a result",
    DeclarationFault.KERNEL_SPACE: "kernel parameter `{name}` is in `{space}`, expected `.param`",
    DeclarationFault.KERNEL_ARRAY: "kernel parameter `{name}` cannot be an array without a size",
    DeclarationFault.RESULTS: (
        "`{name}` is not in `.reg`, but a function with several results needs all of them in `.reg`"
    ),
    DeclarationFault.FUNCTION_SPACE: (
        "parameter `{name}` is in `{space}`, expected `.param` or `.reg`"
    ),
    DeclarationFault.POINTER: "`.ptr` is allowed only on kernel parameters, not on `{name}`",
    DeclarationFault.LATE_ALIGNMENT: (
        "`.align` comes after the type of `{name}`, which is allowed only for kernel parameters"
    ),
    DeclarationFault.PARAMETER_VECTOR: "parameter `{name}` in `.param` cannot be a vector",
    DeclarationFault.LOCAL_LINKAGE: "`{name}` cannot be `{linkage}` inside a function",
    DeclarationFault.COMMON: (
        "`{name}` is `.common`, which is allowed only for `.global` variables other than "
        "textures, samplers and surfaces"
    ),
    DeclarationFault.EXTERN_BODY: "`{name}` is `.extern` but has a body",
    DeclarationFault.TYPE: "`{type}` is allowed only in instructions, not in declarations",
    DeclarationFault.DATA_TYPE: (
        "`{name}` has the type `{type}`, which is allowed only for data in a section"
    ),
    DeclarationFault.TYPE_PARAMETER: (
        "`{name}` has the type `{type}`, which is not allowed in `.param`"
    ),
    DeclarationFault.TYPE_VECTOR: "`{name}` is a vector of `{type}` with an unsupported size",
    DeclarationFault.POINTED: (
        "the state space after `.ptr` of `{name}` must be `.global`, `.const`, `.shared` or "
        "`.local`"
    ),
    DeclarationFault.POINTED_ALIGNMENT: (
        "`.ptr` of `{name}` has an alignment that is not a power of two"
    ),
    DeclarationFault.PREDEFINED: "`{name}` is a special register, so it cannot be declared",
    DeclarationFault.NAME: "`{name}` contains a dot, which is not allowed in a name",
    DeclarationFault.SAMPLER: "sampler `{name}` needs `.target ..., texmode_independent`",
    DeclarationFault.RESERVED_SPACE: "`{name}` is in `{space}`, where nothing can be declared",
    DeclarationFault.OPAQUE_SPACE: "`{type}` variable `{name}` is in `{space}`, expected `.global`",
    DeclarationFault.OPAQUE_VECTOR: "`{name}` cannot be a vector of `{type}`",
    DeclarationFault.OPAQUE_SCOPE: (
        "texture, sampler or surface `{name}` must be declared in the module or be a kernel "
        "parameter"
    ),
}


@rule("invalid-declaration", on=BadDeclaration)
def invalid_declaration(mismatch: BadDeclaration, context: RuleContext) -> Finding:
    """Reports a declaration that contradicts itself.

    ## Why is this bad?
    ptxas rejects the module. For example, predicates must be registers, registers must be declared
    in a function, and only `.global` and `.const` variables can have initial values.

    ## Example
    ```ptx
    .shared .b32 count = 1;
    ```

    Use instead:
    ```ptx
    .shared .b32 count;
    ```
    """
    symbol, fault = mismatch.symbol, mismatch.fault
    space, is_initialized = symbol.space, fault is DeclarationFault.INITIALIZED
    if is_initialized:
        is_external = not symbol.is_definition and symbol.linkage
        space = f"`{symbol.linkage}`" if is_external else f"in `{space}`"
    message = _MESSAGES[fault].format(
        name=symbol.name, space=space, type=symbol.type, linkage=symbol.linkage
    )
    if is_initialized:
        return Finding(message, repairs=_without_value(mismatch.start, context))
    size = symbol.alignment or 0
    if fault is DeclarationFault.ALIGNMENT and size & (size - 1):
        power = 1 << size.bit_length()
        message = f"the alignment of `{symbol.name}` is {size:,}, expected a power of two"
        line, column = mismatch.start
        text = context.lines[line][column : mismatch.end[1]]
        if text == str(size):
            return Finding(message, repairs=replaced(mismatch, str(power)))
        return Finding(message)
    return Finding(message)


def _without_value(start: FunctionPosition, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that removes the initial value whose `=` is at `start`."""
    line, column = start
    text = context.lines[line]
    begin = column - len(blank_before(text, column))
    depth = 0
    for token in tokenize(after(text, column)):
        depth += _BRACES.get(token.string, 0)
        if depth == 0 and token.string in (",", ";"):
            edit = SpanEdit(*on_row(line, begin, column + token.start[1]), "")
            return (Repair("Remove the initial value", (edit,)),)
    return ()
