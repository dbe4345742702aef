"""Explains debug information: `.file`, `.loc`, sections of DWARF and their data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.hover import describe_directive
from ptx_ls.features.markup import Markdown
from ptx_ls.features.navigation import source_files
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source.english import counted
from ptx_ls.syntax.dotted import section_in
from ptx_ls.syntax.written.source_locations import file_in, inlined_function, locations

if TYPE_CHECKING:
    from ptx_ls.document.document import Document
    from ptx_ls.features.cursor import Cursor
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.written.source_locations import Location

_MAX_TIMESTAMP: Final = 1 << 40
_DATA: Final = {".b8": 1, ".b16": 2, ".b32": 4, ".b64": 8}
_WORDS: Final = {
    "function_name": "`function_name`: the inlined function, as a label or offset in `.debug_str`",
    "inlined_at": "`inlined_at`: file, line and column of the call that was inlined",
}
WORDS: Final = frozenset(_WORDS)
"""The words of a `.loc` that have an explanation."""
_SECTIONS: Final = {
    ".debug_abbrev": "the shapes of the entries in `.debug_info`",
    ".debug_aranges": "which addresses belong to which unit",
    ".debug_frame": "how frames are unwound",
    ".debug_info": "functions, variables and types, as a tree of entries",
    ".debug_line": "which instruction belongs to which line of the source",
    ".debug_loc": "where variables are kept while the program runs",
    ".debug_macinfo": "macros",
    ".debug_pubnames": "names that other units can see",
    ".debug_pubtypes": "types that other units can see",
    ".debug_ranges": "address ranges that are not contiguous",
    ".debug_str": "strings, which other sections name by label or offset",
}


def location(analysis: Analysis, under: Cursor) -> Markdown:
    """Describes the source position that the numbers of a `.loc` at the cursor name."""
    offset = under.range.start.column - under.statement.start.column
    before = [it for it in locations(under.statement.text) if it.start <= offset]
    return _place(analysis.document, before[-1]) if before else markup.NOTHING


def of_location(analysis: Analysis, under: Cursor) -> Markdown:
    """Explains a word of a `.loc`, or `.loc` itself."""
    found = list(locations(under.statement.text))
    if under.text == "inlined_at":
        called = _place(analysis.document, found[-1]) if len(found) > 1 else ""
        return markup.filled("Inlined at {}.", called) if called else markup.own(_WORDS[under.text])
    if under.text == "function_name":
        label = analysis.lookup(inlined_function(under.statement.text), under.range.end)
        name = string(analysis.document, label.range.start.line) if label is not None else ""
        known = markup.own(_WORDS[under.text])
        return markup.filled("Inlined function: {}", name) if name else known
    first = _place(analysis.document, found[0]) if found else ""
    return markup.paragraphs(markup.sentence(first), describe_directive.dotted(under.text) or "")


def of_file(under: Cursor) -> Markdown | None:
    """Describes a `.file`; returns None if it cannot be read."""
    found = file_in(under.statement.text)
    if found is None:
        return None
    facts = []
    if found.time in range(1, _MAX_TIMESTAMP):
        facts.append(f"last changed at {_date(found.time)} UTC")
    if found.size:
        facts.append(counted(found.size, "byte"))
    head = markup.filled("Source file {}: {}", str(found.number), markup.code(found.name))
    return markup.paragraphs(head, markup.sentence(", ".join(facts)))


def _date(seconds: int) -> str:
    """Formats a `time_t` as a date; counts years from March, so that leap days are at their end."""
    days, left = divmod(seconds, 86_400)
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    date = day - (153 * month + 2) // 5 + 1
    year += 400 * era + month // 10
    month = (month + 2) % 12 + 1
    return f"{year}-{month:02}-{date:02} {left // 3600:02}:{left // 60 % 60:02}:{left % 60:02}"


def section(name: str) -> Markdown | None:
    """Explains a section of DWARF; returns None for any other dotted name."""
    if not name.startswith(".debug_"):
        return None
    what = _SECTIONS.get(name)
    more = markup.filled(" ({})", markup.own(what)) if what else ""
    return markup.filled("{}: DWARF debug data{}", markup.code(name), more)


def data(analysis: Analysis, under: Cursor) -> Markdown | None:
    """Explains a type of data, with the text that begins there; returns None for any other type."""
    size = _DATA.get(under.text)
    if size is None:
        return None
    document, line = analysis.document, under.statement.start.line
    start = document.located_at(under.statement.start).start
    text = "".join(document.lines[start.line : start.line + 2])
    section = section_in(text, start.column)
    where = markup.code(section) if section else "a section"
    text = string(document, line) if size == 1 else ""
    each = counted(size, "byte")
    head = markup.filled("{}: data of {}, {} each", markup.code(under.text), where, each)
    return markup.paragraphs(head, markup.filled("Text: {}", text) if text else "")


def string(document: Document, line: int) -> Markdown:
    """Describes the string whose bytes begin on a line, and demangles it if it can; "" for none."""
    found = source_files.string_at(document, line)
    if not found or not found.isprintable():
        return markup.NOTHING
    spelled = demangled(found)
    if not spelled:
        return markup.code(found)
    return markup.filled("{}, in the source {}", markup.code(found), markup.code(spelled))


def _place(document: Document, named: Location) -> Markdown:
    name = source_files.name_of(document, named.file)
    file = markup.code(name) if name else f"file {named.file}"
    return markup.filled("{}, line {}, column {}", file, str(named.line), str(named.column))
