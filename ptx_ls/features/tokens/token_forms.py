"""Finds the tokens of lines; those of lines that differ only in digits are found just once.

The common part of such lines is their *form*. Instructions of one shape also share a `Pattern`, so
that for another form of the shape only the places of the tokens are read.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Final

from ptx_ls.features.operand_traits import (
    ShapeTraits,
    traits_of,
    traits_of_unfinished,
)
from ptx_ls.features.tokens.statement_tokens import (
    SyntaxToken,
    comments,
    statement_tokens,
)
from ptx_ls.features.tokens.token_kinds import TokenKind
from ptx_ls.features.tokens.token_patterns import (
    LineForm,
    Open,
    Palette,
    Pattern,
    TokenRowCache,
    places_of,
)
from ptx_ls.syntax.normalize import canonical_word
from ptx_ls.syntax.record import INSTRUCTIONS, InlineAsmLine, Kind, Record, Shape
from ptx_ls.syntax.scanner import DIGITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.isa import Context

_NUMBERED: Final = frozenset(
    {
        Kind.INSTRUCTION,
        Kind.LABEL,
        Kind.LOCATION,
        Kind.DATA,
        Kind.BLANK,
        Kind.COMMENT,
        Kind.OPEN,
        Kind.CLOSE,
    }
)
"""Records whose tokens do not depend on digits, since those of an opcode are part of its shape."""
_MAX_FORMS: Final = 200_000
"""Maximum number of forms of lines that are kept."""
_MAX_ROW_CACHES: Final = 8
"""Maximum number of row caches: functions rarely give one name different types."""


class Forms:
    """The forms of lines in modules of one version and target."""

    def __init__(self, palette: Palette, context: Context) -> None:
        self.palette = palette
        self._context = context
        self._patterns: dict[Record, Pattern] = {}
        self._known: dict[tuple[object, str], LineForm] = {}
        self._row_caches: list[TokenRowCache] = []
        self._row_caches_lock = Lock()

    def traits(self, record: Record, text: str) -> ShapeTraits | None:
        """Returns the traits of an instruction, even unfinished; None for others."""
        if isinstance(record, Shape):
            return traits_of(record, self._context)
        if record.kind in INSTRUCTIONS:
            return traits_of_unfinished(text, self._context)
        return None

    def row_cache(self, banks: Mapping[str, int], text: str) -> TokenRowCache:
        """Returns the cache for rows of a function with these banks; `text` as for `takes`."""
        caches = self._row_caches
        with self._row_caches_lock:  # else two functions might add different banks at the same time
            found = next((it for it in caches if it.takes(banks, text)), None)
            if found is None:
                found = TokenRowCache()
                found.takes(banks, text)
                caches.append(found)
                del caches[:-_MAX_ROW_CACHES]
        return found

    def form(self, at: tuple[Record, str], line: str) -> LineForm:
        """Returns the form of a line that is a run of its own; `at` as in `TokenRowCache.rows`."""
        record, key = at
        place: tuple[object, str] = at
        if isinstance(record, InlineAsmLine):
            place = (record.form, key)
        elif record.kind not in _NUMBERED:
            is_declaration = record.kind is Kind.DECLARATION and not record.problems
            place = (record, _with_types(line) if is_declaration else line)
        found = self._known.get(place)
        if found is None:
            if len(self._known) > _MAX_FORMS:
                self._known.clear()
            found = self._known[place] = self._read(record, line)
        return found

    def keep(
        self, cache: TokenRowCache, at: tuple[Record, str], form: LineForm, styles: tuple[int, ...]
    ) -> None:
        """Keeps the row of a line if other lines may have it; `at` as in `TokenRowCache.rows`."""
        record = at[0]
        if record.kind in _NUMBERED:
            cache.keep(at, form, styles, is_like=self._patterns.get(record) is form.pattern)

    def _read(self, record: Record, line: str) -> LineForm:
        pattern = self._patterns.get(record)
        if pattern is not None:
            places = places_of(line)
            if len(places) == 2 * len(pattern.tokens):
                return LineForm(pattern, places, self.palette)
        found: list[SyntaxToken] = []
        if isinstance(record, InlineAsmLine):
            for piece in record.pieces:
                (_, start), (_, end) = piece.start, piece.end
                traits = self.traits(piece.record, line[start:end])
                own = statement_tokens(piece.record.kind, line[start:end], traits)
                found += [token._replace(start=token.start + start) for token in own]
        else:
            traits = self.traits(record, line)
            found += statement_tokens(record.kind, line, traits)
        if self.palette.has_comments and "/" in line:
            found += [
                SyntaxToken(start, stop - start, TokenKind.COMMENT)
                for start, stop in comments(line)
            ]
            found.sort(key=_start)
        tokens, names, places = _separated(found)
        pattern = Pattern(tokens, names, self.palette)
        if isinstance(record, Shape) and places_of(line) == places:
            self._patterns[record] = pattern
        return LineForm(pattern, places, self.palette)


def _with_types(line: str) -> str:
    """Returns a declaration with a zero for each digit after its last dotted word."""
    start = line.rfind(".")
    while line[start + 1 : start + 2].isalnum():
        start += 1
    return line[: start + 1] + line[start + 1 :].translate(DIGITS)


def _start(token: SyntaxToken) -> int:
    return token.start


def _separated(
    found: list[SyntaxToken],
) -> tuple[list[Open], tuple[str, ...], tuple[int, ...]]:
    """Returns the kinds and traits of tokens, the names to look up, and `LineForm.places`."""
    tokens: list[Open] = []
    names: list[str] = []
    places: list[int] = []
    previous = 0
    for start, length, kind, traits, name in found:
        places += (start - previous, length)
        previous = start
        if name is None:
            tokens.append((int(kind), int(traits), 0, -1))
        else:
            always, by_type = name.traits
            tokens.append((int(kind), int(always), int(by_type), len(names)))
            names.append(canonical_word(name.text) if name.text.startswith("%") else "")
    return tokens, tuple(names), tuple(places)


def without_digits(lines: list[str]) -> tuple[str, list[str]]:
    """Returns lines with a zero for each digit, joined and separately.

    Line ends are omitted if all lines end in a line feed.
    """
    text = "".join(lines).translate(DIGITS)
    keys = text.split("\n")
    if len(keys) == len(lines) + text.endswith("\n") and "\r" not in text:
        return text, keys
    return text, [line.translate(DIGITS) for line in lines]
