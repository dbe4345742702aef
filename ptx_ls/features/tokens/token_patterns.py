"""The tokens of lines apart from their places, which are different for most instructions.

The tokens of a line are text that is sent unchanged: five numbers for each, with its place relative
to the token before. A *layout* is such a text with `%d` for places and lengths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.tokens.token_kinds import TokenTrait, joined
from ptx_ls.source.columns import ColumnUnit, to_units
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.written.word_spans import word_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ptx_ls.syntax.record import Record

_UNREACHABLE: Final = int(TokenTrait.UNREACHABLE)
_MAX_ROWS: Final = 200_000
"""Maximum number of rows that a cache keeps."""


class Palette(NamedTuple):
    """The needs of an editor: which traits (-1: all), columns in which unit, comments or not."""

    traits: int = -1
    unit: ColumnUnit = ColumnUnit.UTF_32
    has_comments: bool = False


Open = tuple[int, int, int, int]
"""A token without its place: kind, traits, traits by type, number of the name or -1."""
Resolved = tuple[int, int, int, int]
"""A token: start, length, kind, traits."""


class Pattern:
    """The tokens of lines in order, without their places. `names`: the names to look up.

    Registers have canonical names, so that one lookup serves for a whole bank; others have "".
    """

    __slots__ = ("_dead", "_live", "_palette", "names", "tokens")

    def __init__(self, tokens: Sequence[Open], names: tuple[str, ...], palette: Palette) -> None:
        self.tokens = tokens
        self.names = names
        self._palette = palette
        self._live: dict[tuple[int, ...], str] = {}
        self._dead: dict[tuple[int, ...], str] = {}

    def layout(self, styles: tuple[int, ...], *, is_dead: bool) -> str:
        """Returns the layout of the tokens, whose names have these styles."""
        layouts = self._dead if is_dead else self._live
        found = layouts.get(styles)
        if found is None:
            found = layouts[styles] = self._laid_out(styles, _UNREACHABLE if is_dead else 0)
        return found

    def _laid_out(self, styles: tuple[int, ...], more: int) -> str:
        mask = int(self._palette.traits)  # operations on an `IntFlag` take ten times as long
        parts: list[str] = []
        for default, always, by_type, number in self.tokens:
            kind, traits = default, always
            if number >= 0:
                kind, traits = joined(styles[number], default, always, by_type)
            parts.append(f"%d,%d,{kind},{(traits | more) & mask}")
        return ",0,".join(parts)


class LineForm:
    """The tokens of lines that differ only in digits.

    `places`: for each token its distance from the one before, and its length.
    """

    __slots__ = ("_name_spans", "_palette", "_texts", "names", "pattern", "places")

    def __init__(self, pattern: Pattern, places: tuple[int, ...], palette: Palette) -> None:
        self.pattern = pattern
        self.places = places
        self.names = pattern.names
        self._palette = palette
        self._name_spans: list[tuple[int, int]] | None = None
        self._texts: dict[tuple[int, ...], str] = {}

    def text(self, styles: tuple[int, ...], *, is_dead: bool) -> str:
        """Returns the row of a line, without the number of lines since the last row."""
        if is_dead:
            return self.pattern.layout(styles, is_dead=True) % self.places
        found = self._texts.get(styles)
        if found is None:
            found = self._texts[styles] = self.pattern.layout(styles, is_dead=False) % self.places
        return found

    def encoded_in(self, line: str, styles: tuple[int, ...], *, is_dead: bool) -> str:
        """Returns the same for a line with characters that the editor may count differently."""
        places: list[int] = []
        previous = 0
        for start, stop in self._spans():
            first = to_units(line, start, self._palette.unit)
            places += (first - previous, to_units(line, stop, self._palette.unit) - first)
            previous = first
        return self.pattern.layout(styles, is_dead=is_dead) % tuple(places)

    @property
    def name_spans(self) -> list[tuple[int, int]]:
        """The start and end of each name that is to be looked up."""
        found = self._name_spans
        if found is None:
            tokens = zip(self._spans(), self.pattern.tokens, strict=True)
            found = self._name_spans = [span for span, token in tokens if token[-1] >= 0]
        return found

    def _spans(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        start = 0
        for gap, length in zip(self.places[::2], self.places[1::2], strict=True):
            start += gap
            found.append((start, start + length))
        return found


class TokenRowCache:
    """Rows of lines in functions whose banks of registers have one style each.

    Keeps only rows of lines that are reachable and name nothing but registers of banks. `rows`: by
    record and line with zeros for digits; each is for a line right below that of another row.
    """

    __slots__ = ("_banks", "_layouts", "rows")

    def __init__(self) -> None:
        self._banks: dict[str, int] = {}
        self._layouts: dict[Record, tuple[int, str]] = {}
        self.rows: dict[tuple[object, str], str] = {}

    def takes(self, banks: Mapping[str, int], text: str) -> bool:
        """Whether the rows are right for text of a function with these banks; if so, adds these.

        `text` has a zero for each digit, so it shows which canonical names it may have.
        """
        known = self._banks
        if any(known.get(name, style) != style for name, style in banks.items()):
            return False
        if any(name[: name.find("0") + 1 or None] in text for name in known.keys() - banks.keys()):
            return False
        known.update(banks)
        return True

    def keep(
        self, at: tuple[Record, str], form: LineForm, styles: tuple[int, ...], *, is_like: bool
    ) -> None:
        """Keeps the row of a line; `is_like`: whether all lines of its record have this pattern."""
        if len(self.rows) > _MAX_ROWS:
            self.rows.clear()
        if not form.places:
            self.rows[at] = ""
            return
        self.rows[at] = f"1,{form.text(styles, is_dead=False)}"
        if is_like:
            layout = form.pattern.layout(styles, is_dead=False)
            self._layouts[at[0]] = len(form.places), f"1,{layout}"

    def row_like_others(self, at: tuple[Record, str], line: str) -> str | None:
        """Returns the row of a line, if a row with its record was kept; `at` as for `rows`."""
        known = self._layouts.get(at[0])
        if known is None:
            return None
        n_places, layout = known
        places = places_of(line)
        if len(places) != n_places:
            return None
        found = self.rows[at] = layout % places
        return found


def places_of(line: str) -> tuple[int, ...]:
    """Returns the places of the tokens of an instruction, as in `LineForm`.

    Returns () for a line with a string or a comment, whose words are not all tokens.
    """
    if "/" in line or '"' in line:
        return ()
    found: list[int] = []
    previous = 0
    for start, stop in word_spans(line):
        found += (start - previous, stop - start)
        previous = start
    return tuple(found)


def in_units(tokens: Iterable[Resolved], line: str, unit: ColumnUnit) -> list[Resolved]:
    """Converts the columns of a line's tokens to the editor's units."""
    found: list[Resolved] = []
    for start, length, kind, traits in tokens:
        first = to_units(line, start, unit)
        found.append((first, to_units(line, start + length, unit) - first, kind, traits))
    return found


def encoded(tokens: Iterable[Resolved], palette: Palette) -> str:
    """Returns the numbers of one line's tokens; see `LineForm.text`."""
    parts: list[str] = []
    previous = 0
    mask = int(palette.traits)
    for start, length, kind, traits in tokens:
        parts.append(f"{start - previous},{length},{kind},{traits & mask}")
        previous = start
    return ",0,".join(parts)
