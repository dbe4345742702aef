"""The diagnostics of a document as JSON, with a note on those that are not shown."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.server.documents import to_lsp
from ptx_ls.source.english import inflected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.server.diagnostics.ptxas_messages import PtxasMessage
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.source import Diagnostic

PTXAS: Final = "ptxas"
"""The source of the diagnostics of ptxas."""
_TOO_MANY: Final = "{:,} more {} not shown (setting `ptx.diagnostics.limit`): {}"
_MAX_COUNTED_RULES: Final = 5
"""Maximum number of rules named in the note on diagnostics that are not shown."""


def items(
    opened: OpenDocument,
    found: list[Diagnostic],
    left: Counter[str],
    messages: Sequence[PtxasMessage] = (),
    *,
    folds_related: bool = False,
) -> list[dict[str, Any]]:
    """Converts diagnostics; `left` counts, by rule, further ones that are not shown.

    `messages`: from ptxas. `folds_related`: whether the client ignores related information.
    """
    result = [to_lsp.diagnostic(opened, it, folds_related=folds_related) for it in found]
    result += [to_lsp.notice(opened, *one, source=PTXAS) for one in messages]
    if left and (found or messages):
        last = found[-1].range if found else messages[-1].range
        result.append(to_lsp.notice(opened, last, _left_out(left)))
    return result


def _left_out(counts: Counter[str]) -> str:
    """Returns a note on how many diagnostics are not shown, and the rules that most are from."""
    rules = [f"{count:,} {name}" for name, count in counts.most_common(_MAX_COUNTED_RULES)]
    if len(counts) > _MAX_COUNTED_RULES:
        rules.append("...")
    total = counts.total()
    noun = inflected("diagnostic is", total, "diagnostics are")
    return _TOO_MANY.format(total, noun, ", ".join(rules))
