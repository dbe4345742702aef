"""What the tokens of a line are, but for where they are: most instructions differ in that only.

The numbers of a line's tokens are text that is sent as it is: five a token, each place counted
from the token before. A *layout* is such a text with `%d` for places and lengths.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.features.tokens.token_kinds import TokenTrait
from ptx_ls.features.tokens.token_styles import joined
from ptx_ls.source.columns import ColumnUnit, to_units
from ptx_ls.syntax.names import IN_NAME, NAME_ENDS, NAME_PATTERN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ptx_ls.syntax.record import Record

_TOKENS: Final = re.compile(
    rf"(?!_{NAME_ENDS}){NAME_PATTERN}|(?<!{IN_NAME})\d[\w.]*+|\.\w++(?:::\w++)*(?::\d\w*+)?",
    re.ASCII,
)
"""Names, numbers and dotted parts of an instruction without strings and comments, but no sink."""
_UNREACHABLE: Final = int(TokenTrait.UNREACHABLE)
_MOST: Final = 200_000


class Palette(NamedTuple):
    """What an editor wants: traits that it knows, what its columns count, comments or none."""

    traits: int = -1
    unit: ColumnUnit = ColumnUnit.UTF_32
    has_comments: bool = False


Open = tuple[int, int, int, int]
"""Kind, traits, traits by type, number of the name or -1."""
Resolved = tuple[int, int, int, int]
"""Start, length, kind, traits."""


class Pattern:
    """The tokens of lines in order, but for where they are. `names` are those to be looked up.

    Canonical names of registers let one lookup serve for all; other names are "".
    """

    __slots__ = ("_dead", "_live", "_palette", "flow", "names", "tokens")

    def __init__(
        self, tokens: Sequence[Open], names: tuple[str, ...], palette: Palette, flow: int
    ) -> None:
        self.tokens = tokens
        self.names = names
        self.flow = flow
        self._palette = palette
        self._live: dict[tuple[int, ...], str] = {}
        self._dead: dict[tuple[int, ...], str] = {}

    def layout(self, styles: tuple[int, ...], *, is_dead: bool) -> str:
        """The numbers of the tokens, whose names have these styles."""
        layouts = self._dead if is_dead else self._live
        found = layouts.get(styles)
        if found is None:
            found = layouts[styles] = self._laid_out(styles, _UNREACHABLE if is_dead else 0)
        return found

    def _laid_out(self, styles: tuple[int, ...], more: int) -> str:
        mask = int(self._palette.traits)  # an operation on flags takes ten times as long
        parts: list[str] = []
        for default, always, by_type, number in self.tokens:
            kind, traits = default, always
            if number >= 0:
                kind, traits = joined(styles[number], default, always, by_type)
            parts.append(f"%d,%d,{kind},{(traits | more) & mask}")
        return ",0,".join(parts)


class LineForm:
    """The tokens of lines that differ in digits only.

    `places`: for each token its distance from the one before, and its length.
    """

    __slots__ = ("_name_spans", "_palette", "_texts", "flow", "names", "pattern", "places")

    def __init__(self, pattern: Pattern, places: tuple[int, ...], palette: Palette) -> None:
        self.pattern = pattern
        self.places = places
        self.names = pattern.names
        self.flow = pattern.flow
        self._palette = palette
        self._name_spans: list[tuple[int, int]] | None = None
        self._texts: dict[tuple[int, ...], str] = {}

    def text(self, styles: tuple[int, ...], *, is_dead: bool) -> str:
        """The numbers of the line's tokens but for the first, the lines since the one before."""
        if is_dead:
            return self.pattern.layout(styles, is_dead=True) % self.places
        found = self._texts.get(styles)
        if found is None:
            found = self._texts[styles] = self.pattern.layout(styles, is_dead=False) % self.places
        return found

    def encoded_in(self, line: str, styles: tuple[int, ...], *, is_dead: bool) -> str:
        """As `text`, for a line with characters that the editor may count differently."""
        places: list[int] = []
        previous = 0
        for start, stop in self._spans():
            first = to_units(line, start, self._palette.unit)
            places += (first - previous, to_units(line, stop, self._palette.unit) - first)
            previous = first
        return self.pattern.layout(styles, is_dead=is_dead) % tuple(places)

    @property
    def name_spans(self) -> list[tuple[int, int]]:
        """Where the names are that are to be looked up."""
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


class Odd(NamedTuple):
    """What names begin with for which rows do not hold: of another style, or of no bank."""

    others: list[str]
    missing: list[str]

    @property
    def stems(self) -> list[str]:
        """All of them."""
        return self.others + self.missing


class TokenRowCache:
    """Rows of lines in functions whose banks of registers have one style each.

    Only of lines that can be reached, are followed by the next one and name nothing but registers
    of banks. `rows`: by record and line without its digits; the row before is one line above.
    """

    __slots__ = ("_banks", "_layouts", "rows")

    def __init__(self) -> None:
        self._banks: dict[str, int] = {}
        self._layouts: dict[Record, tuple[int, str]] = {}
        self.rows: dict[tuple[object, str], str] = {}

    def odd(self, banks: Mapping[str, int], text: str) -> Odd:
        """Which names of text without digits the rows do not hold for; `banks`: the function's."""
        known = self._banks
        others = [name for name, style in banks.items() if known.get(name, style) != style]
        missing = known.keys() - banks.keys()
        return Odd(_stems_in(text, others), _stems_in(text, missing))

    def learn(self, banks: Mapping[str, int]) -> None:
        """Takes note of banks that no row names yet."""
        for name, style in banks.items():
            self._banks.setdefault(name, style)

    def keep(
        self, at: tuple[Record, str], form: LineForm, styles: tuple[int, ...], *, is_like: bool
    ) -> None:
        """Keeps the row of a line; `is_like`: all lines of its record have this pattern."""
        if len(self.rows) > _MOST:
            self.rows.clear()
        if not form.places:
            self.rows[at] = ""
            return
        self.rows[at] = f"1,{form.text(styles, is_dead=False)}"
        if is_like:
            layout = form.pattern.layout(styles, is_dead=False)
            self._layouts[at[0]] = len(form.places), f"1,{layout}"

    def row_like_others(self, at: tuple[Record, str], line: str) -> str | None:
        """The row of a line, if one of another with its record was kept; `at` as for `rows`."""
        known = self._layouts.get(at[0])
        if known is None:
            return None
        n_places, layout = known
        places = places_of(line)
        if len(places) != n_places:
            return None
        found = self.rows[at] = layout % places
        return found


def _stems_in(text: str, names: Iterable[str]) -> list[str]:
    """What canonical names begin with, of those that text without digits may have."""
    return [stem for name in names if (stem := name[: name.find("0") + 1 or None]) in text]


def words_of(line: str) -> list[str]:
    """The tokens of an instruction whose places `places_of` tells."""
    return _TOKENS.findall(line)


def places_of(line: str) -> tuple[int, ...]:
    """Where the tokens of an instruction are; wrong where more than blanks stands between them."""
    if "/" in line or '"' in line:
        return ()
    found: list[int] = []
    previous = 0
    for match in _TOKENS.finditer(line):
        start, stop = match.span()
        found += (start - previous, stop - start)
        previous = start
    return tuple(found)


def in_units(tokens: Iterable[Resolved], line: str, unit: ColumnUnit) -> list[Resolved]:
    """Tokens of a line with columns as the editor counts them."""
    found: list[Resolved] = []
    for start, length, kind, traits in tokens:
        first = to_units(line, start, unit)
        found.append((first, to_units(line, start + length, unit) - first, kind, traits))
    return found


def encoded(tokens: Iterable[Resolved], palette: Palette) -> str:
    """The numbers of one line's tokens but for the first; see `LineForm.text`."""
    parts: list[str] = []
    previous = 0
    mask = int(palette.traits)
    for start, length, kind, traits in tokens:
        parts.append(f"{start - previous},{length},{kind},{traits & mask}")
        previous = start
    return ",0,".join(parts)
