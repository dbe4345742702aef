"""Explains kernels and device functions: their heads, their names in the source, their callers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features import markup
from ptx_ls.features.hover import memory_layout
from ptx_ls.features.markup import Markdown
from ptx_ls.features.navigation import usage
from ptx_ls.semantics.demangle import demangled, split_parameter
from ptx_ls.source.english import counted, inflected, listed
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import Position

_MAX_SIGNATURE_WIDTH: Final = 100
_MAX_PARAMETERS: Final = 24
"""Maximum number of parameters that are shown."""
_PAIRS: Final = {")": "(", "]": "[", ">": "<"}


def head(analysis: Analysis, declared: LocatedSymbol) -> str:
    """Returns the head of a function as PTX; a long one has each parameter on its own line."""
    name = declared.symbol.name
    statement = statement_at(analysis.document, declared.range.start)
    text, opening, previous = "", 0, ""
    for token in tokenize(statement.text if statement is not None else declared.symbol.text):
        is_inner = text.endswith(("(", "[")) or token.string in (")", "]", ";", ",")
        text += f" {token.string}" if token.prefix and text and not is_inner else token.string
        if token.string == "(" and previous == name and not opening:
            opening = len(text)
        previous = token.string
    text = text.rstrip("{ ")
    stop = text.find(")", opening)
    if len(text) <= _MAX_SIGNATURE_WIDTH or not opening or stop < 0:
        return text
    listed = [parameter.strip() for parameter in text[opening:stop].split(",")]
    shown = listed[:_MAX_PARAMETERS]
    lines = [f"    {parameter}," for parameter in shown]
    if len(shown) < len(listed):
        lines.append(f"    // and {len(listed) - len(shown)} more")
    else:
        lines[-1] = lines[-1].rstrip(",")
    rest = text[stop + 1 :].strip()
    tail = rest if rest == ";" else f"\n{rest}" if rest else ""
    return "\n".join((text[:opening], *lines, f"){tail}"))


def parameters(found: Symbol) -> str:
    """Returns the number of parameters and their size, in words."""
    count = len(found.parameters)
    total = memory_layout.total_of(found.parameters)
    size = counted(total, "byte") if count and total else ""
    if count == 1:
        return f"1 parameter of {size}" if size else "1 parameter"
    return f"{count or 'no'} parameters{f' with {size} in all' if size else ''}"


def source_name(analysis: Analysis, declared: LocatedSymbol, name: str) -> Markdown:
    """Returns a mangled name as in its source; for a parameter, its type there."""
    owner = analysis.function_of(declared)
    found = source_parameter(name, owner) if owner is not None else markup.NOTHING
    spelled = "" if found else demangled(name)
    return markup.filled("In the source: {}", markup.code(spelled)) if spelled else found


def source_parameter(name: str, owner: Symbol) -> Markdown:
    """Returns the type of a parameter in the source; "" if its name is not mangled."""
    function, number = split_parameter(name)
    spelled = demangled(function) if number is not None else None
    if number is None or spelled is None:
        return markup.NOTHING
    types = _arguments(spelled)
    if types is not None and number < len(types) == len(owner.parameters):
        kind = markup.code(types[number])
        return markup.filled("In the source: {}, a parameter of {}", kind, markup.code(spelled))
    return markup.filled("In the source: a parameter of {}", markup.code(spelled))


def _arguments(spelled: str) -> list[str] | None:
    """Returns the types in the last parentheses of a C++ name; None if these are not balanced."""
    if not spelled.endswith(")"):
        return None
    found: list[str] = []
    opened: list[str] = []
    stop = len(spelled) - 1
    for place in range(len(spelled) - 1, -1, -1):
        character = spelled[place]
        if character in _PAIRS:
            opened.append(_PAIRS[character])
        elif opened and character == opened[-1]:
            opened.pop()
            if not opened:
                found.append(spelled[place + 1 : stop].strip())
                return [it for it in reversed(found) if it]
        elif character == "," and len(opened) == 1:
            found.append(spelled[place + 1 : stop].strip())
            stop = place
    return None


def uses(analysis: Analysis, name: str, position: Position) -> Markdown:
    """Lists the callers of a function, where its address is taken, and its other names."""
    found = usage.function_uses(analysis, name, position)
    calls = [
        markup.filled("{} on {}", markup.code(caller), lines_of(on)) for caller, on in found.calls
    ]
    more = "" if found.is_all else ", and perhaps elsewhere"
    texts = [
        markup.filled("Another name of {}.", markup.code(found.alias_of)) if found.alias_of else "",
        markup.filled(
            "Also called {}.", markup.joined(", ", map(markup.code, dict.fromkeys(found.aliases)))
        )
        if found.aliases
        else "",
        markup.filled("Called by {}{}.", markup.joined("; ", calls), more) if calls else "",
        f"Its address is taken on {lines_of(found.addresses)}." if found.addresses else "",
    ]
    if not any(texts) and found.is_all:
        return markup.own("Never called by name in this module.")
    return markup.paragraphs(*texts)


def lines_of(lines: Iterable[int]) -> str:
    """Returns lines in words: `line 3`, `lines 4 and 7`."""
    numbers = [f"{line + 1}" for line in lines]
    return f"{inflected('line', len(numbers))} {listed(numbers, 'and')}"
