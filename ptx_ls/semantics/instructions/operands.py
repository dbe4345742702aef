"""Converts operands as written to operands with types, which the ISA check takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa import Operand, OperandKind
from ptx_ls.semantics.symbols.symbols import UNKNOWN_TYPE, Facts, SymbolKind
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.names import is_name
from ptx_ls.syntax.operands import FLOATS, OperandForm, OperandSyntax

if TYPE_CHECKING:
    from collections.abc import Sequence

SPECIAL: Final = "special register"
CONSTANT: Final = "constant"
UNDECLARED: Final = Facts("")

_WARP: Final = "WARP_SZ"
_UNIFIED: Final = ".unified"
_COMPONENTS: Final = frozenset({".x", ".y", ".z", ".w", ".r", ".g", ".a"})
_SIGNS: Final = "-+!~ \t\r\n"
_SIGNS_OF_NAMES: Final = "-!~ \t\r\n"
_LITERALS: Final = {
    OperandForm.INTEGER: (OperandKind.INTEGER, ""),
    OperandForm.FLOAT32: (OperandKind.FLOAT, ".f32"),
    OperandForm.FLOAT64: (OperandKind.FLOAT, ".f64"),
    OperandForm.DECIMAL: (OperandKind.FLOAT, ""),
    OperandForm.STRING: (OperandKind.STRING, ""),
    OperandForm.SINK: (OperandKind.SINK, ""),
}
_GROUPS: Final = {
    OperandForm.ADDRESS: OperandKind.ADDRESS,
    OperandForm.VECTOR: OperandKind.VECTOR,
    OperandForm.LIST: OperandKind.LIST,
}
_SPACES: Final = {
    SymbolKind.LABEL.value: "label",
    SymbolKind.FUNCTION.value: "function",
    SymbolKind.KERNEL.value: "kernel",
    SymbolKind.PROTOTYPE.value: "prototype",
    SymbolKind.BRANCH_TARGETS.value: "branchtargets",
    SymbolKind.CALL_TARGETS.value: "calltargets",
}


def to_operand(written: OperandSyntax, facts: Sequence[Facts], *, values: bool) -> Operand:
    """Returns the operand in the form that the ISA check takes.

    `facts` has an item for each identifier of the statement. `values`: whether the numbers are
    those of a statement (a shape has zeros in their place).
    """
    if written.form is OperandForm.IDENTIFIER:
        return _named(written, facts, values=values)
    literal = _LITERALS.get(written.form)
    if literal is not None:
        kind, type_name = literal
        value = _value_of(written) if values else None
        signs = written.negation.replace("-", "")
        paired = to_operand(written.paired, facts, values=values) if written.paired else None
        return Operand(
            kind, type_name, negation=signs, paired=paired, value=value, text=written.text
        )
    elements = tuple(to_operand(element, facts, values=values) for element in written.elements)
    return _composed(written, elements, facts, values=values)


def _composed(
    written: OperandSyntax,
    elements: tuple[Operand, ...],
    facts: Sequence[Facts],
    *,
    values: bool,
) -> Operand:
    """Returns an operand that consists of these elements."""
    group = _GROUPS.get(written.form)
    if group is None:
        return _computed(written, elements, values=values)
    paired = to_operand(written.paired, facts, values=values) if written.paired else None
    return Operand(
        group,
        elements=elements,
        selector=written.selector,
        negation=written.negation,
        paired=paired,
    )


def _value_of(written: OperandSyntax) -> float | None:
    """Returns the value of a number with the signs before it."""
    if not written.negation.replace("-", ""):
        return number(written.text)
    return _constant(written.text)


def _computed(written: OperandSyntax, elements: tuple[Operand, ...], *, values: bool) -> Operand:
    """Returns the operand for a constant expression."""
    return Operand(
        OperandKind.EXPRESSION,
        _type_of(written.text),
        elements,
        negation=written.negation,
        value=_constant(written.text) if values else None,
        text=written.text,
    )


def misuse(written: OperandSyntax, *, is_part: bool = False) -> str:
    """Returns why ptxas rejects an operand in any instruction; "" if it does not.

    A sum must be `name + constant`; `p|q` and `name[index]` are not sums. `is_part`: whether the
    operand is in brackets, braces or parentheses, where names have no sign.
    """
    if _is_masked(written.text):
        return "an argument list cannot follow a number"
    if written.form is OperandForm.EXPRESSION and written.identifier >= 0:
        return "an argument list cannot follow this name"
    if written.form is OperandForm.EXPRESSION and any(map(_has_name, written.elements)):
        return "a name must come first, as in `name + constant`"
    if written.form is not OperandForm.IDENTIFIER:
        return ""
    if _is_warp_size(written):
        return "a number has no elements" if written.selector else ""
    note = _misused_index(written) or _misused_sum(written, is_part=is_part)
    signs = _signs_of(written)
    if not note and signs and (is_part or "+" in signs):
        return f"`{signs}` cannot precede a name here"
    return note or (_misused_result(written.paired) if written.paired is not None else "")


def _signs_of(written: OperandSyntax) -> str:
    """Returns the signs at the start of an operand."""
    text = written.text
    return text[: len(text) - len(text.lstrip(_SIGNS))].strip()


def _is_masked(text: str) -> bool:
    """Whether a text is a number with an argument, such as `0xFF(x)`."""
    before, parenthesis, _ = text.partition("(")
    number_ = before.lstrip(_SIGNS).rstrip()
    return bool(parenthesis) and number_[:1].isdecimal() and number_.isalnum()


def _misused_result(second: OperandSyntax) -> str:
    if _signs_of(second):
        return "no sign can precede the second result"
    return "the second result has no elements" if second.selector else ""


def _misused_index(written: OperandSyntax) -> str:
    if any(element.text.endswith("]") for element in written.elements):
        return "an index cannot follow another index"
    if written.selector not in ("", _UNIFIED) and has_index(written):
        return f"only `{_UNIFIED}` can follow an index"
    return ""


def _misused_sum(written: OperandSyntax, *, is_part: bool) -> str:
    if written.paired is not None or not written.elements or has_index(written):
        return ""
    name, plus, _ = written.text.partition("+")
    _, dot, selector = name.strip().partition(".")
    if dot and not _is_element(f".{selector}"):
        return f"`.{selector}` is not a component"
    if dot:
        return "nothing can be added to a component"
    if any(map(_has_name, written.elements)):
        return "only a constant can be added to a register or a variable"
    if not plus or not is_name(name.strip(_SIGNS_OF_NAMES)):
        return "only `+` and a constant can follow a name, as in `name + -4`"
    if not is_part and _adds_float(written):
        return "only an integer can be added to a name"
    return ""


def misused_element(written: OperandSyntax) -> str:
    """Returns why ptxas rejects an element of a vector or list; "" if it does not."""
    names = (OperandForm.IDENTIFIER, OperandForm.SINK)
    if written.paired is not None:
        return "`|` cannot follow an element"
    if _is_warp_size(written):
        return ""
    if written.form in names and written.has_offset and not has_index(written):
        return "nothing can be added to an element"
    if written.form is OperandForm.IDENTIFIER and written.selector:
        return "" if _is_element(written.selector) else f"`{written.selector}` is not an element"
    return ""


def _is_element(selector: str) -> bool:
    """Whether ptxas accepts a selector within a vector; it ignores those for bytes and halves."""
    if selector.startswith(".b"):
        return not selector[2:].strip("01234567")
    if selector.startswith(".h"):
        return not selector[2:].strip("0123")
    return selector in _COMPONENTS


def misused_nesting(written: OperandSyntax, within: OperandForm) -> str:
    """Returns why ptxas rejects a bracketed part of an operand; "" if it does not.

    Parentheses other than those of a call contain constants, and only addresses contain vectors.
    """
    if written.form is OperandForm.LIST:
        return "only constants can be in parentheses"
    if written.form is OperandForm.ADDRESS:
        return "an address cannot be in brackets"
    if written.form is OperandForm.VECTOR and within is not OperandForm.ADDRESS:
        return "a vector cannot be in brackets"
    return ""


def misused_offset(written: OperandSyntax) -> str:
    """Returns why ptxas rejects a part of an address; "" if it does not."""
    if written.form is OperandForm.IDENTIFIER and "." in written.text.partition("+")[0]:
        return "a component is not an address"
    has_group = "{" in written.text or "()" in "".join(written.text.split())
    if written.form is OperandForm.IDENTIFIER and has_group:
        return "only a constant can be added to an address"
    if written.form in FLOATS or _adds_float(written):
        return (
            "" if written.form is OperandForm.VECTOR else "only integers are allowed in an address"
        )
    return "`|` cannot follow an address" if written.paired is not None else ""


def has_index(written: OperandSyntax) -> bool:
    """Whether an operand is `name[index]`, with or without `.unified`."""
    return written.text.removesuffix(written.selector).rstrip().endswith("]")


def _adds_float(written: OperandSyntax) -> bool:
    """Whether the offset is not an integer; the result of a comparison is an integer."""
    kind = _type_of(written.text.partition("+")[2])
    has_float = any(element.form in FLOATS for element in written.elements)
    return kind == ".f64" or (has_float and not kind)


def _type_of(text: str) -> str:
    from ptx_ls.semantics.constants.values import type_of  # noqa: PLC0415  it reads numbers here

    return type_of(text)


def _constant(text: str) -> float | None:
    from ptx_ls.semantics.constants.values import value_of  # noqa: PLC0415  it reads numbers here

    return value_of(text)


def _has_name(written: OperandSyntax) -> bool:
    is_name = written.identifier >= 0 and not _is_warp_size(written)
    return is_name or any(map(_has_name, written.elements))


def _is_warp_size(written: OperandSyntax) -> bool:
    """Whether an operand begins with `WARP_SZ`, the only name that is a number."""
    return written.text.lstrip(_SIGNS).startswith(_WARP)


def _named(written: OperandSyntax, facts: Sequence[Facts], *, values: bool) -> Operand:
    known = facts[written.identifier]
    paired = to_operand(written.paired, facts, values=values) if written.paired else None
    index: tuple[Operand, ...] = ()
    if written.elements and has_index(written):
        index = tuple(to_operand(element, facts, values=values) for element in written.elements)
    if known.type == UNKNOWN_TYPE:
        return Operand(OperandKind.UNKNOWN, paired=paired)
    if known.kind == CONSTANT:
        return Operand(
            OperandKind.INTEGER,
            negation=written.negation,
            value=_constant(written.text) if values else None,
            text=written.text,
        )
    if known.kind == SymbolKind.REGISTER:
        kind, space = OperandKind.REGISTER, ""
    elif known.kind == SPECIAL:
        kind, space = OperandKind.SPECIAL_REGISTER, known.space
    elif known.kind:
        kind, space = OperandKind.NAME, _SPACES.get(known.kind, known.space)
    else:
        kind, space = OperandKind.UNKNOWN, ""
    return Operand(
        kind,
        known.type,
        index,
        space=space,
        negation=written.negation,
        paired=paired,
        selector="" if index else written.selector,  # ptxas ignores it after an index
        text=known.name,
        vector_size=known.vector_size,
        offset=written.has_offset,
        is_array=known.is_array,
    )
