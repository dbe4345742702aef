"""Checks the changes that a module offers at a place, and that none of them breaks it."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ptx_ls.document.document import Document
from ptx_ls.features.actions.action import Action, Renaming
from ptx_ls.features.actions.listing import refactors
from ptx_ls.features.rename import rename
from ptx_ls.lint import lint
from ptx_ls.lint.fixes.apply import applied
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import occurrences
from ptx_ls.source import Range, Severity, TextEdit
from ptx_ls.toolchain import ptxas
from tests.support.fixture import parse_fixture

if TYPE_CHECKING:
    from collections.abc import Sequence


def offered(text: str, selection: Range) -> list[Action]:
    """Returns the changes that a text offers; no two have the same title."""
    found = refactors(Analysis(Document.read(text)), selection)
    titles = [action.title for action in found]
    assert len(set(titles)) == len(titles)
    return found


def edits_of(text: str, action: Action) -> Sequence[TextEdit]:
    """Returns the edits of a change of a text; raises RefusalError for a refused renaming."""
    if not isinstance(action.work, Renaming):
        return action.work()
    analysis = Analysis(Document.read(text))
    asked = rename.prepare(analysis, action.work.position)
    assert asked is not None
    found = {*occurrences(analysis, asked.wanted.declared, asked.name)}
    places = sorted({*found, asked.wanted.declared.range})
    rename.check(analysis, asked, action.work.name, places)
    changes = rename.replacements(analysis, asked, action.work.name, places)
    return [TextEdit(each.range, each.text) for each in changes]


def changed(text: str, edits: Sequence[TextEdit]) -> str:
    """Returns a text after edits, which must not overlap."""
    ordered = sorted(edits, key=lambda edit: edit.range)
    for one, other in pairwise(ordered):
        assert one.range.end <= other.range.start
    return applied(Document.read(text).lines, edits)


def check_action(marked: str, title: str, expected: str) -> None:
    """Fails unless one change whose title begins with `title` is offered at `<|>`.

    It must give the expected text, with the same errors as before, and ptxas must still accept it.
    """
    fixture, wanted = parse_fixture(marked), parse_fixture(expected)
    text = fixture.text
    assert fixture.selection is not None
    found = [it for it in offered(text, fixture.selection) if it.title.startswith(title)]
    assert [it.disabled for it in found] == [""], [it.title for it in found]
    after = changed(text, edits_of(text, found[0]))
    assert after == wanted.text
    check_kept(text, after)


def check_not_offered(marked: str, title: str, reason: str | None = None) -> None:
    """Fails if a change whose title begins with `title` can be made at `<|>`.

    `reason`: why it cannot be made, if it is offered as disabled.
    """
    fixture = parse_fixture(marked)
    assert fixture.selection is not None
    found = [it for it in offered(fixture.text, fixture.selection) if it.title.startswith(title)]
    assert [it.disabled for it in found] == ([] if reason is None else [reason])


def errors(text: str) -> list[str]:
    """Returns the rules of the errors in a text."""
    return sorted(one.rule for one in lint(Document.read(text)) if one.severity is Severity.ERROR)


def check_kept(before: str, after: str) -> None:
    """Fails if the errors of a text have changed, or ptxas no longer accepts it."""
    assert errors(after) == errors(before)
    program = ptxas.find()
    if program is not None and not errors(before) and _is_accepted(program, before):
        assert _is_accepted(program, after)


def _is_accepted(program: Path, text: str) -> bool:
    target = text.partition(".target")[2].split()[:1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "module.ptx"
        path.write_text(text, "utf-8", newline="")
        return ptxas.run(program, path, target[0] if target else "sm_75").status == 0
