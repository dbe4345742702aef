"""Lines that differ in digits only have the same tokens: they are read once.

What is kept of such lines is their *form*. Instructions of one shape share its `Pattern` besides,
so of another form of it only the places of its tokens are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.operand_traits import (
    ShapeTraits,
    never_falls_through,
    traits_in_steps,
    traits_of_unfinished,
)
from ptx_ls.features.tokens.shape_tokens import shape_tokens
from ptx_ls.features.tokens.statement_tokens import (
    SyntaxToken,
    comments,
    statement_tokens,
    statement_tokens_in_steps,
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
from ptx_ls.source.steps import ends_step
from ptx_ls.syntax.normalize import canonical_word
from ptx_ls.syntax.record import InlineAsmLine, InlineAsmPattern, Kind, MultiLine, Record, Shape

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from ptx_ls.isa import Context

_DIGITS: Final = {ord(digit): "0" for digit in "123456789"}
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
"""Kinds of records whose tokens do not depend on digits: those of an opcode are in its shape."""
_ENTERED: Final = (Kind.LABEL, Kind.FUNCTION)
_UNFINISHED: Final = (Kind.INSTRUCTION, Kind.BROKEN)
_MOST: Final = 200_000
_HEAD: Final = frozenset({Kind.FUNCTION, Kind.OPEN})
_HEADS: Final = 512
_ROOMS: Final = 8
_FEW: Final = 2
"""Banks whose lines are found each time, in a function that has all others as another one has."""
FALLS_THROUGH, LEAVES, ENTERED = range(3)
"""What a line does to control: goes on, never comes to the next one, is branched to."""


class Forms:
    """The forms of lines in modules of one version and target."""

    def __init__(self, palette: Palette, context: Context) -> None:
        self.palette = palette
        self._context = context
        self._patterns: dict[Record, Pattern] = {}
        self._flows: dict[Record, int] = {}
        self._known: dict[tuple[object, str], LineForm] = {}
        self._rooms: list[TokenRowCache] = []
        self.heads: dict[MultiLine, list[tuple[int, str]]] = {}
        """Rows of the heads of functions, by their numbers in these."""

    def traits(self, record: Record, text: str) -> Generator[None, None, ShapeTraits | None]:
        """What the ISA says of an instruction, even of an unfinished one; None for all else.

        In steps.
        """
        if isinstance(record, Shape):
            return (yield from traits_in_steps(record, self._context))
        if record.kind in _UNFINISHED:
            return traits_of_unfinished(text, self._context)
        return None

    def room(self, banks: Mapping[str, int], text: str) -> tuple[TokenRowCache, list[str]]:
        """The room for rows of a function with these banks; `text` is of it, without its digits.

        And what names begin with whose lines are none of the room's, as those of registers whose
        declaration is just being typed.
        """
        is_full = len(self._rooms) == _ROOMS
        nearest: tuple[TokenRowCache, list[str]] | None = None
        for room in self._rooms:
            odd = room.odd(banks, text)
            stems = odd.stems
            fits = len(stems) <= _FEW and (is_full or not odd.others)
            if fits and (nearest is None or len(stems) < len(nearest[1])):
                nearest = room, stems
            if not stems:
                break
        if nearest is None:
            nearest = TokenRowCache(), []
            if not is_full:
                self._rooms.append(nearest[0])
        nearest[0].learn(banks)
        return nearest

    @property
    def has_room_for_heads(self) -> bool:
        """Whether another head can be kept without losing one."""
        return len(self.heads) < _HEADS

    def keep_head(self, run: MultiLine, rows: list[tuple[int, str]]) -> None:
        """Keeps the rows of the head of a function, which names nothing that is looked up."""
        if not self.has_room_for_heads:
            del self.heads[next(iter(self.heads))]
        self.heads[run] = rows

    def form(self, at: tuple[Record, str], line: str) -> Generator[None, None, LineForm]:
        """The form of a line that is not part of a longer run; `at` as in `TokenRowCache.rows`."""
        record, key = at
        place: tuple[object, str] = at
        if isinstance(record, InlineAsmLine):
            place = (record.form, key)
        elif record.kind not in _NUMBERED:
            is_declaration = record.kind is Kind.DECLARATION and not record.problems
            place = (record, _with_types(line) if is_declaration else line)
        found = self._known.get(place)
        if found is None:
            if len(self._known) > _MOST:
                self._known.clear()
            found = self._known[place] = yield from self._read(record, line)
        return found

    def keep(
        self, room: TokenRowCache, at: tuple[Record, str], form: LineForm, styles: tuple[int, ...]
    ) -> None:
        """Keeps the row of a line, if others may have it; `at` as for `TokenRowCache.rows`."""
        record = at[0]
        if record.kind in _NUMBERED and form.flow != LEAVES:
            room.keep(at, form, styles, is_like=self._patterns.get(record) is form.pattern)

    def _read(self, record: Record, line: str) -> Generator[None, None, LineForm]:
        pattern = self._patterns.get(record)
        if pattern is not None:
            places = places_of(line)
            if len(places) == 2 * len(pattern.tokens):
                return LineForm(pattern, places, self.palette)
        if isinstance(record, Shape):
            known = shape_tokens(record, line, (yield from traits_in_steps(record, self._context)))
            if known is not None:
                pattern = Pattern(*known, self.palette, self.flow(record))
                self._patterns[record] = pattern
                return LineForm(pattern, places_of(line), self.palette)
        found: list[SyntaxToken] = []
        if isinstance(record, InlineAsmLine):
            for piece in record.pieces:
                (_, start), (_, end) = piece.start, piece.end
                traits = yield from self.traits(piece.record, line[start:end])
                own = statement_tokens(piece.record.kind, line[start:end], traits)
                found += [token._replace(start=token.start + start) for token in own]
                yield
            flow = flow_of_run(record.form, self)
        else:
            traits = yield from self.traits(record, line)
            found += yield from statement_tokens_in_steps(record.kind, line, traits)
            flow = self.flow(record)
        if self.palette.has_comments and "/" in line:
            found += [
                SyntaxToken(start, stop - start, TokenKind.COMMENT)
                for start, stop in (yield from comments(line))
            ]
            found.sort(key=_start)
        yield
        tokens, names, places = yield from _taken_apart(found)
        yield
        pattern = Pattern(tokens, names, self.palette, flow)
        if isinstance(record, Shape) and places_of(line) == places:
            self._patterns[record] = pattern
        return LineForm(pattern, places, self.palette)

    def flow(self, record: Record) -> int:
        """What a statement does to control."""
        found = self._flows.get(record)
        if found is None:
            if not isinstance(record, Shape):
                return ENTERED if record.kind in _ENTERED else FALLS_THROUGH
            leaves = never_falls_through(record)
            found = self._flows[record] = LEAVES if leaves else FALLS_THROUGH
        return found


def is_head(run: MultiLine) -> bool:
    """Whether a run is the head of a function and nothing else, so that it is always reached."""
    kinds = [record.kind for record in run.records]
    return kinds[:1] == [Kind.FUNCTION] and _HEAD.issuperset(kinds)


def _with_types(line: str) -> str:
    """A declaration without the digits behind its last dotted word: they tell nothing."""
    start = line.rfind(".")
    while line[start + 1 : start + 2].isalnum():
        start += 1
    return line[: start + 1] + line[start + 1 :].translate(_DIGITS)


def _start(token: SyntaxToken) -> int:
    return token.start


def _taken_apart(
    found: list[SyntaxToken],
) -> Generator[None, None, tuple[list[Open], tuple[str, ...], tuple[int, ...]]]:
    """Tokens as numbers, the names to be looked up, and the places; in steps."""
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
            if ends_step(len(names)):
                yield
            always, by_type = name.traits
            tokens.append((int(kind), int(always), int(by_type), len(names)))
            names.append(canonical_word(name.text) if name.text.startswith("%") else "")
    return tokens, tuple(names), tuple(places)


def flow_of_run(form: InlineAsmPattern, forms: Forms) -> int:
    """What the last statement of a line does to control."""
    found = FALLS_THROUGH
    for record in form.records:
        found = forms.flow(record) or found
    return found


def without_digits(lines: list[str]) -> tuple[str, list[str]]:
    """The lines with every digit as a 0, which leaves their lengths as they are, in one and each.

    Line ends are left out where they are the same.
    """
    text = "".join(lines).translate(_DIGITS)
    keys = text.split("\n")
    if len(keys) == len(lines) + text.endswith("\n") and "\r" not in text:
        return text, keys
    return text, [line.translate(_DIGITS) for line in lines]
