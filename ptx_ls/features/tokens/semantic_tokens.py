"""Semantic tokens: the kind and traits of every word of a document.

Rows are kept with each function, and by the form of a line for all documents; see `token_forms`.
A *row* is the tokens of one line as text, which begins with the number of lines since the last row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.tokens.token_forms import Forms, without_digits
from ptx_ls.features.tokens.token_painter import Painter
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.module import region_facts_in_steps
from ptx_ls.syntax.record import InlineAsmLine, Shape

if TYPE_CHECKING:
    from collections.abc import Generator

    from ptx_ls.document.document import Document
    from ptx_ls.features.tokens.token_patterns import Palette
    from ptx_ls.isa import Context

_LINES_OF_STEP: Final = 1000


class Highlighter:
    """Finds tokens for one editor. Keeps the forms of lines of all its documents."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._forms: dict[Context, Forms] = {}

    def rows(self, document: Document) -> Generator[None, None, list[str]]:
        """Returns the rows of the whole document, in steps."""
        yield from region_facts_in_steps(document.leaf(0))  # has the version and target
        return (yield from Painter(document, self._forms_of(document)).all_rows())

    def rows_between(
        self, document: Document, first: int, stop: int
    ) -> Generator[None, None, list[str]]:
        """Returns the rows of lines [first, stop), in steps."""
        yield from region_facts_in_steps(document.leaf(0))  # has the version and target
        return (yield from Painter(document, self._forms_of(document)).rows_between(first, stop))

    def foresee(self, document: Document) -> Generator[None, None, None]:
        """Finds the tokens of one line of each form in advance; yields often."""
        forms, records = self._forms_of(document), document.records
        known: set[object] = set()
        for start in range(0, len(records), _LINES_OF_STEP):
            area = records[start : start + _LINES_OF_STEP]
            for record in set(area) - known:
                known.add(record)
                shared = record.form if isinstance(record, InlineAsmLine) else record
                is_new = shared is record or shared not in known
                if is_new and isinstance(record, Shape | InlineAsmLine):
                    line = document.lines[start + area.index(record)]
                    yield from forms.form((record, without_digits([line])[1][0]), line)
                    yield
                known.add(shared)
            yield

    def _forms_of(self, document: Document) -> Forms:
        context = Analysis(document).context
        found = self._forms.get(context)
        if found is None:
            found = self._forms[context] = Forms(self._palette, context)
        return found
