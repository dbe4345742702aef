"""Vector operands as snippets, with as many elements as the instruction needs.

The elements after the first one are the registers after it, as in `{%f1, %f2, %f3, %f4}`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.operand_fit import OperandFit
from ptx_ls.features.completion.ranking.precedents import moved
from ptx_ls.features.completion.snippets.snippet import stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.completion.complete_item import CompletionItem
    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.tokens import Token

_MAX_SHOWN: Final = 4
"""Maximum number of elements in a label; of more, only the first and the last one are shown."""
_MAX_STOPS: Final = 16
"""Maximum number of elements that are placeholders; more are rarely changed one by one."""


class VectorSnippets:
    """Snippets for the vector at the cursor: `place` and `statement` end with its brace."""

    def __init__(self, analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> None:
        self._analysis, self._position = analysis, place.range.start
        self._n_elements = OperandFit(analysis, place, statement).n_elements

    def item(self, item: CompletionItem) -> CompletionItem:
        """Returns an item for a brace and the first element with a snippet of the whole vector.

        Returns the item as it is if there are too few registers after the first element.
        """
        first = item.text.removeprefix("{")
        others = [self._moved(first, number) for number in range(1, self._n_elements)]
        if not self._n_elements or (moved(first, 1) and first in others):
            return item
        shown = others if len(others) < _MAX_SHOWN else ["…", others[-1]]
        written = map(stop, others) if len(others) < _MAX_STOPS else others
        return replace(
            item,
            label=f"{{{', '.join((first, *shown))}}}",
            filter=item.filter or item.text,
            template=f"{{{', '.join((first, *written))}}}",
        )

    def _moved(self, name: str, step: int) -> str:
        """Returns the register that is `step` numbers after another one, or that one again."""
        found = moved(name, step)
        return found if self._analysis.lookup(found, self._position) is not None else name
