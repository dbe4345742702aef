"""Names explained: registers, labels, variables, functions, special registers, directives."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import describe_register, layout, markup, source_files, usage
from ptx_ls.semantics import declarations
from ptx_ls.semantics.demangle import demangled
from ptx_ls.semantics.operands import number as value_of
from ptx_ls.semantics.symbols import SymbolKind
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import VECTORS

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, Declared
    from ptx_ls.semantics.symbols import Symbol
    from ptx_ls.source import Position
    from ptx_ls.syntax.document import Document

_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)
_WIDTH: Final = 200
_OF_BYTES: Final = (".b8", ".u8", ".s8")
_LIST: Final = re.compile(r"=\s*\{([^{}]*)\}").search
_PRINTABLE: Final = frozenset({*b"\t\n\r", *range(ord(" "), ord("~") + 1)})
_LONGEST: Final = 4096
"""Characters of a list of values that is looked at."""


def symbol(analysis: Analysis, declared: Declared, name: str, position: Position) -> str:
    """Markdown on a declared name at a position.

    `name` is one register of a range, or the symbol's own.
    """
    found = declared.symbol
    if found.kind is SymbolKind.LABEL:
        return _label(analysis, declared)
    space = isa.database().state_spaces.get(found.space)
    is_memory = space is not None and found.kind is not SymbolKind.REGISTER
    return markup.paragraphs(
        f"{markup.code(name)}: {_what(analysis, declared, name)}",
        _source_name(name),
        markup.block(found.text.rstrip("{ ")),
        _characters(found),
        _facts(analysis.document, declared, name),
        _values(analysis, declared, name, position),
        _callers(analysis, declared, position) if found.kind is SymbolKind.FUNCTION else "",
        f"{markup.code(found.space)}: {space.summary}" if is_memory and space else "",
    )


def _what(analysis: Analysis, declared: Declared, name: str) -> str:
    found = declared.symbol
    words = found.kind.value
    if found.kind is SymbolKind.REGISTER:
        words += "s" if found.count and name == found.name else ""
        info = isa.database().types.get(found.type)
        words += f", {_lower(info.summary.partition(';')[0]).rstrip('.')}." if info else ""
        if found.count and name != found.name:
            words += f" One of {found.count}."
    return layout.of_parameter(analysis, declared) or words


def _source_name(name: str) -> str:
    """A mangled name as its source spells it."""
    found = demangled(name)
    return f"in the source: {markup.code(found)}" if found else ""


def _characters(found: Symbol) -> str:
    """The text that the bytes of an array are, if that is what they are."""
    match = _LIST(found.text) if found.type in _OF_BYTES and found.dimensions else None
    if match is None:
        return ""
    if len(match[1]) > _LONGEST:
        return ""
    numbers = [value_of(value.strip()) for value in match[1].split(",")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    if len(numbers) <= 1 or not all(value in _PRINTABLE for value in numbers):
        return ""
    return f"text: {markup.code(json.dumps(''.join(chr(int(value or 0)) for value in numbers)))}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _facts(document: Document, declared: Declared, name: str) -> str:
    found = declared.symbol
    verb = "defined" if found.kind in _FUNCTIONS and found.is_definition else "declared"
    facts = [f"{verb} on line {document.number(declared.range.start.line) + 1}"]
    if found.count and name == found.name:
        facts.append(f"`{name}0` to `{name}{found.count - 1}`")
    bytes_used = layout.size_of(found)
    if found.kind in (SymbolKind.VARIABLE, SymbolKind.PARAMETER):
        facts.append(f"{bytes_used} bytes" if bytes_used else "")
        facts.append(f"aligned to {layout.alignment_of(found)}" if found.type else "")
    if found.kind in _FUNCTIONS:
        facts += _parameters(found)
    if not found.is_definition:
        facts.append("defined elsewhere" if found.linkage == ".extern" else "a prototype")
    return ", ".join(fact for fact in facts if fact)


def _parameters(found: Symbol) -> list[str]:
    count = len(found.parameters)
    total = layout.total_of(found.parameters)
    size = f" of {total} bytes" if count and total else ""
    return [f"{count} parameter{'s' if count != 1 else ''}{size}"]


def _values(analysis: Analysis, declared: Declared, name: str, position: Position) -> str:
    is_bank = declared.symbol.count and name == declared.symbol.name
    if declared.symbol.kind is not SymbolKind.REGISTER or is_bank:
        return ""
    return describe_register.values(analysis, name, position)


def _callers(analysis: Analysis, declared: Declared, position: Position) -> str:
    """Who calls a function."""
    found, is_all = usage.callers(analysis, declared.symbol.name, position)
    if not found:
        return "never called by its name in this module" if is_all else ""
    number = analysis.document.number
    shown = [
        f"{markup.code(name)} on line{'s' if len(lines) > 1 else ''} "
        + ", ".join(f"{number(line) + 1}" for line in lines)
        for name, lines in found.items()
    ]
    return f"called by {'; '.join(shown)}{'' if is_all else ' …'}"


def _label(analysis: Analysis, declared: Declared) -> str:
    """A label: who goes there, and what is there."""
    start = declared.range.start
    name = declared.symbol.name
    is_data = analysis.document.outline.regions[declared.region].kind is Kind.SECTION
    string = source_files.string_at(analysis.document, start.line) if is_data else ""
    if string:
        return markup.paragraphs(
            f"{markup.code(name)}: label of debug data on line {start.line + 1}",
            markup.block(string, "text"),
        )
    number = analysis.document.number
    used = [f"{number(line) + 1}" for line in usage.branches(analysis, name, start)]
    lines = analysis.document.lines[start.line : start.line + 5]
    return markup.paragraphs(
        f"{markup.code(name)}: label on line {number(start.line) + 1}",
        f"used on line{'s' if len(used) > 1 else ''} {', '.join(used)}" if used else "never used",
        markup.block("".join(line[:_WIDTH] for line in lines).expandtabs(4)),
    )


def parameter_of_prototype(head: str, name: str) -> str | None:
    """Markdown on a parameter or result that the head of a prototype names."""
    function = declarations.of_function(head, (0, 0))
    if function is None:
        return None
    of = f"of {function.kind.value} {markup.code(function.name)}"
    for number, parameter in enumerate(function.parameters):
        if parameter.name == name:
            words = f"parameter {number + 1} of {len(function.parameters)} {of}"
            return markup.paragraphs(f"{markup.code(name)}: {words}", markup.block(parameter.text))
    for result in function.returns:
        if result.name == name:
            return markup.paragraphs(
                f"{markup.code(name)}: the result {of}", markup.block(result.text)
            )
    return None


def dotted(text: str) -> str | None:
    """Markdown on a vector or a section; None for any other dotted name."""
    if text in VECTORS:
        return f"{markup.code(text)}: a vector of {text[2:]} elements, aligned to its whole size"
    if text.startswith(".debug_"):
        return f"{markup.code(text)}: a section of DWARF debug data"
    return None
