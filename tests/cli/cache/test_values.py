"""Values as JSON and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.cache.values import OF_DIAGNOSTICS, PlainValues
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
)


def check_value(value: Diagnostic) -> None:
    values = PlainValues(OF_DIAGNOSTICS)
    found = values.value(json.loads(json.dumps(values.plain(value))))
    assert found == value
    assert values.plain(found) == values.plain(value)  # of the same classes


@given(DIAGNOSTICS)
def test_diagnostics(diagnostic: Diagnostic) -> None:
    check_value(diagnostic)


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
