"""The record of ptxas' messages: every entry is whole, and names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent
TABLES = sorted((CORPUS / "templates").glob("*.tsv"))
NAME = re.compile(r"[a-z-]+-\d+")


def check_rows(table: Path) -> list[list[str]]:
    """The rows of a table: name of the message, status, file or reason."""
    return [line.split("\t") for line in table.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.stem))
def test_rows_are_whole(table: Path) -> None:
    for name, status, rest in check_rows(table):
        assert NAME.fullmatch(name)
        assert status in ("covered", "same", "untriggerable"), name
        assert rest.strip(), name


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.stem))
def test_covering_files_exist(table: Path) -> None:
    files = {name: rest for name, status, rest in check_rows(table) if status == "covered"}
    missing = {name: file for name, file in files.items() if not (CORPUS / file).is_file()}
    assert missing == {}
    assert {file.partition("/")[0] for file in files.values()} <= {"rejected", "warned"}


def test_same_messages_lead_to_covered_ones() -> None:
    rows = {name: (status, rest) for table in TABLES for name, status, rest in check_rows(table)}
    assert len(rows) == sum(len(check_rows(table)) for table in TABLES)
    for name, (status, rest) in rows.items():
        if status == "same":
            others = [other for other in NAME.findall(rest) if other in rows]
            files = re.findall(r"(?:rejected|warned)/[\w-]+\.ptx", rest)
            assert others or files, name
            assert all(rows[other][0] == "covered" for other in others), name
            assert all((CORPUS / file).is_file() for file in files), name
