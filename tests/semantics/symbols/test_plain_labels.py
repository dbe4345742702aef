"""The labels of a long function are the same as if its lines were read one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_reader import read_region
from ptx_ls.semantics.symbols.region_text import RegionText, region_text
from ptx_ls.semantics.symbols.reserved_names import check_declared_names
from ptx_ls.source import Position
from tests.support.chunks import cut_small

HEAD = ".entry k()\n{\n"
LINES = (
    "L1:",
    "  L2 :",
    "L3: // here",
    "%r4:",
    "T:",
    "\tadd.s32 %r1, %r1, 1;",
    "\tret;",
    "// nothing",
    "",
    "\tbra L1;",
    ".reg .b32 %r<9>;",
    ".reg .b32 L<3>;",
    ".reg .pred L1;",
    ".branchtargets L1, L2;",
    '.pragma "nounroll";',
    "{",
    "}",
    "{ .reg .b32 L1; mov.b32 L1, 1; }",
    "L5: ret; L6:",
    ".reg",
)
NAMES = ("L1", "L2", "L3", "L5", "L6", "T", "%r4", "%r1", "L", "k", "nothing")


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


def check_labels(*lines: str) -> RegionFacts:
    """Expects the same facts as without chunks; returns them."""
    document, place = Document.read(HEAD + "}\n"), Position(HEAD.count("\n"), 0)
    document = edited(document, place, place, "".join([f"{line}\n" for line in lines]))
    for function in document.leaves():
        text = region_text(function)
        found = region_facts(function)
        expected = read_region(RegionText([*text.lines], [*text.records]))
        assert found == expected
        assert expected == found
        assert [*found.symbols] == [*expected.symbols]
        assert found.declared == expected.declared
        assert found.n_symbols == expected.n_symbols
        assert found.label_names == expected.label_names
        for name in NAMES:
            assert found.named.of(name) == expected.named.of(name)
            assert found.named.spelled(name, "L") == expected.named.spelled(name, "L")
            assert found.named.first(name) == expected.named.first(name)
        places = zip([*found.scopes, found.scope], [*expected.scopes, expected.scope], strict=True)
        for one, other in places:
            assert one.singles == other.singles
            for name in NAMES:
                assert one.find(name) == other.find(name)
                assert one.single(name) == other.single(name)
    return found


def test_a_label_is_the_same_object_each_time() -> None:
    facts = check_labels("L1:", *["\tret;"] * 9, "L2:")
    (first, second) = facts.symbols[1:]
    assert facts.scope.find("L1") is first
    assert facts.scope.find("L2") is second
    assert facts.label_runs


def test_a_label_of_two_chunks_is_declared_twice() -> None:
    facts = check_labels("L1:", *["\tret;"] * 9, "L1:", *["\tret;"] * 9, "L2:")
    assert [symbol.name for pair in facts.duplicates for symbol in pair] == ["L1", "L1"]


def test_a_label_before_a_directive_of_the_next_chunk() -> None:
    for n_blank in range(12):
        facts = check_labels("L1:", *["\tret;"] * 9, "T:", *[""] * n_blank, ".branchtargets L1;")
        assert [symbol.kind for symbol in facts.symbols[1:]] == ["label", "branch target list"]


def test_a_moved_label_makes_other_facts() -> None:
    lines = "L1:", *["\tret;"] * 9, "L2:", *["\tret;"] * 9
    assert check_labels(*lines) != check_labels(*lines[:-1], "", "\tret;", "L3:")
    assert check_labels(*lines) != check_labels("", *lines[:-1])
    assert check_labels(*lines) != check_labels(*lines[:10], " L2:", *lines[11:])


def test_a_new_line_moves_the_labels_below_it() -> None:
    text = HEAD + "\tret;\n" * 8 + "L1:\n" + "\tret;\n" * 8 + "L2:\n"  # no `}` moves, too
    document = edited(Document.read(text), Position(2, 0), Position(2, 0), "\n")  # small chunks
    before = region_facts(document.leaf(1))
    document = edited(document, Position(7, 0), Position(7, 0), "\n")
    after = region_facts(document.leaf(1))
    assert before != after
    starts = [[symbol.start[0] for symbol in facts.symbols[1:]] for facts in (before, after)]
    assert starts == [[11, 20], [12, 21]]


@pytest.mark.parametrize(
    "line", [".reg .b32 L<3>;", ".reg .b32 L1;", ".reg .pred T, L1;", "L1: ret;"]
)
def test_a_label_with_the_name_of_a_register(line: str) -> None:
    check_labels(line, *["\tret;"] * 5, "L1:", *["\tret;"] * 5)
    check_labels(*["\tret;"] * 5, "L1:", *["\tret;"] * 5, line, *["\tret;"] * 5, "L2:")


def test_a_label_with_a_reserved_name() -> None:
    facts = check_labels(*["\tret;"] * 5, "L1:", *["\tret;"] * 5, "$:", *["\tret;"] * 5)
    assert facts.label_runs
    (found,) = check_declared_names(facts)
    assert found.name == "$"


def test_labels_of_inner_blocks() -> None:
    inner = "{", *["\tret;"] * 4, "L1:", *["\tret;"] * 4, "}"
    facts = check_labels("L1:", *["\tret;"] * 5, *inner, *["\tret;"] * 5, "L2:", *inner)
    assert [symbol.start[0] for symbol in facts.named.of("L1")] == [2, 13, 30]


@given(st.lists(st.sampled_from(LINES), max_size=40))
def test_any_lines(lines: list[str]) -> None:
    check_labels(*lines)
