"""Tokens of statements over several lines, or several on one line."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ptx_ls.features.tokens.statement_tokens import comments, statement_tokens
from ptx_ls.features.tokens.token_forms import Forms
from ptx_ls.features.tokens.token_kinds import TokenKind, TokenTrait, joined
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.features.control_flow.unreachable import Unreachable
    from ptx_ls.features.tokens.name_styles import RegionStyles
    from ptx_ls.features.tokens.statement_tokens import NameToken
    from ptx_ls.features.tokens.token_patterns import Resolved
    from ptx_ls.syntax.record import MultiLine

_COMMENT: Final = int(TokenKind.COMMENT)
_UNREACHABLE: Final = int(TokenTrait.UNREACHABLE)


class RunTokens:
    """Finds the tokens of a run by its rows. `styles_of`: the styles for a statement's start."""

    def __init__(
        self,
        forms: Forms,
        styles_of: Callable[[Position], RegionStyles],
        start: int,
        lines: list[str],
    ) -> None:
        self._forms = forms
        self._styles_of = styles_of
        self._start = start
        self._lines = lines
        self._offsets = [0, *accumulate(map(len, lines))]
        self._text = "".join(lines)
        self.by_row: dict[int, list[Resolved]] = {}

    def read(self, run: MultiLine, dead: Unreachable) -> None:
        """Finds the tokens."""
        for piece in run.pieces:
            is_dead = dead.holds(self._start + piece.start[0], piece.start[1])
            if piece.start[1] > MAX_STATEMENT_LENGTH:
                continue
            row, column = piece.start
            styles = self._styles_of(Position(self._start + row, column))
            first, stop = (self._offsets[row] + column for row, column in (piece.start, piece.end))
            text = self._text[first:stop]
            traits = self._forms.traits(piece.record, text)
            for start, length, kind, own_traits, name in statement_tokens(
                piece.record.kind, text, traits
            ):
                kind_traits = (int(kind), int(own_traits))
                if name is not None:
                    kind_traits = self._looked_up(name, first + start, styles)
                self._add(first + start, length, kind_traits, is_dead=is_dead)
        if self._forms.palette.has_comments:
            for start, stop in comments(self._text):
                self._add(start, stop - start, (_COMMENT, 0), is_dead=False)

    def _looked_up(self, name: NameToken, offset: int, styles: RegionStyles) -> tuple[int, int]:
        row = bisect_right(self._offsets, offset) - 1
        found = styles.find(name.text, self._start + row, offset - self._offsets[row])
        return joined(found, int(name.default), int(name.traits.always), int(name.traits.by_type))

    def _add(
        self, offset: int, length: int, kind_traits: tuple[int, int], *, is_dead: bool
    ) -> None:
        """Adds a token, divided at line ends."""
        kind, traits = kind_traits
        traits |= _UNREACHABLE if is_dead else 0
        stop = offset + length
        row = bisect_right(self._offsets, offset) - 1
        column = offset - self._offsets[row]
        if stop < self._offsets[row + 1] - 1:  # as nearly always, it ends before the line does
            self.by_row.setdefault(row, []).append((column, length, kind, traits))
            return
        while offset < stop and row < len(self._lines):
            end = self._offsets[row] + content_length(self._lines[row])
            if end > offset:
                token = offset - self._offsets[row], min(stop, end) - offset, kind, traits
                self.by_row.setdefault(row, []).append(token)
            row += 1
            offset = self._offsets[min(row, len(self._lines))]
