"""The rule foreign-line: `# 1 "file"` of a preprocessor, and `@@DWARF` of the first PTX versions.

Sources: PTX ISA, "Syntax"; PTX ISA 1.4, "Debugging Directives"; and ptxas, which ignores line
markers that end with a newline, and rejects any other line that begins with `#`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.version import describe_version
from ptx_ls.lint.candidates.statements import has_foreign_lines
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import NAME, NUMBER, REG, TYPE, WORD, Token, is_marker, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_SECTION_SINCE: Final = (2, 0)
"""The first version in which `.section` replaces `@@DWARF`."""
_SECTION: Final = ".section"
_FLAGS: Final = "progbits"
_TYPES: Final = frozenset({".byte", ".4byte", ".quad", ".b8", ".b16", ".b32", ".b64"})
_BITS: Final = {".byte": 8, ".b8": 8, ".b16": 16}
"""The widths of the types that are too narrow for an address."""
_LABELS: Final = (WORD, REG, NAME)
_LOW_BITS: Final = 32
"""Number of low bits of a number that ptxas compares with the range."""


class LineFault(Enum):
    """Why ptxas refuses a line for another tool."""

    MARKER = auto()
    """It begins with `#` but is not a line marker of a preprocessor."""
    END = auto()
    """It is a line marker at the end of the file, without a newline after it."""
    REMOVED = auto()
    """`@@DWARF` in a version that has `.section` instead."""
    BODY = auto()
    """`@@DWARF` in a function."""
    DATA = auto()
    """The text after `@@DWARF` is not data."""
    NO_SECTION = auto()
    """Data before the first `.section`."""
    RANGE = auto()
    """A number does not fit into the data's type."""


class BadLine(NamedTuple):
    """A line for another tool that ptxas refuses; `text` is the wrong part.

    `type`: for RANGE, the type of the data.
    """

    text: str
    fault: LineFault
    start: FunctionPosition
    end: FunctionPosition
    type: str = ""


_MESSAGES: Final = {
    LineFault.MARKER: '{text} is not a line marker such as `# 1 "kernel.cu"`; '
    "PTX has no preprocessor",
    LineFault.END: "expected a newline after {text}",
    LineFault.REMOVED: f"{{text}} was removed in PTX ISA {describe_version(_SECTION_SINCE)}; "
    "use `.section`",
    LineFault.BODY: "{text} is allowed only outside of functions",
    LineFault.DATA: '{text} is neither a section, such as `.section .debug_info, "", @progbits`, '
    "nor data, such as `.byte 1, 2` or `.4byte label`",
    LineFault.NO_SECTION: "data before the first `@@DWARF .section`",
    LineFault.RANGE: "{text} does not fit in {type}",
}


class _Fault(NamedTuple):
    """A fault, the token that shows it, and for RANGE the type of the data."""

    fault: LineFault
    token: Token
    type: str = ""


def find(seen: CheckInput) -> Iterator[BadLine]:
    """Yields lines for other tools that ptxas does not ignore."""
    text = seen.text
    has_section = False
    for found in text.statements_of(text.holding(Kind.LINE)):
        if found.record.kind is not Kind.LINE:
            continue
        if found.text.startswith("#"):
            line = found.text.rstrip()
            if is_marker(line) is None:
                yield _marker(line, found)
            elif _is_at_end(found, text):
                yield BadLine(line, LineFault.END, found.start, found.end)
            continue
        wrong = _wrong(found, seen.facts, seen.module.context, has_section=has_section)
        has_section = has_section or _SECTION in found.text
        if wrong is not None:
            start, end = wrong.token.placed(found.start)
            yield BadLine(wrong.token.string, wrong.fault, start, end, wrong.type)


def _wrong(
    found: Found, facts: RegionFacts, context: Context, *, has_section: bool
) -> _Fault | None:
    """Returns what is wrong with a statement of `@@DWARF` that can be read."""
    opening, *rest = tokenize(found.text)
    if facts.scope_at(found.start) is not facts.module_scope:
        return _Fault(LineFault.BODY, opening)
    if context.version is not None and context.version >= _SECTION_SINCE:
        return _Fault(LineFault.REMOVED, opening)
    if rest[0].string == _SECTION:
        return _wrong_section(rest)
    if rest[0].type is not TYPE:
        return None
    if rest[0].string not in _TYPES:
        return _Fault(LineFault.DATA, rest[0])
    bits = _BITS.get(rest[0].string)
    if bits is not None:
        for token in rest[1:]:
            if token.type is NUMBER and not _fits(token.string, bits):
                return _Fault(LineFault.RANGE, token, rest[0].string)
            if token.type in _LABELS:
                return _Fault(LineFault.DATA, token)
    return None if has_section else _Fault(LineFault.NO_SECTION, opening)


def _wrong_section(rest: list[Token]) -> _Fault | None:
    """Returns a fault if the kind of a section is unknown."""
    if len(rest) > 2 and rest[-2].type is WORD and rest[-2].string != _FLAGS:  # noqa: PLR2004
        return _Fault(LineFault.DATA, rest[-2])
    return None


def _fits(written: str, bits: int) -> bool:
    value = number(written)
    return not isinstance(value, int) or value % (1 << _LOW_BITS) < 1 << bits


def _is_at_end(found: Found, text: RegionText) -> bool:
    """Returns whether a line is the last of the file and has no newline."""
    is_last = found.end[0] == len(text.lines) - 1
    return is_last and not text.lines[-1].endswith(("\n", "\r"))


def _marker(line: str, found: Found) -> BadLine:
    word = line.split(maxsplit=1)[0]
    if word == "#":
        word = line
    return BadLine(word, LineFault.MARKER, found.start, along(found.start, len(word)))


@rule("foreign-line", on=BadLine, find=find, given=has_foreign_lines)
def foreign_line(mismatch: BadLine, _: RuleContext) -> Finding:
    """Reports a line meant for another tool, such as `#define`, that ptxas rejects.

    ## Why is this bad?
    ptxas rejects the module. ptxas ignores a preprocessor line marker that ends with a newline, and
    rejects any other line that begins with `#`. Before PTX ISA 2.0, `@@DWARF` began a line of
    debugging data; now a `.section` holds such data.

    ## Example
    ```ptx
    #define THREADS 128
    mov.u32 %r1, 128;
    ```

    Use instead:
    ```ptx
    # 1 "kernel.cu"
    mov.u32 %r1, 128;
    ```
    """
    text, type_name = quoted(mismatch.text), quoted(mismatch.type)
    return Finding(_MESSAGES[mismatch.fault].format(text=text, type=type_name))
