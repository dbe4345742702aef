"""Explains declared names: labels, variables, parameters and functions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.features import markup
from ptx_ls.features.hover import (
    describe_debug,
    describe_function,
    describe_register,
    memory_layout,
)
from ptx_ls.features.markup import Markdown
from ptx_ls.features.navigation import usage
from ptx_ls.semantics.symbols import function_heads
from ptx_ls.semantics.symbols.symbols import FUNCTION_KINDS, SymbolKind
from ptx_ls.source import Position
from ptx_ls.source.english import counted
from ptx_ls.syntax.literals import number as value_of
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import VECTORS

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol

_CALLED: Final = (SymbolKind.FUNCTION,)
_LISTS: Final = (SymbolKind.PROTOTYPE, SymbolKind.CALL_TARGETS, SymbolKind.BRANCH_TARGETS)
_MAX_WIDTH: Final = 200
_MAX_TARGET_LISTS: Final = 2
"""Maximum number of target lists whose uses are searched for, each in the whole function."""
_MAX_PREVIEW_LINES: Final = 5
"""Maximum number of lines shown from a label on."""
_BYTES: Final = (".b8", ".u8", ".s8")
_PRINTABLE: Final = frozenset({*b"\t\n\r", *range(ord(" "), ord("~") + 1)})
_MAX_TEXT_LENGTH: Final = 4200
"""The longest declaration, in characters, whose values are decoded as text."""


def symbol(analysis: Analysis, declared: LocatedSymbol, name: str, position: Position) -> Markdown:
    """Explains a declared name at a position.

    `name` is the name of the symbol or, if this is a range, of one of its registers.
    """
    found = declared.symbol
    if found.kind is SymbolKind.LABEL:
        return _label(analysis, declared)
    function = analysis.function_of(declared)
    is_formal = function is not None and found in (*function.parameters, *function.returns)
    if found.kind is SymbolKind.REGISTER and not is_formal:
        return describe_register.register(analysis, declared, name, position)
    space = isa.database().state_spaces.get(found.space)
    is_variable = found.kind is SymbolKind.VARIABLE and found.space != ".param"
    is_function = found.kind in FUNCTION_KINDS
    text = describe_function.head(analysis, declared) if is_function else found.text.rstrip("{ ")
    kind = memory_layout.of_parameter(analysis, declared) or found.kind.value
    head = markup.filled("{}: {}", markup.code(name), kind)
    facts = _facts(declared)
    return markup.paragraphs(
        # Below the parameters, the facts would be outside of what editors show of a long hover.
        markup.filled("{}, {}", head, facts) if is_function else head,
        describe_function.source_name(analysis, declared, name),
        markup.block(text),
        _characters(found),
        markup.NOTHING if is_function else markup.sentence(facts),
        describe_register.values(analysis, declared, name, position)
        if found.kind is SymbolKind.REGISTER
        else "",
        describe_function.uses(analysis, name, position) if found.kind in _CALLED else "",
        _uses_of_list(analysis, declared) if found.kind in _LISTS else "",
        markup.filled("{}: {}", markup.code(found.space), markup.own(space.summary))
        if space and is_variable
        else "",
    )


def _uses_of_list(analysis: Analysis, declared: LocatedSymbol) -> str:
    """Lists the lines that name a prototype or a list of targets."""
    lines = usage.branches(analysis, declared.symbol.name, declared.range.start)
    return f"Used on {describe_function.lines_of(lines)}." if lines else "Never used."


def _characters(found: Symbol) -> Markdown:
    """Returns the text in an array of bytes; "" if it holds other data."""
    if found.type not in _BYTES or not found.dimensions or len(found.text) > _MAX_TEXT_LENGTH:
        return markup.NOTHING
    _, _, values = found.text.rstrip("; ").partition("=")
    values = values.strip()
    if values[:1] != "{" or values[-1:] != "}":
        return markup.NOTHING
    numbers = [value_of(value.strip()) for value in values[1:-1].split(",")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    if len(numbers) <= 1 or not all(value in _PRINTABLE for value in numbers):
        return markup.NOTHING
    text = bytes(int(value or 0) for value in numbers).decode("ascii")
    return markup.filled("Text: {}", markup.code(json.dumps(text)))


def _facts(declared: LocatedSymbol) -> Markdown:
    found = declared.symbol
    verb = "defined" if found.kind in FUNCTION_KINDS and found.is_definition else "declared"
    where, facts = f"{verb} on line {declared.range.start.line + 1}", list[str]()
    bytes_used = memory_layout.size_of(found)
    if found.kind in (SymbolKind.VARIABLE, SymbolKind.PARAMETER):
        facts.append(counted(bytes_used, "byte") if bytes_used else "")
        alignment = counted(memory_layout.alignment_of(found), "byte")
        facts.append(f"aligned to {alignment}" if found.type else "")
        facts.append(memory_layout.pointee(found))
    if found.kind in FUNCTION_KINDS:
        facts.append(describe_function.parameters(found))
    if not found.is_definition:
        facts.append("defined elsewhere" if found.linkage == ".extern" else "a prototype")
    told = markup.joined(", ", filter(None, facts))
    parts = filter(None, [where, told])
    if found.kind in FUNCTION_KINDS:
        return markup.joined(", ", parts)
    return markup.joined(": ", parts)


def _label(analysis: Analysis, declared: LocatedSymbol) -> Markdown:
    """Explains a label: the branches to it, and the lines after it."""
    start = declared.range.start
    name = declared.symbol.name
    located = analysis.document.functions[declared.region]
    is_data = located.head is Kind.SECTION
    string = describe_debug.string(analysis.document, start.line) if is_data else ""
    if string:
        number = str(start.line + 1)
        head = markup.filled("{}: label of debug data on line {}", markup.code(name), number)
        return markup.paragraphs(head, markup.filled("Text: {}", string))
    stop = located.stop_line if located.close is None else located.close
    stop = max(start.line + 1, min(stop, start.line + _MAX_PREVIEW_LINES))
    lines = analysis.document.lines[start.line : stop]
    return markup.paragraphs(
        markup.filled("{}: label on line {}", markup.code(name), str(start.line + 1)),
        _jumps(analysis, name, start) or ("" if is_data else "Not used in this function."),
        markup.block("".join(line[:_MAX_WIDTH] for line in lines).expandtabs(4)),
    )


def _jumps(analysis: Analysis, name: str, start: Position) -> Markdown:
    """Lists the branches to a label, also through a list of branch targets; "" for none.

    Debug data, which may be anywhere in the module, is not searched.
    """
    direct: list[int] = []
    listed: dict[str, list[int]] = {}
    for line in usage.branches(analysis, name, start):
        target_list = usage.lists_with(analysis, line)
        if target_list and target_list != name:
            if target_list not in listed and len(listed) < _MAX_TARGET_LISTS:
                listed[target_list] = usage.branches(analysis, target_list, Position(line, 0))
        else:
            direct.append(line)
    texts = [f"used on {describe_function.lines_of(direct)}" if direct else ""]
    texts += [
        markup.filled(
            "in the target list {}{}",
            markup.code(it),
            f", used on {describe_function.lines_of(lines)}" if lines else "",
        )
        for it, lines in listed.items()
    ]
    return markup.sentence(markup.joined("; ", filter(None, texts)))


def parameter_of_prototype(head: str, name: str) -> Markdown | None:
    """Explains a parameter or result that the head of a prototype names."""
    function = function_heads.of_function(head, FUNCTION_START)
    if function is None:
        return None
    where = markup.filled("{} {}", function.kind.value, markup.code(function.name))
    for number, parameter in enumerate(function.parameters):
        if parameter.name == name:
            counted = f"parameter {number + 1} of {len(function.parameters)} in"
            if len(function.parameters) == 1:
                counted = "the only parameter of"
            return markup.paragraphs(
                markup.filled("{}: {} {}", markup.code(name), counted, where),
                describe_function.source_parameter(name, function),
                markup.block(parameter.text),
            )
    for result in function.returns:
        if result.name == name:
            return markup.paragraphs(
                markup.filled("{}: the result of {}", markup.code(name), where),
                markup.block(result.text),
            )
    return None


def dotted(text: str) -> Markdown | None:
    """Explains a vector such as `.v4`; returns None for any other dotted name."""
    if text not in VECTORS:
        return None
    return markup.filled(
        "{}: a vector of {} elements, aligned to its whole size", markup.code(text), text[2:]
    )
