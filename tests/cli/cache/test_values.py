"""Values as JSON and back."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.cache.values import OF_DIAGNOSTICS, PlainValues
from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.source import (
    Applicability,
    Diagnostic,
    Fix,
    Offers,
    Position,
    Range,
    RelatedRange,
    Severity,
    Single,
    Tag,
    TextEdit,
)

REJECTED = sorted((Path(__file__).parents[2] / "corpus/rejected").glob("**/*.ptx"))
TEXTS = st.text(st.characters(codec=None))
POSITIONS = st.builds(Position, st.integers(0), st.integers(0))
RANGES = st.builds(Range, POSITIONS, POSITIONS)
EDITS = st.builds(TextEdit, RANGES, TEXTS)
HEADERS = st.lists(st.tuples(TEXTS, TEXTS), max_size=2).map(tuple)
FIXES = st.builds(
    Fix, TEXTS, st.lists(EDITS, max_size=2).map(tuple), st.sampled_from(Applicability), HEADERS
)
SOME_FIXES = st.lists(FIXES, max_size=2).map(tuple)
OFFERS = SOME_FIXES.map(lambda found: Offers(tuple, found))
DIAGNOSTICS = st.builds(
    Diagnostic,
    RANGES,
    TEXTS,
    st.sampled_from(Severity),
    TEXTS,
    SOME_FIXES,
    st.lists(st.builds(RelatedRange, RANGES, TEXTS, TEXTS), max_size=2).map(tuple),
    st.frozensets(st.sampled_from(Tag)),
    st.lists(st.builds(Single, RANGES, TEXTS), max_size=2).map(tuple),
    st.none() | OFFERS,
    own_severity=st.none() | st.sampled_from(Severity),
)


def check_value(value: Diagnostic) -> None:
    values = PlainValues(OF_DIAGNOSTICS)
    found = values.value(json.loads(json.dumps(values.plain(value))))
    assert found == value
    assert values.plain(found) == values.plain(value)  # of the same classes


def check_text(text: str) -> None:
    """Checks all diagnostics of a text, with the fixes that are found on demand."""
    found = lint(Document.read(text), RuleSettings(frozenset()))
    assert found
    for each in found:
        assert each.fixes is not None
        values = PlainValues()
        again = values.value(json.loads(json.dumps(values.plain(each))))
        assert again._replace(offers=None) == each._replace(offers=None)
        assert again.fixes == each.fixes


@given(DIAGNOSTICS)
def test_diagnostics(diagnostic: Diagnostic) -> None:
    check_value(diagnostic)


@pytest.mark.parametrize("path", REJECTED[::5], ids=lambda path: path.stem)
def test_diagnostics_of_files(path: Path) -> None:
    check_text(path.read_text("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    "comment", ["ignored", "ignore-flie", "ignore[", "ignore[]", "ignore[unknown-opcod]", "ignore"]
)
def test_diagnostics_of_comments(comment: str) -> None:
    check_text(f"// ptx-ls: {comment}\n.version 8.0\n.target sm_80\n")


def test_fixes_that_were_not_found_stay_unknown() -> None:
    place = Range.on_line(0, 0, 1)
    offered = Diagnostic(place, "rule", Severity.ERROR, "why", offers=Offers(tuple))
    values = PlainValues()
    found = values.value(values.plain(offered))
    assert found.offers is not None
    assert found.offers.found is None


def test_value_of_another_class_is_refused() -> None:
    with pytest.raises(KeyError):
        PlainValues().plain([1])
