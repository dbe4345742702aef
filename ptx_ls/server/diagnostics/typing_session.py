"""Decides which diagnostics of a document are shown while the user types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.server.diagnostics.typed_lines import held, is_unfinished, typed_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.document.document import Document
    from ptx_ls.lint import LintSession
    from ptx_ls.lint.known_diagnostics import KnownDiagnostics
    from ptx_ls.server.diagnostics.placeholders import Placeholders
    from ptx_ls.server.diagnostics.typed_lines import TypedLines
    from ptx_ls.server.documents.open_documents import EditedLines
    from ptx_ls.source import Diagnostic, Range


class TypingSession:
    """The lines of a document that are being typed.

    They are finished when they no longer change how other lines are read and no name in them may
    have more to come, or when the user edits other lines or saves.
    `session_of`: makes the check of a version of the document. `waits_for_names`: whether
    `end_name` is called after a pause in typing.

    Attributes:
        is_in_name: whether the last key may be within a name or number, which has more to come.
    """

    def __init__(
        self, session_of: Callable[[Document], LintSession], *, waits_for_names: bool
    ) -> None:
        self.is_in_name = False
        self._session_of = session_of
        self._waits_for_names = waits_for_names
        self._document: Document | None = None
        self._typed: TypedLines | None = None
        self._is_unfinished = False
        self._placeholders: Placeholders | None = None
        self._shown: KnownDiagnostics | None = None  # if some diagnostics were held back

    def follow(self, document: Document, edit: EditedLines | None) -> None:
        """Takes a new version of the document; `edit`: the lines that differ, if they are few."""
        if document is self._document:  # it is checked again
            return
        before, self._document = self._document, document
        known = self._typed
        is_held, placeholders = self._is_held, self._placeholders
        self.end()
        if before is None or edit is None:
            return
        self._placeholders = _after(placeholders, before, document, edit)
        is_checked = self._session_of(before).pending() is None
        if not is_held and is_checked:
            known = None
        typed = typed_lines(known, before, document, edit.first, edit.last)
        if typed is not None and (is_checked or typed.before is not before):
            self._typed = typed
            self.is_in_name = self._waits_for_names and edit.is_in_name
            self._is_unfinished = is_unfinished(typed, document)

    def end_name(self) -> None:
        """Takes the name that is being typed as complete."""
        self.is_in_name = False

    def end(self) -> None:
        """Takes the lines that are being typed as finished."""
        self._typed, self.is_in_name, self._is_unfinished = None, False, False
        self._placeholders = None

    def shown(self, session: LintSession) -> KnownDiagnostics:
        """Returns the diagnostics to show; only present ones if nothing is being typed.

        `session`: the check of the present version.
        """
        known = session.known
        if self._placeholders is not None:
            from ptx_ls.server.diagnostics.placeholders import without  # noqa: PLC0415  as below

            known = without(known, session.document, self._placeholders)
        if self._typed is None or not self._is_held:
            self._shown = None
            return known
        before = self._session_of(self._typed.before).known
        self._shown = held(self._typed, before, known)
        return self._shown

    def has_more(self, session: LintSession) -> bool:
        """Whether the present diagnostics may be shown, and differ from those shown last."""
        return (
            self._shown is not None
            and not self._is_held
            and list(map(_key, self._shown.in_order())) != list(map(_key, session.known.in_order()))
        )

    @property
    def _is_held(self) -> bool:
        return self.is_in_name or self._is_unfinished


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


def _key(diagnostic: Diagnostic) -> tuple[Range, str, str]:
    """Returns what a user sees of a diagnostic; its fixes take longer to compare."""
    return diagnostic.range, diagnostic.rule, diagnostic.message
