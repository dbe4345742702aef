"""Whatever is offered, wherever, can be done, and leaves a module's errors as they were."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.features.actions.suppress import SuppressionScope, suppression
from ptx_ls.features.rename.rename import RefusalError
from ptx_ls.lint import lint
from ptx_ls.lint.suppression.surroundings import OF_COMMENTS
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position, Range
from ptx_ls.source.lines import content_length
from tests.features.test_any_input import texts
from tests.support.actions import changed, edits_of, errors, offered

CORPUS = Path(__file__).parents[2] / "corpus"
LARGE = 120_000
PATHS = [
    path
    for folder in ("handwritten", "ptx", "rejected")
    for path in sorted((CORPUS / folder).rglob("*.ptx"))
    if path.stat().st_size < LARGE
]


def check_offers(text: str, selection: Range) -> list[tuple[str, str]]:
    """Title and result of everything that is offered and not refused."""
    done: list[tuple[str, str]] = []
    for action in offered(text, selection):
        if not action.disabled:
            with suppress(RefusalError):
                done.append((action.title, changed(text, edits_of(text, action))))
    return done


def check_suppressions(text: str) -> None:
    """Each diagnostic of a text can be suppressed; what it hid may be reported in its place."""
    document = Document.read(text)
    found = [one for one in lint(document) if one.rule not in OF_COMMENTS]
    for one in found[:3]:
        for scope in SuppressionScope:
            edit = suppression(Analysis(Document.read(text)), one, scope)
            if edit is None:
                assert scope is SuppressionScope.FUNCTION
                continue
            left = Counter(it.rule for it in lint(Document.read(changed(text, [edit]))))
            assert left[one.rule] < Counter(it.rule for it in found)[one.rule]


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_places_in_real_files(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(PATHS))
    text = path.read_bytes().decode("utf-8", "replace")
    document = Document.read(text)
    line = data.draw(st.integers(0, len(document.lines) - 1))
    column = data.draw(st.integers(0, content_length(document.lines[line])))
    start = end = Position(line, column)
    if data.draw(st.booleans()):
        further = min(line + data.draw(st.integers(0, 30)), len(document.lines) - 1)
        end = max(start, Position(further, 0))
    before = errors(text)
    for title, after in check_offers(text, Range(start, end)):
        now = errors(after)
        is_removal = title.startswith("Remove `.loc`")  # what was wrong with it goes, too
        assert not Counter(now) - Counter(before), title
        assert is_removal or now == before, title


@settings(max_examples=150, deadline=None)
@given(texts, st.integers(0, 6), st.integers(0, 40))
def test_any_text(text: str, line: int, column: int) -> None:
    document = Document.read(text)
    place = document.clamped(Position(line, column))
    check_offers(text, Range(place, place))
    check_offers(text, Range(Position(0, 0), place))
    check_suppressions(text)


def test_a_comment_that_a_lone_carriage_return_does_not_end() -> None:
    check_suppressions("// \r")
    check_suppressions("// c\rx")


def test_a_missing_target_before_a_function_on_the_same_line() -> None:
    check_suppressions(".version 8.5 .entry {")


def test_a_missing_header() -> None:
    check_suppressions(".entry {")
