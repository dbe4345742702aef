"""Directives and pragmas: all are described, and the descriptions agree with each other."""

from __future__ import annotations

import re

import pytest

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.isa.checking.gates import check_availability
from ptx_ls.isa.reference import Directive, Pragma
from ptx_ls.syntax import tokens

SCOPES = {"module", "header", "body", "parameter", "declaration", "attribute"}
SPELLED = tokens.DIRECTIVES | tokens.TUNINGS | tokens.LINKAGES | tokens.FUNCTIONS
OF_NO_MANUAL = {".metadata_section", ".metadata", ".metadata_domain"}
"""Directives that ptxas reads but no manual has, so there is nothing to describe."""
PARTS = {".code_block", ".ir_name", ".sourceFileName"}
"""The parts of `.nv_intermediate_source_section`, which its page describes."""
SPACES = tokens.SPACES - {".generic"}


def check_entry(name: str) -> Directive | Pragma:
    """The entry, which must have the texts that every entry has."""
    database = isa.database()
    entry = database.pragmas.get(name) or database.directives[name]
    assert entry.summary.strip()
    assert entry.summary.endswith(".")
    assert "\n" not in entry.summary
    assert set(entry.scopes) <= SCOPES
    return entry


@pytest.mark.parametrize("name", sorted((SPELLED | SPACES | {"@@DWARF"}) - OF_NO_MANUAL - PARTS))
def test_every_directive_of_the_grammar_is_described(name: str) -> None:
    check_entry(name)


def test_words_of_no_manual_are_in_the_grammar_alone() -> None:
    assert OF_NO_MANUAL <= SPELLED
    assert OF_NO_MANUAL.isdisjoint(isa.database().directives)


@pytest.mark.parametrize("name", sorted([*isa.database().directives, *isa.database().pragmas]))
def test_every_entry_has_texts(name: str) -> None:
    assert check_entry(name).syntax


@pytest.mark.parametrize("name", sorted(isa.database().directives))
def test_related_directives_exist(name: str) -> None:
    entry = check_entry(name)
    assert isinstance(entry, Directive)
    for other in (*entry.conflicts, *entry.requires, *entry.owners):
        assert other in isa.database().directives


@pytest.mark.parametrize("name", sorted(isa.database().directives))
def test_conflicts_are_mutual(name: str) -> None:
    entry = check_entry(name)
    assert isinstance(entry, Directive)
    for other in entry.conflicts:
        assert name in isa.database().directives[other].conflicts


@pytest.mark.parametrize("name", sorted(isa.database().directives))
def test_example_shows_the_directive_and_parses(name: str) -> None:
    entry = check_entry(name)
    assert isinstance(entry, Directive)
    assert name in entry.example or not entry.example
    assert [
        record.problems for record in Document.read(entry.example).records if record.problems
    ] == []


@pytest.mark.parametrize(
    ("name", "version", "target", "is_available"),
    [
        (".noreturn", (6, 4), "sm_30", True),
        (".noreturn", (6, 3), "sm_30", False),
        (".noreturn", (6, 4), "sm_20", False),
        (".language", (9, 2), "sm_10", True),
        (".language", (9, 1), "sm_90", False),
        (".maxclusterrank", (7, 8), "sm_90", True),
        (".branchtargets", (6, 0), "sm_30", True),
        ("enable_smem_spilling", (8, 7), "sm_75", True),
        ("mma_throughput", (9, 2), "sm_120", False),
    ],
)
def test_gates(name: str, version: tuple[int, int], target: str, *, is_available: bool) -> None:
    violations = check_availability(check_entry(name).gates, isa.Context(version, (target,), 64))
    assert (not violations) is is_available


def test_texts_are_clean() -> None:
    for entry in isa.database().directives.values():
        text = " ".join([entry.summary, entry.doc, *entry.pitfalls])
        assert not re.search(r"\s{2,}(?!\n)", text.replace("\n\n", " ")), entry.name
