"""Decides which diagnostics of a document are shown while the user types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.server.diagnostics.function_end import without_premature
from ptx_ls.server.diagnostics.typed_lines import (
    has_new_errors,
    held,
    is_unfinished,
    typed_lines,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.document.document import Document
    from ptx_ls.lint import LintSession
    from ptx_ls.lint.results.known_diagnostics import KnownDiagnostics
    from ptx_ls.server.diagnostics.placeholders import Placeholders
    from ptx_ls.server.diagnostics.typed_lines import TypedLines
    from ptx_ls.server.documents.open_documents import EditedLines
    from ptx_ls.source import Range


class TypingSession:
    """The lines of a document that are being typed.

    They are finished when they no longer change how other lines are read, have no new errors, and
    no key has followed for a while, or when the user begins a line, edits other lines or saves.
    The end of a function that is written line by line is finished only in the last two cases.
    `session_of`: makes the check of a version of the document. `waits_for_keys`: whether `pause` is
    called after a pause in typing.

    Attributes:
        expects_more: whether the last key was within a line, after which more may follow.
    """

    def __init__(
        self, session_of: Callable[[Document], LintSession], *, waits_for_keys: bool
    ) -> None:
        self.expects_more = False
        self._session_of = session_of
        self._waits_for_keys = waits_for_keys
        self._document: Document | None = None
        self._typed: TypedLines | None = None
        self._is_unfinished = False
        self._placeholders: Placeholders | None = None
        self._added: TypedLines | None = None  # all lines that were typed, one after the other
        self._shown: KnownDiagnostics | None = None  # if some diagnostics were held back

    def follow(self, document: Document, edit: EditedLines | None) -> None:
        """Takes a new version of the document; `edit`: the lines that differ, if they are few."""
        if document is self._document:  # it is checked again
            return
        before, self._document = self._document, document
        known, added = self._typed, self._added
        expects_more, placeholders = self.expects_more, self._placeholders
        is_unfinished_before = self._is_unfinished
        self.end()
        if before is None or edit is None:
            return
        self._placeholders = _after(placeholders, before, document, edit)
        self._added = typed_lines(added, before, document, edit.first, edit.last)
        checked = self._session_of(before)
        is_checked = checked.pending() is None
        is_held = expects_more or is_unfinished_before
        if is_checked and not is_held and not self._has_new_errors(known, checked):
            known = None
        typed = typed_lines(known, before, document, edit.first, edit.last)
        if typed is not None and (is_checked or typed.before is not before):
            self._typed = typed
            self.expects_more = self._waits_for_keys and edit.expects_more
            self._is_unfinished = is_unfinished(typed, document)

    def pause(self) -> None:
        """Takes the lines that are being typed as finished, unless they cannot be."""
        self.expects_more = False

    def end(self) -> None:
        """Takes the lines that are being typed as finished."""
        self._typed, self.expects_more, self._is_unfinished = None, False, False
        self._placeholders = self._added = None

    def shown(self, session: LintSession) -> KnownDiagnostics:
        """Returns the diagnostics to show; only present ones if nothing is being typed.

        `session`: the check of the present version.
        """
        present = session.known
        known = self._due(present, session.document)
        if self._typed is not None and self._is_held(session):
            before = self._session_of(self._typed.before).known
            known = self._without_premature(held(self._typed, before, known), session.document)
        self._shown = None if known is present else known
        return known

    def _due(self, known: KnownDiagnostics, document: Document) -> KnownDiagnostics:
        """Returns present diagnostics without those that what is typed next is about to mend."""
        if self._placeholders is not None:
            from ptx_ls.server.diagnostics.placeholders import without  # noqa: PLC0415  as below

            known = without(known, document, self._placeholders)
        return self._without_premature(known, document)

    def _without_premature(self, known: KnownDiagnostics, document: Document) -> KnownDiagnostics:
        return known if self._added is None else without_premature(known, document, self._added)

    def has_more(self, session: LintSession) -> bool:
        """Whether the present diagnostics may be shown, and differ from those shown last."""
        return (
            self._shown is not None
            and not self._is_held(session)
            and _keys(self._shown) != _keys(self._due(session.known, session.document))
        )

    def _is_held(self, session: LintSession) -> bool:
        return (
            self.expects_more or self._is_unfinished or self._has_new_errors(self._typed, session)
        )

    def _has_new_errors(self, typed: TypedLines | None, session: LintSession) -> bool:
        return typed is not None and has_new_errors(typed, self._session_of(typed.before), session)


def _after(
    known: Placeholders | None, before: Document, document: Document, edit: EditedLines
) -> Placeholders | None:
    """Returns the placeholders after an edit: of the line that is edited, or of an insertion."""
    if edit.first != edit.last or document.n_lines != before.n_lines:
        return None
    if known is not None and known.line == edit.first:
        return known
    if edit.is_key:
        return None
    # Imported here to keep the server's start fast.
    from ptx_ls.server.diagnostics.placeholders import inserted_on  # noqa: PLC0415

    return inserted_on(document, edit.first)


def _keys(known: KnownDiagnostics) -> list[tuple[Range, str, str]]:
    """Returns what a user sees of diagnostics; their fixes take longer to compare."""
    return [(one.range, one.rule, one.message) for one in known.in_order()]
