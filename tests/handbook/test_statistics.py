"""Counts of what the database holds, and of what was compared with ptxas."""

from dataclasses import replace

import pytest

from ptx_ls.handbook.index import Statistics, index, statistics
from ptx_ls.isa import Database, database
from ptx_ls.isa.certificate import Certificate, read_certificates

CLEAN = {
    "legal": 900,
    "accepted": 900,
    "mutations": 4000,
    "cells": 300,
    "false_alarms": 0,
    "missed": 0,
    "excused": 0,
}


def check_statistics(
    monkeypatch: pytest.MonkeyPatch, certificates: dict[str, Certificate]
) -> Statistics:
    """The counts with a record of some comparisons."""
    monkeypatch.setattr(Database, "certified", property(lambda _: certificates), raising=False)
    return statistics()


def test_a_record_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = {
        "add": CLEAN,
        "ld": {**CLEAN, "accepted": 899, "excused": 1, "missed": 7},
        "mma": {**CLEAN, "false_alarms": 2},
        "st": {**CLEAN, "accepted": 890},
        "trap": {**CLEAN, "legal": 0, "accepted": 0},
    }
    found = check_statistics(monkeypatch, read_certificates({"opcode": raw}))
    assert (found.compared, found.certified) == (5, 2)
    assert (found.statements, found.mutations, found.cells) == (3600, 20_000, 1500)
    assert (found.false_alarms, found.missed, found.excused) == (2, 7, 1)


def test_without_a_record_nothing_is_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    found = check_statistics(monkeypatch, {})
    assert (found.compared, found.certified, found.statements) == (0, 0, 0)
    assert found.mnemonics == len(database().opcodes) == found.documented


def test_a_certificate_that_is_clean() -> None:
    clean = read_certificates({"opcode": {"add": CLEAN}})["add"]
    assert clean.is_clean
    assert not replace(clean, false_alarms=1).is_clean
    assert not replace(clean, accepted=899).is_clean
    assert replace(clean, accepted=899, excused=1).is_clean


def test_the_index_has_every_kind() -> None:
    kinds = {line.kind for line in index()}
    assert {"instruction", "special register", "predefined name", "pragma"} <= kinds
