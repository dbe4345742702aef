"""The judgements of ptxas on a sample of mutants, compared with the current ones of ptx-ls."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from benchmarks.accuracy.bases import LARGEST, bases
from benchmarks.accuracy.change import OPERATORS, typo
from benchmarks.accuracy.comparison import Outcome, sums
from benchmarks.accuracy.mutants import Mutant, mutants
from benchmarks.accuracy.run import CORPUS
from benchmarks.accuracy.sample import Recorded, read, write
from benchmarks.accuracy.source import Source
from benchmarks.accuracy.verdicts import Verdict, errors_of
from ptx_ls.source import Diagnostic, Position, Range, Severity

SAMPLE = CORPUS / "mutants.tsv"
LEAST = 500
FOUND = 0.98
MODULE = """\
.version 8.0
.target sm_90
.address_size 64
.global .align 8 .u32 table[4]; // a comment; with marks {
.func (.param .b32 out) f(.param .b32 a, .param .b32 b) { ret; }
.visible .entry kernel(.param .u64 at)
{
	.reg .b32 %r<4>;
L0:	@%p1 add.sat.s32 %r1, %r2, {%r3, 0x1F};
	call (r), f, (a, b);
	ld.global.v2.u32 {%r1, %r2}, [table];
	ld.const.u32 %r1, [table];
}
"""


@cache
def sources() -> dict[str, Source]:
    wanted = {it.base.partition("#")[0] for it in read(SAMPLE)}
    paths = [path for path in sorted(CORPUS.glob("*/*.ptx")) if path.stem in wanted]
    return {it.name: it for it in bases(path for path in paths if path.parent.name != "rejected")}


def make(operator: str, seed: int = 1) -> Mutant:
    return next(iter(mutants([Source("module", MODULE)], 1, seed, [operator])))


def check_instruction(number: int, opcode: str, operands: list[str]) -> None:
    source = Source("module", MODULE)
    found = source.instructions()[number]
    assert source.between(found.opcode, found.operands_at) == opcode
    assert [source.between(*part) for part in found.operands] == operands


def recorded(*, accepted: bool) -> list[Recorded]:
    return [it for it in read(SAMPLE) if it.is_accepted is accepted]


def test_the_sample_is_large_and_of_all_operators() -> None:
    sample = list(read(SAMPLE))
    assert len(sample) >= LEAST
    assert {it.operator for it in sample} == set(OPERATORS)


@pytest.mark.slow
def test_no_error_in_what_ptxas_accepts() -> None:
    wrong = [
        (it, [found.message for found in errors])
        for it in recorded(accepted=True)
        if (errors := errors_of(it.text(sources()[it.base])))
    ]
    assert wrong == []


@pytest.mark.slow
def test_an_error_in_what_ptxas_rejects() -> None:
    rejected = recorded(accepted=False)
    missed = [it for it in rejected if not errors_of(it.text(sources()[it.base]))]
    assert len(missed) <= (1 - FOUND) * len(rejected), missed


def test_instructions_are_cut_into_parts() -> None:
    check_instruction(1, "add.sat.s32", ["%r1", "%r2", "{%r3, 0x1F}"])
    check_instruction(2, "call", ["(r)", "f", "(a, b)"])


def test_kinds_of_statements() -> None:
    kinds = [it.kind for it in Source("module", MODULE).statements]
    assert kinds == [
        *("directive", "directive", "directive", "directive"),
        *("head", "brace", "instruction", "brace"),
        *("head", "brace", "directive", "label"),
        *("instruction", "instruction", "instruction", "instruction", "brace"),
    ]


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_every_operator_changes_one_place(operator: str) -> None:
    mutant = make(operator)
    end = mutant.offset + len(mutant.before)
    assert mutant.text == MODULE[: mutant.offset] + mutant.after + MODULE[end:]
    assert mutant.text != MODULE
    assert mutant.around.start <= mutant.changed.start
    assert mutant.changed.end <= mutant.around.end


def test_the_same_seed_gives_the_same_mutants() -> None:
    source = [Source("module", MODULE)]
    assert list(mutants(source, 90, 5)) == list(mutants(source, 90, 5))
    assert list(mutants(source, 90, 5)) != list(mutants(source, 90, 6))


def test_mutants_differ_and_are_spread_over_the_operators() -> None:
    made = list(mutants([Source("module", MODULE)], 2 * len(OPERATORS), 1))
    assert len({it.text for it in made}) == len(made)
    assert max(sum(it.operator == name for it in made) for name in OPERATORS) <= 3


def test_places_of_a_change() -> None:
    mutant = make("mark-missing-semicolon")
    line = MODULE.count("\n", 0, mutant.offset)
    assert mutant.changed.start == mutant.changed.end
    assert mutant.changed.start.line == line
    assert list(mutant.lines) == [line + 1]


def test_what_was_dropped_may_be_missed_on_either_side() -> None:
    mutant = make("mark-missing-comma")
    assert mutant.around.start < mutant.changed.start < mutant.around.end


def test_a_typo_keeps_the_mark() -> None:
    dice = Random(1)  # noqa: S311  nothing secret
    assert all(typo(".u32", dice).startswith(".") for _ in range(50))


def test_large_modules_are_cut_into_functions(tmp_path: Path) -> None:
    filler = "\tadd.u32 %r1, %r1, 1;\n" * (LARGEST // 30)
    functions = "".join(
        f".visible .entry k{n}()\n{{\n\tst.global.u32 [v{n}], {n};\n{'// x' * n}\n{filler}}}\n"
        for n in (1, 2)
    )
    path = tmp_path / "large.ptx"
    variables = ".global .u32 v1;\n.global .align 8 .u32 v2;\n"
    path.write_text(f".version 8.0\n.target sm_90\n{variables}{functions}")
    one, two = bases([path])
    assert (one.name, two.name) == ("large#k1", "large#k2")
    assert ".version 8.0" in two.text
    assert "v2;" in two.text
    assert "v1" not in two.text


def outcome(*, accepts: bool, lines: tuple[int, ...] = (), error: Range | None = None) -> Outcome:
    errors = () if error is None else (Diagnostic(error, "rule", Severity.ERROR, "message"),)
    return Outcome(make("opcode-typo"), Verdict(accepts, lines), errors)


def test_sums() -> None:
    place = outcome(accepts=True).mutant.changed
    line = place.start.line + 1
    far = Range(Position(0, 0), Position(0, 1))
    total = sums(
        [
            outcome(accepts=True),
            outcome(accepts=True, error=place),
            outcome(accepts=False, lines=(line,)),
            outcome(accepts=False, lines=(line,), error=place),
            outcome(accepts=False, lines=(line,), error=far),
        ]
    )
    assert (total.accepted, total.false, total.rejected, total.found) == (2, 1, 3, 2)
    assert (total.on_line, total.local, total.in_range) == (1, 2, 1)


def several(*messages: tuple[str, str]) -> Outcome:
    one = outcome(accepts=False, lines=(1,))
    place = one.mutant.changed
    errors = [Diagnostic(place, rule, Severity.ERROR, text) for rule, text in messages]
    return replace(one, errors=tuple(errors))


def test_one_mistake_one_error() -> None:
    names = ("undeclared-symbol", "undeclared symbol `a`"), ("undeclared-label", "no label `b`")
    functions = (
        ("call-arguments", "`f` returns 1 result (3 more)"),
        ("call-arguments", "`f` returns 1 result"),
    )
    cascade = ("syntax-error", "missing `;`"), ("unknown-opcode", "unknown opcode `c`")
    total = sums([several(names[0]), several(*names), several(*functions), several(*cascade)])
    assert (total.found, total.manifold, total.many, total.once_share) == (4, 2, 1, 0.5)


def test_a_sample_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "sample.tsv"
    made = outcome(accepts=False, lines=(3, 4))
    assert write([made], path) == 1
    (again,) = read(path)
    assert again.text(Source("module", MODULE)) == made.mutant.text
    assert (again.is_accepted, again.lines) == (False, (3, 4))
    with pytest.raises(ValueError, match="record"):
        again.text(Source("module", MODULE[1:]))


def test_errors_go_to_another_process() -> None:
    errors = errors_of(MODULE.replace("add.sat.s32", "add.sat.u8"))
    assert errors
    assert pickle.loads(pickle.dumps(errors)) == errors  # noqa: S301  our own bytes
