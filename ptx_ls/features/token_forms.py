"""Lines that differ in digits only have the same tokens: they are read once.

What is kept of such lines is their *form*, and of a form the numbers that say where its tokens are,
as text that is sent as it is: five numbers a token, each place counted from the token before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.features.name_styles import joined
from ptx_ls.features.operand_traits import (
    ShapeTraits,
    never_falls_through,
    traits_of,
    traits_of_unfinished,
)
from ptx_ls.features.statement_tokens import SyntaxToken, comments, statement_tokens
from ptx_ls.features.token_kinds import TokenKind, TokenTrait
from ptx_ls.semantics.region import canonical
from ptx_ls.source.columns import ColumnUnit, to_units
from ptx_ls.syntax.record import Kind, PlainRun, Record, RunForm, Shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.isa import Context

_DIGITS: Final = {ord(digit): "0" for digit in "123456789"}
_NUMBERED: Final = (Kind.INSTRUCTION, Kind.LABEL, Kind.LOCATION, Kind.DATA, Kind.BLANK)
"""Kinds of records whose tokens do not depend on digits: those of an opcode are in its shape."""
_UNFINISHED: Final = (Kind.INSTRUCTION, Kind.BROKEN)
_TOKENS: Final = re.compile(
    r"(?!_(?![\w$]))[%A-Za-z_$][\w$]*+|(?<![\w$])\d[\w.]*+|\.\w++(?:::\w++)*(?::\d\w*+)?",
    re.ASCII,
).finditer
"""Names, numbers and dotted parts of an instruction without strings and comments, but no sink."""
_UNREACHABLE: Final = int(TokenTrait.UNREACHABLE)
_MOST: Final = 200_000
FALLS_THROUGH, LEAVES, ENTERED = range(3)
"""What a line does to control: goes on, never comes to the next one, is branched to."""


class Palette(NamedTuple):
    """What an editor wants: traits that it knows, what its columns count, comments or none."""

    traits: int = -1
    unit: ColumnUnit = ColumnUnit.UTF_32
    has_comments: bool = False


class LineForm:
    """The tokens of lines that differ in digits only. `names` are those to be looked up.

    Canonical names of registers let one lookup serve for all; other names are "". `live` and `dead`
    are what `text` gave for each styles.
    """

    __slots__ = ("_palette", "dead", "flow", "live", "names", "spans", "tokens")

    def __init__(
        self, tokens: list[_Token], names: tuple[str, ...], palette: Palette, flow: int
    ) -> None:
        self.tokens = tokens
        self.names = names
        self.spans = [
            (start, start + length) for start, length, _, _, _, number in tokens if number >= 0
        ]
        self.flow = flow
        self._palette = palette
        self.live: dict[tuple[int, ...], str] = {}
        self.dead: dict[tuple[int, ...], str] = {}

    def text(self, styles: tuple[int, ...], *, is_dead: bool) -> str:
        """The numbers of the line's tokens but for the first, the lines since the one before."""
        texts = self.dead if is_dead else self.live
        resolved = resolve(self.tokens, styles)
        found = texts[styles] = encoded(resolved, self._palette, is_dead=is_dead)
        return found

    def encoded_in(self, line: str, styles: tuple[int, ...], *, is_dead: bool) -> str:
        """As `text`, for a line with characters that the editor may count differently."""
        resolved = resolve(self.tokens, styles)
        return encoded(in_units(resolved, line, self._palette.unit), self._palette, is_dead=is_dead)


_Token = tuple[int, int, int, int, int, int]
"""Start, length, kind, traits, traits by type, number of the name or -1."""
Resolved = tuple[int, int, int, int]
"""Start, length, kind, traits."""


def resolve(tokens: Iterable[_Token], styles: Sequence[int]) -> list[Resolved]:
    """Tokens with what their names turned out to be."""
    found: list[Resolved] = []
    for start, length, kind, traits, by_type, number in tokens:
        if number < 0:
            found.append((start, length, kind, traits))
        else:
            found.append((start, length, *joined(styles[number], kind, traits, by_type)))
    return found


def in_units(tokens: Iterable[Resolved], line: str, unit: ColumnUnit) -> list[Resolved]:
    """Tokens of a line with columns as the editor counts them."""
    found: list[Resolved] = []
    for start, length, kind, traits in tokens:
        first = to_units(line, start, unit)
        found.append((first, to_units(line, start + length, unit) - first, kind, traits))
    return found


def encoded(tokens: Iterable[Resolved], palette: Palette, *, is_dead: bool) -> str:
    """The numbers of one line's tokens but for the first; see `LineForm.text`."""
    parts: list[str] = []
    previous = 0
    more = _UNREACHABLE if is_dead else 0
    mask = int(palette.traits)  # an operation on flags takes ten times as long
    for start, length, kind, traits in tokens:
        parts.append(f"{start - previous},{length},{kind},{(traits | more) & mask}")
        previous = start
    return ",0,".join(parts)


class Forms:
    """The forms of lines in modules of one version and target."""

    def __init__(self, palette: Palette, context: Context) -> None:
        self.palette = palette
        self._context = context
        self._of_shapes: dict[Record, LineForm] = {}
        self._flows: dict[Shape, int] = {}
        self.known: dict[tuple[object, str], LineForm] = {}
        """By record and line without its digits."""

    def traits(self, record: Record, text: str) -> ShapeTraits | None:
        """What the ISA says of an instruction, even of an unfinished one; None for all else."""
        if isinstance(record, Shape):
            return traits_of(record, self._context)
        if record.kind in _UNFINISHED:
            return traits_of_unfinished(text, self._context)
        return None

    def form(self, record: Record, key: str, line: str) -> LineForm:
        """The form of a line that is no part of a longer run. `key` is it without its digits."""
        place: tuple[object, str] = (record, line)
        if isinstance(record, PlainRun):
            place = (record.form, key)
        elif record.kind in _NUMBERED:
            place = (record, key)
        found = self.known.get(place)
        if found is None:
            if len(self.known) > _MOST:
                self.known.clear()
            found = self.known[place] = self._read(record, line)
        return found

    def _read(self, record: Record, line: str) -> LineForm:
        like = self._of_shapes.get(record)
        if like is not None:
            spans = _spans(line)
            if len(spans) == len(like.tokens):
                tokens = [
                    (start, stop - start, *token[2:])
                    for (start, stop), token in zip(spans, like.tokens, strict=True)
                ]
                return LineForm(tokens, like.names, self.palette, like.flow)
        found: list[SyntaxToken] = []
        if isinstance(record, PlainRun):
            for piece in record.pieces:
                (_, start), (_, end) = piece.start, piece.end
                traits = self.traits(piece.record, line[start:end])
                found += [
                    token._replace(start=token.start + start)
                    for token in statement_tokens(piece.record.kind, line[start:end], traits)
                ]
            flow = flow_of_run(record.form, self)
        else:
            found += statement_tokens(record.kind, line, self.traits(record, line))
            flow = self.flow(record)
        if self.palette.has_comments:
            found += [
                SyntaxToken(start, stop - start, TokenKind.COMMENT)
                for start, stop in comments(line)
            ]
            found.sort(key=_start)
        tokens, names = _without_words(found)
        form = LineForm(tokens, names, self.palette, flow)
        if isinstance(record, Shape) and [it[:2] for it in tokens] == [
            (start, stop - start) for start, stop in _spans(line)
        ]:
            self._of_shapes[record] = form
        return form

    def flow(self, record: Record) -> int:
        """What a statement does to control."""
        if record.kind in (Kind.LABEL, Kind.FUNCTION):
            return ENTERED
        if not isinstance(record, Shape):
            return FALLS_THROUGH
        found = self._flows.get(record)
        if found is None:
            leaves = never_falls_through(record)
            found = self._flows[record] = LEAVES if leaves else FALLS_THROUGH
        return found


def _start(token: SyntaxToken) -> int:
    return token.start


def _spans(line: str) -> list[tuple[int, int]]:
    """Where the tokens of an instruction are; wrong where more than blanks stands between them."""
    if "/" in line or '"' in line:
        return []
    return [match.span() for match in _TOKENS(line)]


def _without_words(found: list[SyntaxToken]) -> tuple[list[_Token], tuple[str, ...]]:
    """Tokens as numbers, and the names to be looked up."""
    tokens: list[_Token] = []
    names: list[str] = []
    for start, length, kind, traits, name in found:
        if name is None:
            tokens.append((start, length, int(kind), int(traits), 0, -1))
        else:
            always, by_type = name.traits
            tokens.append((start, length, int(kind), int(always), int(by_type), len(names)))
            names.append(canonical(name.text) if name.text.startswith("%") else "")
    return tokens, tuple(names)


def flow_of_run(form: RunForm, forms: Forms) -> int:
    """What the last statement of a line does to control."""
    found = FALLS_THROUGH
    for record in form.records:
        found = forms.flow(record) or found
    return found


def without_digits(lines: list[str]) -> list[str]:
    """The lines with every digit as a 0, which leaves their lengths as they are."""
    text = "".join(lines)
    plain = text.translate(_DIGITS).split("\n")
    if len(plain) == len(lines) + text.endswith("\n") and "\r" not in text:
        return plain
    return [line.translate(_DIGITS) for line in lines]
