"""Documents that are cut into small chunks, so that short texts have many."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits chunks to two lines, or three after edits."""
    monkeypatch.setattr("ptx_ls.document.cutting.CHUNK_LINES", 2)
    monkeypatch.setattr("ptx_ls.document.editing.CHUNK_LINES", 2)
    monkeypatch.setattr("ptx_ls.document.editing.MAX_CHUNK_LINES", 3)
    monkeypatch.setattr("ptx_ls.document.editing.MIN_CHUNK_LINES", 0)
