"""Adds comments to a text that suppress what is found in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.document import Document
from ptx_ls.files.languages import other_language
from ptx_ls.lint.fixes.apply import applied
from ptx_ls.lint.suppression.surroundings import OF_COMMENTS
from ptx_ls.lint.suppression.writing import FoundHere, SuppressionWriter
from ptx_ls.semantics.recognition import why_not_ptx
from ptx_ls.source import separate
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.lint.shared_caches import SharedCaches
    from ptx_ls.source import Diagnostic


class Suppressing(NamedTuple):
    """A text with comments, and how many diagnostics these suppress.

    `refusal`: why the text was not changed; "" otherwise.
    """

    text: str
    n_suppressed: int = 0
    refusal: str = ""


def add_suppressions(
    path: str,
    text: str,
    reason: str,
    reported: Callable[[Document], list[Diagnostic]],
    caches: SharedCaches,
) -> Suppressing:
    """Returns a text with a comment for each diagnostic, except those about such comments.

    Args:
        path: the path of the text.
        text: the text of a module; it is changed only if it can be parsed as PTX.
        reason: the reason that the comments give; "" for none.
        reported: returns those diagnostics of a document that would be reported.
        caches: caches to share with other texts.
    """

    def found_in(document: Document) -> list[Diagnostic]:
        return [each for each in separate(reported(document)) if each.rule not in OF_COMMENTS]

    caches.begin(len(text))
    document = Document.read(text, caches.reader)
    found = found_in(document)
    if not found:
        return Suppressing(text)
    refusal = other_language(path) or why_not_ptx(document)
    if refusal:
        return Suppressing(text, refusal=refusal)
    places = [FoundHere(document.clamped(each.range.start), each.rule) for each in found]
    edits = SuppressionWriter(document, reason).on_lines(places)
    after = Document.read(applied(document.lines, edits), caches.reader)
    return Suppressing(after.text, len(found) - len(found_in(after)))
