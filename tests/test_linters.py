"""docs/linters.md: every claim on ptx-ls names something that exists."""

import pytest

from docs.generators.linters import LinterFeature, features, has, versions

ROWS = features()


def check_has(ours: str, *, is_there: bool) -> None:
    assert has(ours) is is_there


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_rows(row: LinterFeature) -> None:
    assert row.source
    assert {*row.yes, *row.partly} <= set(versions())
    assert set(row.yes).isdisjoint(row.partly)


def test_there_are_no_gaps() -> None:
    assert {row.name for row in ROWS if not has(row.ours)} == set()


def test_what_exists() -> None:
    check_has("lint", is_there=True)
    check_has("lint --fix", is_there=True)
    check_has("lint --output-format=sarif", is_there=True)
    check_has("docs/reports.md", is_there=True)
    check_has("action.yml", is_there=True)


def test_what_does_not_exist() -> None:
    check_has("lnt", is_there=False)
    check_has("lint --fixx", is_there=False)
    check_has("format --output-format=sarif", is_there=False)
    check_has("lint --output-format=xml", is_there=False)
    check_has("docs/no-such-page.md", is_there=False)
