"""The tokens of PTX: their regular expression, and the token types of the grammar.

Sources: PTX ISA, "Syntax" (source format, identifiers, literals) and the directive tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.comments import COMMENT
from ptx_ls.syntax.literals import MARKER, NUMBER_PATTERN, STRING_OVER_LINES, is_out_of_range
from ptx_ls.syntax.names import (
    FIRST_OF_NAME,
    IDENTIFIER,
    NAME_ENDS,
    NO_MORE,
    OF_NAMES,
    REGISTER_NAME,
)
from ptx_ls.syntax.offsets import At, StatementPosition, along, shifted

VECTORS: Final = frozenset({".v2", ".v4", ".v8"})
SPACES: Final = frozenset(
    {
        ".const",
        ".global",
        ".local",
        ".param",
        ".shared",
        ".tex",
        ".surf",
        ".generic",
    }
)
"""State spaces at the start of a declaration or after `.ptr`."""
LINKAGES: Final = frozenset({".extern", ".visible", ".weak", ".common"})
FUNCTIONS: Final = frozenset({".entry", ".func"})
TYPES: Final = frozenset(
    "." + name
    for name in (
        "pred b1 b2 b4 b8 b16 b32 b64 b128 u2 u4 u8 u16 u32 u64 s2 s4 s8 s16 s32 s64 "
        "f16 f16x2 f32 f32x2 f64 bf16 bf16x2 tf32 u8x4 s8x4 u16x2 s16x2 "
        "e4m3 e5m2 e4m3x2 e5m2x2 e4m3x4 e5m2x4 e2m1 e2m3 e3m2 e2m1x2 e2m3x2 e3m2x2 ue8m0x2 s2f6x2 "
        "e2m1x4 e2m3x4 e3m2x4 ue8m0x4 "
        "texref samplerref surfref"
    ).split()
)
"""Types of declarations and of data in debug sections."""
COMMON_TYPE: Final = (
    r"\.(?:[bsu](?:8|16|32|64)|f(?:16|32|64)|pred|b128|b?f16x2|bf16|(?:tex|sampler|surf)ref)\b"
)
"""A pattern of the types that compilers use in declarations. Compiling a pattern of all `TYPES`
takes longer than reading most files."""
ESCAPE: Final = "\\"
"""A backslash may precede an opcode, after the guard predicate; ptxas ignores it."""
CALL: Final = "call"
"""The only opcode before which a backslash is not allowed."""
OLD_DEBUG: Final = "@@DWARF"
"""Begins debug data in the first versions of PTX: a section, or some of its data."""
OLD_DATA: Final = frozenset({".byte", ".4byte", ".quad"})
"""Types of the data after `@@DWARF`."""
TUNINGS: Final = frozenset(
    "." + name
    for name in (
        "maxntid reqntid minnctapersm maxnctapersm maxnreg local_maxnreg noreturn "
        "explicitcluster reqnctapercluster maxclusterrank blocksareclusters "
        "abi_preserve abi_preserve_control language minperctamemory local_maxnreg"
    ).split()
)
"""Directives between the header of a function and its body."""
DIRECTIVES: Final = frozenset(
    "." + name
    for name in (
        "version target address_size file loc loc_intermediate pragma section alias "
        "branchtargets calltargets callprototype reg sreg align ptr hidden attribute "
        "nv_intermediate_source_section code_block ir_name sourceFileName "
        "metadata_section metadata metadata_domain"
    ).split()
) | {OLD_DEBUG}
"""Directives that the grammar names."""


class _Kind(NamedTuple):
    name: str
    contains_syntax: bool


class TokenType:
    """A token type with the attributes that parso's parser generator needs."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, *, has_spellings: bool) -> None:
        self.name = name
        self.value = _Kind(name, has_spellings)

    def __repr__(self) -> str:
        return self.name


WORD: Final = TokenType("WORD", has_spellings=True)
"""A name without `%`, with its dotted and `::` parts: an opcode, a label, `vec.x`.

The grammar names `WARP_SZ`, which is a number."""
REG: Final = TokenType("REG", has_spellings=False)
"""A name with `%`, with its dotted parts."""
NUMBER: Final = TokenType("NUMBER", has_spellings=False)
"""An integer literal."""
FLOAT: Final = TokenType("FLOAT", has_spellings=False)
"""A floating-point literal: a decimal fraction, or the bits of a number."""
NUMBERS: Final = TokenType("NUMBERS", has_spellings=False)
"""Many numbers and commas in an initial value, as one leaf."""
STRING: Final = TokenType("STRING", has_spellings=False)
TYPE: Final = TokenType("TYPE", has_spellings=False)
VECTOR: Final = TokenType("VECTOR", has_spellings=False)
SPACE: Final = TokenType("SPACE", has_spellings=False)
LINKAGE: Final = TokenType("LINKAGE", has_spellings=False)
FUNCTION: Final = TokenType("FUNCTION", has_spellings=False)
TUNING: Final = TokenType("TUNING", has_spellings=False)
DIRECTIVE: Final = TokenType("DIRECTIVE", has_spellings=True)
NAME: Final = TokenType("NAME", has_spellings=False)
"""Any other dotted name: a separate modifier, a section, an attribute."""
DETACHED: Final = TokenType("DETACHED", has_spellings=False)
"""The second part of `.wait::ld` or `.fence::after_thread_sync`, separate from the first."""
OPERATOR: Final = TokenType("OPERATOR", has_spellings=True)
LINE: Final = TokenType("LINE", has_spellings=False)
"""A line marker or other line of a preprocessor: `# 1 "file"`."""
RAW: Final = TokenType("RAW", has_spellings=False)
"""Text between `.source_begin` and `.source_end`."""
ERROR: Final = TokenType("ERROR", has_spellings=False)
ENDMARKER: Final = TokenType("ENDMARKER", has_spellings=False)

_OWNERS: Final = {
    "::ld": "tcgen05.wait",
    "::st": "tcgen05.wait",
    "::after_thread_sync": "tcgen05.fence",
    "::before_thread_sync": "tcgen05.fence",
}
"""Parts of modifiers that are separate tokens in ptxas, each with the opcode that it belongs to.

White space may separate them from the other modifiers. Every other `::` is within one token.
"""
DOTTED_TYPES: Final[dict[str, TokenType]] = {
    spelling: kind
    for spellings, kind in (
        (VECTORS, VECTOR),
        (SPACES, SPACE),
        (LINKAGES, LINKAGE),
        (FUNCTIONS, FUNCTION),
        (TYPES | OLD_DATA, TYPE),
        (TUNINGS, TUNING),
        (DIRECTIVES, DIRECTIVE),
        (frozenset(_OWNERS), DETACHED),
    )
    for spelling in spellings
}
"""The token type of each known dotted name; any other one is a NAME."""

_BANK: Final = r"\.const\[(?:0|[1-9]\d?)\]"
MAX_STATEMENT_LENGTH: Final = 1 << 16
"""Maximum length, in characters, of an instruction, and of a line that is highlighted."""
MAX_NESTING: Final = 10_000
"""Maximum depth of nested brackets to read; ptxas 13.5 runs out of memory at 9,989."""
SUFFIX: Final = rf"(?:{_BANK}|\.\w++(?:::\w++)*(?::\d\w*+)?)"
_IS_FLOAT: Final = re.compile(r"0[fFdD]|(?!0[xX])[^.eE]*+[.eE]").match
_PLAIN: Final = (
    r"-?(?:0[xX][0-9a-fA-F]{1,16}|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|[1-9]\d{0,17}|0[0-7]{0,17})"
    rf"{NO_MORE}"
)

LAST_OF_RAW: Final = r"[ \t]*+\.source_end[ \t]*+(?=\r?\n)"
"""A pattern of the line that ends raw text; with a carriage return, ptxas on Linux rejects it."""
TOKEN: Final = re.compile(
    rf"""
  (?P<space>[ \t\r\n\f\x1a]++|{COMMENT}
    |\.DEFINE[ \t]++{FIRST_OF_NAME}[^\n]*+)
| (?P<reg>{REGISTER_NAME}{SUFFIX}*)
| (?P<word>{IDENTIFIER}{SUFFIX}*)
| (?P<numbers>(?:(?<=[{{])|(?<=[{{]\s))
    (?:{_PLAIN}[ \t\r\n]*+,[ \t\r\n]*+){{32,}}{_PLAIN}(?=[ \t\r\n]*+[}}]))
| (?P<number>{NUMBER_PATTERN})
| (?P<raw>\.source_begin[ \t]*+\r?\n(?:(?!{LAST_OF_RAW})[\x01-\t\v-\x7f]*+\n)*{LAST_OF_RAW})
| (?P<dotted>@@DWARF{NAME_ENDS}|{_BANK}
    |\.(?:{IDENTIFIER}|\d++[A-Za-z]\w*+)(?:::\w++)*(?::\d\w*+)?|(?:{"|".join(_OWNERS)}){NAME_ENDS})
| (?P<string>"[\x01-\t\v\f\x0e-!#-\x7f]*+"|{STRING_OVER_LINES})
| (?P<line>{MARKER}|\#[^\r\n]*+)
| (?P<operator><<|>>|<=|>=|==|!=|&&|\|\||/(?!\*)|[-+*%&|^~!@,;:?()\[\]{{}}<>=\\])
| (?P<error>\d[{OF_NAMES}.]*+|"[^"\r\n]*+"?+|/\*|[^\x00-\x7f]++|.)
""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
"""Splits any text into tokens and white space: every character belongs to exactly one match.

White space is all text that ptxas skips, including the end-of-file mark of DOS, and `.DEFINE` lines
of a macro language, which are not expanded.
"""

_SIMPLE: Final = {
    "reg": REG,
    "word": WORD,
    "numbers": NUMBERS,
    "string": STRING,
    "line": LINE,
    "raw": RAW,
    "operator": OPERATOR,
    "error": ERROR,
}
"""Token types that depend only on the group in `TOKEN`."""


is_marker: Final = LazyPattern(MARKER, re.ASCII).fullmatch
"""Matches a line marker of a preprocessor, which may be between the tokens of a statement."""


_OVER_LINES: Final = frozenset({"space", "numbers", "raw", "string", "line"})
"""Groups of tokens that may contain line ends."""


ParsoPosition: TypeAlias = tuple[int, int]
"""A line from 1 and a column from 0 in the parsed text, as parso counts."""


class Token(NamedTuple):
    """A token with the fields of parso's: type, text, place, and the white space before it."""

    type: TokenType
    string: str
    start_pos: ParsoPosition
    prefix: str

    @property
    def start(self) -> StatementPosition:
        """The start of the token; the first line is 0."""
        line, column = self.start_pos
        return StatementPosition((line - 1, column))

    def placed(self, origin: At) -> tuple[At, At]:
        """Returns the start and end of a token without line ends in a text that is at `origin`."""
        start = shifted(self.start, origin)
        return start, along(start, len(self.string))


def dotted_type(spelling: str) -> TokenType:
    """Returns the token type of a dotted name such as `.global` or `.debug_info`."""
    return DOTTED_TYPES.get(spelling) or (SPACE if spelling.startswith(".const[") else NAME)


def belongs_to(part: str, opcode: str) -> bool:
    """Whether a detached part belongs to an opcode, given with its first modifier.

    ptxas ignores a detached part in every other instruction.
    """
    return opcode.partition("::")[0] == _OWNERS[part]


def _type(kind: str, spelling: str) -> TokenType:
    """Returns the token type of a dotted name or a number."""
    if kind == "dotted":
        return dotted_type(spelling)
    if is_out_of_range(spelling):
        return ERROR
    return FLOAT if _IS_FLOAT(spelling) else NUMBER


def tokenize(text: str, first: int = 0) -> Iterator[Token]:
    """Yields the tokens of `text` with white space and comments as prefixes, then an ENDMARKER.

    Omits tokens that end before the offset `first`. All prefixes and strings, joined, are `text`.
    Lines start at 1, columns at 0 and are in code points; lines end at a line feed, a carriage
    return or both.
    """
    line, start_of_line, prefix, is_inside = 1, 0, "", False
    for match in TOKEN.finditer(text):
        kind, string = str(match.lastgroup), match[0]
        if match.end() < first:
            is_inside = is_inside or kind != "space"
        elif kind == "space" or (is_inside and kind == "line" and is_marker(string)):
            prefix += string
        else:
            column = match.start() - start_of_line
            yield Token(_SIMPLE.get(kind) or _type(kind, string), string, (line, column), prefix)
            prefix, is_inside = "", True
        if kind in _OVER_LINES and ("\n" in string or "\r" in string):
            breaks = string.replace("\r\n", "\n").replace("\r", "\n")
            line += breaks.count("\n")
            start_of_line = match.end() - (len(breaks) - breaks.rfind("\n") - 1)
    yield Token(ENDMARKER, "", (line, len(text) - start_of_line), prefix)


def is_over_lines(space: str) -> bool:
    """Whether white space is a line comment that ends with a carriage return, and so continues."""
    return space.endswith("\r") and space.startswith("//")


def is_begun_string(token: str) -> bool:
    """Whether an error token is the first line of a string that ends on a later line."""
    return token[0] == '"' and (len(token) == 1 or token[-1] != '"')
