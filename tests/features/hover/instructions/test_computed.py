"""The pseudo-code that hover shows, executed: it computes what the instruction does."""

import itertools
import random
from collections.abc import Sequence

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.statements import statement_at
from ptx_ls.isa.execution.formats import value_type
from ptx_ls.isa.execution.interpreter import Lane
from ptx_ls.isa.execution.parser import parse_statements
from ptx_ls.isa.execution.program import assembled
from ptx_ls.isa.execution.tree import Statement
from ptx_ls.isa.execution.values import OperandStorage, UndeterminedError
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from tests.features.hover.instructions.test_pseudo_code import code_of
from tests.isa.execution.variants import Case, bits_of, cases, executable_opcodes

_MAX_CASES = 20
"""How many combinations of modifiers of an opcode are shown."""
_FULL_WARP = (1 << 32) - 1


def check_shown(case: Case, chance: random.Random, *, constant: bool, alias: bool) -> bool:
    """Compares what is shown with the program; False where no such statement is legal."""
    assert case.program is not None
    names = [row.name for row in case.form.operands]
    operands = {name: bits_of(case.type_of(name), chance) for name in case.sources}
    if "membermask" in operands:
        operands["membermask"] = _FULL_WARP
    written = {name: f"%{name}" for name in case.operands}
    if constant:
        last = case.sources[-1] if case.sources else ""
        type_ = value_type(case.type_of(last) or "u32") if last else None
        if type_ is None or type_.kind not in ("signed", "unsigned"):
            return False
        operands[last] = chance.choice((0, 1, 5, 31, 200)) & (1 << type_.width) - 1
        written[last] = str(operands[last])
    if alias:
        target = names[0]
        same = [it for it in case.sources if case.type_of(it) == case.type_of(target)]
        if not same:
            return False
        written[target] = written[chance.choice(same)]
        if not written[target].startswith("%"):
            return False
    shown = _shown(case, written)
    if shown is None:
        return False
    wanted = _run(case, case.program.statements, {it: it for it in written}, operands)
    found = _run(case, shown, written, operands)
    assert found == wanted, (case.opcode, case.modifiers, written, operands, shown)
    return True


def _shown(case: Case, written: dict[str, str]) -> tuple[Statement, ...] | None:
    """The statements that hover shows; None where the instruction is not legal as written."""
    assert case.program is not None
    texts = []
    for row in case.form.operands:
        selector = ""
        if row.selector >= 0:
            selector = case.selectors.get(case.form.row.slots[row.selector].name, "")
        pair = f"|{written[row.pair]}" if row.pair in written else ""
        texts.append(written[row.name] + selector + pair)
    registers = "".join(f".reg .{_register(case, name)} %{name}; " for name in written)
    statement = f"{case.opcode}{''.join(case.modifiers)} {', '.join(texts)};"
    text = (
        ".version 9.5\n.target sm_100a\n.address_size 64\n.entry k()\n{\n"
        f"{registers}\n{statement}\n}}\n"
    )
    analysis = Analysis(Document.read(text))
    place = statement_at(analysis.document, Position(6, 0))
    judged = analysis.instruction(place) if place is not None else None
    assert judged is not None, statement
    if judged.verdict is None or not judged.verdict.is_accepted or judged.verdict.form is None:
        return None
    if judged.verdict.form.id != case.form.id:
        return None
    lines = []
    for line in code_of(analysis, judged).split("\n"):
        code = line.partition("//")[0].rstrip()
        lines.append((code[: len(code) - len(code.lstrip())], parse_statements(code)))
    return assembled(lines)


def _register(case: Case, name: str) -> str:
    assert case.program is not None
    type_ = value_type(case.program.types[name][0] or "u32") if name in case.program.types else None
    if type_ is None or type_.kind == "predicate":
        return "pred"
    width = type_.width
    if width == 8 and "dtype" in case.slots:
        return "b32"
    return f"b{width}"


def _run(
    case: Case, statements: Sequence[Statement], written: dict[str, str], operands: dict[str, int]
) -> object:
    """The results by the manual's names; None where they are not determined."""
    assert case.program is not None
    places = {}
    for name, (type_name, _) in case.program.types.items():
        type_ = value_type(type_name or "u32")
        if type_ is not None and name in written:
            places[written[name]] = OperandStorage(type_)
    known = {written[name]: bits for name, bits in operands.items()}
    lanes = {number: Lane(places, known, number=number, carry=True) for number in range(32)}
    for lane in lanes.values():
        lane.lanes = lanes
    try:
        lanes[3].run(statements)
    except UndeterminedError:
        return None
    names = [it for it in written if it in case.program.types and it not in operands]
    results = {name: lanes[3].results.get(written[name]) for name in names}
    return results, lanes[3].values["CC.CF"]


@pytest.mark.slow
@pytest.mark.parametrize("opcode", executable_opcodes())
def test_what_is_shown_computes_the_same(opcode: str) -> None:
    chance = random.Random(opcode)  # noqa: S311  the same numbers each time
    known = [
        case
        for case in cases(opcode)
        if case.program is not None and case.form.id not in ("pack", "unpack", "vector")
    ]
    n_shown = 0
    for case in chance.sample(known, min(len(known), _MAX_CASES)):
        for constant, alias in itertools.product((False, True), repeat=2):
            n_shown += check_shown(case, chance, constant=constant, alias=alias)
    assert n_shown > 0
