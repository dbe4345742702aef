"""Bulk, tensor and tcgen05 instructions against recorded verdicts of ptxas on all combinations.

The statements are products of what the manual and ptxas name, so they also show what the forms of
the database lack.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from certify.families import Family, read_families, recorded
from certify.judging import error_at, is_legal
from certify.oracle import configuration_of
from certify.reader import read_statement
from ptx_ls import isa

MISS_SHARE = 0.01


def instruction_of(opcode: str) -> isa.Instruction:
    """The instruction of an opcode, which has to be known."""
    found = isa.database().instruction(opcode)
    assert found is not None
    return found


def test_what_ptxas_accepts_is_no_error() -> None:
    wrong = [
        (str(each.statement), str(each.where))
        for each in recorded()
        if each.is_accepted
        and error_at(instruction_of(each.statement.opcode), each.statement, each.where) is not None
    ]
    assert wrong == []


def test_what_ptxas_rejects_is_an_error() -> None:
    rejected = [each.statement for each in recorded() if not each.is_accepted]
    missed = [
        str(statement)
        for statement in rejected
        if is_legal(instruction_of(statement.opcode), statement)
    ]
    assert len(missed) <= MISS_SHARE * len(rejected), missed


def test_every_family_has_both_verdicts() -> None:
    families = [family.title for family in read_families()]
    assert len(set(families)) == len(families)
    found = {(each.family, each.is_accepted) for each in recorded()}
    assert found == {(title, verdict) for title in families for verdict in (True, False)}


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile::scatter4.bulk_group "
         "[b64_1, {b32_1, b32_2, b32_3, b32_4, b32_5}], [b64_2];"), "sm_100a"),
        (("applypriority.async.bulk.tensor.2d.bulk_group.tile::scatter4.L2::evict_normal "
         "[b64_1, {b32_1, b32_2, b32_3, b32_4, b32_5}];"), "sm_107a"),
        (("applypriority.async.bulk.tensor.3d.bulk_group.im2col_no_offs.L2::evict_normal "
         "[b64_1, {b32_1, b32_2, b32_3}];"), "sm_107a"),
        (("tcgen05.commit.cta_group::1.mbarrier::arrive::one.sync_restrict::shared::cta.b64 "
         "[b64_1];"), "sm_100a"),
        ("multimem.cp.async.bulk.global.shared::cta.bulk_group.b128 [b64_1], [b64_2], b32_1;",
         "sm_107a"),
    ],
)  # fmt: skip
def test_what_the_forms_once_lacked(text: str, target: str) -> None:
    statement = read_statement(text)
    where = configuration_of(f"9.5/{target}")
    assert error_at(instruction_of(statement.opcode), statement, where) is None


def test_the_notation_of_families(tmp_path: Path) -> None:
    path = tmp_path / "families.toml"
    path.write_text(
        """
        [[family]]
        name = "a.b"
        modifiers = ["- .c", ".d .e"]
        operands = ["[X], b32_1", "{@2}"]
        parts.X = ["b64_1", "b64_2"]
        extras = [[[".f", "b32_9"]], [[".g", ""], [".h", ""]]]
        """,
        "utf-8",
    )
    (family,) = read_families(path)
    assert isinstance(family, Family)
    core = list(family.core())
    assert core[:3] == ["a.b.d [b64_1], b32_1;", "a.b.d [b64_2], b32_1;", "a.b.d {b32_1, b32_2};"]
    assert len(core) == 2 * 2 * 3
    extended = list(family.extended("a.b.d b32_1;"))
    assert set(extended) == {
        "a.b.d.f b32_1, b32_9;", "a.b.d.g b32_1;", "a.b.d.h b32_1;",
        "a.b.d.f.g b32_1, b32_9;", "a.b.d.f.h b32_1, b32_9;",
        "a.b.d.f b32_1;", "a.b.d b32_1, b32_9;",
    }  # fmt: skip
