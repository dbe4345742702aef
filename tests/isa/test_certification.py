"""The machinery of certification, with programs that stand for ptxas."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from certify import exceptions, leniencies, older, record, results, table, whole, workers
from certify.cover import covering_first, in_turn
from certify.gates import Judge, gate_statements
from certify.grid import active_gates, columns
from certify.judging import error_at, is_legal
from certify.linting import lint_errors
from certify.measure import Accepted, Places, sample_forms
from certify.mutations import Mutator
from certify.oracle import CONFIGURATIONS, CRASH, Configuration, Oracle, configuration_of
from certify.reader import read_statement
from certify.tally import Measure
from certify.workers import FormFacts, OpcodeResult, Touched
from ptx_ls import isa
from ptx_ls.isa import Violation, ViolationKind

OPCODES = ["add", "bar", "ld", "mma", "shfl", "tex"]
NEWEST = CONFIGURATIONS[0]
FAKE = """#!{python}
import re, sys
source = next(part for part in sys.argv if part.endswith(".ptx"))
lines = open(source).read().split("\\n")
errors = []
for number, line in enumerate(lines, 1):
    if line.startswith("crash"):
        sys.exit(139)
    if line.startswith("bad"):
        errors.append((number, "error"))
    if line.startswith("stop"):
        errors.append((number, "fatal"))
        break
    match = re.match(r"since(\\d+)", line)
    if match and int(match[1]) > {newest}:
        errors.append((number, "error"))
    if line.startswith(".version") and float(line.split()[1]) > {newest}:
        errors.append((number, "fatal"))
        break
if not errors:
    errors = [(n, "error") for n, line in enumerate(lines, 1) if line.startswith("late")]
for number, kind in errors:
    print(f"ptxas {{source}}, line {{number}}; {{kind}}   : {{kind}} of {{lines[number - 1]}}")
sys.exit(bool(errors))
"""


def check_sample(opcode: str, limit: int = 60) -> list[Accepted]:
    """Legal statements of an opcode, as if ptxas took them all; those left out are not legal."""
    instruction = check_instruction(opcode)
    legal = []
    for sample in sample_forms(instruction, limit, limit, seed=1):
        assert sample.legal, sample.form
        assert all(is_legal(instruction, statement) for statement in sample.legal)
        assert not any(is_legal(instruction, statement) for statement in sample.excluded)
        if not sample.is_enumerated:
            assert len(sample.legal) >= limit
        legal += sample.legal
    return [(statement, NEWEST) for statement in legal]


def check_instruction(opcode: str) -> isa.Instruction:
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    return instruction


def fake_ptxas(folder: Path, newest: float = 9.5) -> Oracle:
    """A program that rejects `bad`, `late` where nothing else is wrong, and crashes at `crash`."""
    if sys.platform == "win32":
        pytest.skip("needs scripts that run as programs")
    program = folder / f"ptxas-{newest}"
    program.write_text(FAKE.format(python=sys.executable, newest=newest), "utf-8")
    program.chmod(0o755)
    return Oracle(program)


@pytest.mark.slow
@pytest.mark.parametrize("opcode", OPCODES)
def test_samples_keep_the_rules(opcode: str) -> None:
    check_sample(opcode)


def test_a_sample_shows_every_modifier() -> None:
    instruction = check_instruction("ld")
    shown = {token for statement, _ in check_sample("ld", 200) for token in statement.modifiers}
    on_operands = {
        value
        for form in instruction.forms
        for slot in form.row.slots[form.row.n_modifier_slots :]
        for value in slot.values
    }
    assert instruction.known - on_operands <= shown


@pytest.mark.slow
@pytest.mark.parametrize("opcode", OPCODES)
def test_mutants_are_read_back_as_they_were_judged(opcode: str) -> None:
    instruction = check_instruction(opcode)
    mutator = Mutator(instruction, seed=1)
    n_mutants = 0
    for statement, _ in check_sample(opcode, 20)[:60]:
        for mutant in mutator.mutations(statement, 6):
            n_mutants += 1
            assert str(mutant) != str(statement)
            read = read_statement(str(mutant))
            assert str(read) == str(mutant)
            ours = error_at(instruction, mutant, NEWEST)
            again = error_at(instruction, read, NEWEST)
            assert (again and again.kind) == (ours and ours.kind)
    assert n_mutants > 50


@pytest.mark.parametrize("opcode", ["add", "ld", "setp"])
def test_mutations_leave_no_place_out(opcode: str) -> None:
    instruction = check_instruction(opcode)
    mutator = Mutator(instruction, seed=1)
    statements = [statement for statement, _ in check_sample(opcode)]
    for statement in statements:
        mutator.mutations(statement, 8)
    for form in instruction.forms:
        for index in range(len(form.operands)):
            assert mutator.touched[f"{form.id} operand {index}"] > 0
    assert all(mutator.touched[f"insert {token}"] for token in instruction.known)


@pytest.mark.slow
@pytest.mark.parametrize("opcode", OPCODES)
def test_verdicts_of_columns_with_one_signature_are_the_same(opcode: str) -> None:
    instruction = check_instruction(opcode)
    statements = gate_statements(instruction, check_sample(opcode, 30), 20)[:12]
    judge = Judge(instruction, statements)
    grid = list(columns(isa.database()))
    for configuration in grid[:: len(grid) // 30]:
        direct = [error_at(instruction, statement, configuration) for statement, _ in statements]
        shared = judge.errors(configuration)
        assert [error is None for error in shared] == [error is None for error in direct]


def test_the_grid_has_every_version_and_target() -> None:
    grid = {str(configuration) for configuration in columns(isa.database())}
    assert {"1.0/sm_10", "9.5/sm_10", "9.5/sm_121a", "8.6/sm_101a", "9.5/sm_103f"} <= grid
    assert not {"9.5/sm_101a", "1.0/sm_90", "8.0/sm_90f", "7.8/sm_90a"} & grid


@pytest.mark.slow
@pytest.mark.parametrize("opcode", OPCODES)
def test_every_gate_is_brought_into_play(opcode: str) -> None:
    instruction = check_instruction(opcode)
    accepted = check_sample(opcode, 100)
    chosen = gate_statements(instruction, accepted, 10)
    for form in instruction.forms:
        possible = {
            gate for item, _ in accepted if item.form == form.id
            for gate in active_gates(form, item)
        }  # fmt: skip
        shown = {
            gate for item, _ in chosen if item.form == form.id for gate in active_gates(form, item)
        }
        assert shown == possible


def test_items_that_show_something_new_come_first() -> None:
    first, rest = covering_first(["ab", "a", "bc", "c"], lambda word: word)
    assert (first, rest) == (["ab", "bc"], ["a", "c"])
    assert in_turn([[1, 2, 3], [4], [5, 6]]) == [1, 4, 5, 2, 6, 3]


def check_answers(oracle: Oracle, statements: Sequence[str]) -> list[str | None]:
    try:
        return oracle.judge(statements, NEWEST)
    finally:
        oracle.close()


@pytest.mark.slow
def test_every_statement_gets_its_own_verdict(tmp_path: Path) -> None:
    statements = ["good 1", "bad 2", "stop 3", "good 4", "late 5", "bad 6", "crash 7", "good 8"]
    assert check_answers(fake_ptxas(tmp_path), statements) == [
        None, "error of bad 2", "fatal of stop 3", None, "error of late 5", "error of bad 6",
        CRASH, None,
    ]  # fmt: skip


@pytest.mark.slow
def test_a_crash_is_asked_alone_the_next_time(tmp_path: Path) -> None:
    oracle = fake_ptxas(tmp_path)
    statements = [*(f"good {number}" for number in range(60)), "crash"]
    check_answers(oracle, ["good", "crash"])
    oracle = fake_ptxas(tmp_path)
    try:
        assert oracle.judge(statements, NEWEST)[-1] == CRASH
        before = oracle.n_runs
        assert oracle.judge(statements, NEWEST)[-1] == CRASH
        assert oracle.n_runs - before <= 3
    finally:
        oracle.close()


@pytest.mark.slow
def test_a_configuration_that_ptxas_refuses_is_noted(tmp_path: Path) -> None:
    oracle = fake_ptxas(tmp_path, newest=8.0)
    check_answers(oracle, ["good"])
    assert oracle.refused == {NEWEST}


def test_recorded_verdicts_come_back(tmp_path: Path) -> None:
    verdicts = [("9.5/sm_90a", "add.u32 b32_1, b32_2, b32_3;", True)]
    cells = [("1.0/sm_10", "add.u32 b32_1, b32_2, b32_3;", True), ("1.0/sm_10", "addc;", False)]
    record.write("add", verdicts, cells, 1, tmp_path)
    found = [(where, text, sign) for where, sign, text in record.read(tmp_path / "add.tsv")]
    assert sorted(found) == sorted([*verdicts, *cells])


@pytest.mark.slow
def test_the_processes_of_a_run_share_the_work(tmp_path: Path) -> None:
    oracle = fake_ptxas(tmp_path)
    oracle.close()
    budget = workers.Budget(20, 5, 10, 30, 5, seed=1).scaled(0.5, seed=2)
    workers.start(oracle.program)
    found = workers.run_opcode("exit", budget)
    assert found.legal.both_accept == found.legal.total > 0
    assert found.mutations.total > 0
    assert [form.n_accepted > 0 for form in found.forms] == [True] * len(found.forms)
    workers.start(oracle.program, [("exit", found.gated)])
    column = workers.run_column(configuration_of("1.0/sm_10"))
    assert column.is_valid
    assert column.accepted == {"exit": bytes([1] * len(found.gated))}
    assert column.measures["exit"].total == len(found.gated)
    workers.oracle().close()


def test_a_statement_is_placed_where_the_database_takes_it() -> None:
    text = "wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32.satfinite " + ", ".join(
        "{" + ", ".join(f"{type_}_{first + number}" for number in range(8)) + "}"
        for type_, first in (("f32", 1), ("b32", 1), ("b32", 9), ("f32", 9))
    )
    instruction = check_instruction("wmma")
    form = next(form.id for form in instruction.forms if ".satfinite" in form.row.accepts)
    statement = replace(read_statement(text + ";"), form=form)
    place = Places(instruction).first_legal(statement)
    assert place is not None
    assert place.number <= (6, 4)


def test_the_linter_reads_each_statement_by_itself() -> None:
    statements = ["add.u32 b32_1, b32_2, 3;", "add.u32 b32_1 b32_2, 3;", "mul.u32 b32_1, b32_2, 3;",
                  "sub.u32 b32_1, b32_2, 3;"]  # fmt: skip
    found = lint_errors(statements, NEWEST)
    assert [error is None for error in found] == [True, False, False, True]


def test_the_linter_decides_where_the_database_is_silent() -> None:
    measure = Measure("any")
    good, bad = (read_statement(f"add.u32 b32_1, b32_2, {last};") for last in ("3", "[b32_3]"))
    measure.count_all(
        [(good, None, None), (good, None, "rejected"), (bad, None, "rejected"), (bad, None, None)],
        NEWEST,
    )
    assert (measure.both_accept, measure.both_reject) == (1, 1)
    assert (measure.n_false_alarms, measure.n_misses) == (1, 1)


def named(opcode: str = "add", statement: str = "", error: str = "") -> exceptions.NamedException:
    return exceptions.NamedException(opcode, statement, error, f"{opcode} {statement} {error}")


def test_an_exception_covers_what_it_names() -> None:
    assert named().covers("add.u32 a, b;", "anything")
    assert not named().covers("addc.u32 a, b;", "anything")
    assert named(statement=r"\.u32").covers("add.u32;", "")
    assert not named(statement=r"\.u64").covers("add.u32;", "")
    assert not named(error="crash").covers("add.u32;", "Illegal modifier")
    assert exceptions.stale([named(), named("sub")], {named().reason}) == [named("sub")]


def test_every_exception_has_a_reason(tmp_path: Path) -> None:
    assert all(exception.reason for exception in exceptions.read_exceptions())
    path = tmp_path / "exceptions.toml"
    path.write_text('[[exception]]\nopcode = "add"\nreason = " "\n', "utf-8")
    with pytest.raises(ValueError, match="no reason"):
        exceptions.read_exceptions(path)


def whole_result(*, alarms: int = 0, misses: int = 0, crash: bool = False) -> whole.WholeResult:
    """A run of one opcode with these numbers of false alarms and misses among its mutations."""
    statement = read_statement("add.u32 b32_1, b32_2, b32_3;")
    violation = Violation(ViolationKind.OPERAND_KIND, ("opcode",))

    def measure(name: str, *, is_faulty: bool = False) -> Measure:
        made = Measure(
            name, both_accept=1000, both_reject=200_000, exceptions=(named(error=CRASH),)
        )
        for _ in range(alarms if is_faulty else 0):
            made.count(statement, violation, None, "")
        for _ in range(misses if is_faulty else 0):
            made.count(statement, None, "Illegal modifier", "")
        return made

    legal = Measure("legal", both_accept=1000, exceptions=(named(error=CRASH),))
    if crash:
        legal.count(statement, None, CRASH, "")
    result = whole.WholeResult(n_columns=966)
    result.opcodes["add"] = OpcodeResult(
        "add", legal, measure("excluded"), measure("mutations", is_faulty=True),
        (FormFacts("add", "integer", 30, 1000, 1000, is_enumerated=True),), Touched(3, 3, 3, ()),
        (), (), 1.0,
    )  # fmt: skip
    result.gates["add"] = measure("gates", is_faulty=True)
    return result


def check_missed(result: whole.WholeResult) -> list[str]:
    """The names of the figures that miss their goal."""
    rows = table.figures(result, [])
    assert table.text(rows).count("\n") == len(rows)
    return [row.name for row in rows if not row.is_met]


def test_goals_are_met_without_disagreement() -> None:
    assert check_missed(whole_result()) == []
    assert check_missed(whole_result(misses=900)) == []


def test_one_false_alarm_misses_the_goal() -> None:
    assert len(check_missed(whole_result(alarms=1))) == 2
    assert len(check_missed(whole_result(misses=1100))) == 2


def test_a_crash_on_what_is_legal_needs_a_name() -> None:
    result = whole_result(crash=True)
    accepted = next(row for row in table.figures(result, []) if "the data allows" in row.name)
    assert (accepted.is_met, accepted.excused) == (True, 1)
    assert accepted.verdict == "met, 1 named exceptions"
    assert table.reasons(result) == {named(error=CRASH).reason}


def test_a_stale_exception_misses_the_goal() -> None:
    rows = table.figures(whole_result(), [named("sub")])
    assert [row.name for row in rows if not row.is_met] == ["named exceptions that no longer occur"]


@pytest.mark.parametrize(
    ("share", "shown"), [(1.0, "100 %"), (0.999999, "99.999 %"), (0.995, "99.5 %"), (0.0, "0 %")]
)
def test_not_all_is_never_called_all(share: float, shown: str) -> None:
    assert table.percent(share) == shown


def test_the_record_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "certified.toml"
    result = whole_result(misses=3, crash=True)
    rows = table.figures(result, [])
    results.write_record(result, rows, {"ptxas": "13.5.37", "seed": 1}, path)
    outcome = older.Comparison(compared=5, agreed=4).summary("12.9")
    results.write_older(outcome, path)
    results.write_record(result, rows, {"ptxas": "13.5.37", "seed": 1}, path)
    found = results.read_record(path)
    assert found["ptxas"] == "13.5.37"
    assert found["older"] == [outcome]
    assert found["opcode"] == results.opcode_counts(result)
    assert [row["seen"] for row in found["figure"]] == [row.seen for row in rows]


@pytest.mark.slow
def test_an_older_program_is_asked_what_it_knows(tmp_path: Path) -> None:
    old, new = fake_ptxas(tmp_path, 7.8), fake_ptxas(tmp_path)
    cells = [
        (configuration_of("6.0/sm_60"), "good;"),
        (configuration_of("9.5/sm_90a"), "bad;"),
        (configuration_of("9.5/sm_90a"), "since8;"),
    ]
    try:
        found = older.compare(old, new, cells)
    finally:
        old.close()
        new.close()
    assert (found.compared, found.agreed) == (3, 2)
    assert [(difference.statement, str(difference.configuration)) for difference in
            found.unexplained] == [("since8;", "7.8/sm_90a")]  # fmt: skip


def test_a_gate_of_the_database_explains_a_difference() -> None:
    place = Configuration("4.0", "sm_20")
    text = "add.u16x2 b32_1, b32_2, b32_3;"
    assert older.is_version_fact(older.Difference(text, place, "Unknown modifier", None))
    text = "add.u32 b32_1, b32_2, b32_3;"
    assert not older.is_version_fact(older.Difference(text, place, "Unknown modifier", None))


def test_ignored_modifiers_are_listed_without_the_marks_of_the_data() -> None:
    assert leniencies.ignored_sentences(["!.b2", ".b1", ".b1$", ".s4$", ".u4$"]) == [
        "ptxas ignores the modifier `.b1`.",
        "ptxas ignores the modifiers `.s4` and `.u4` after the types of the instruction.",
    ]
