"""An instruction is read the same whether or not another context was first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.isa import Context, Instruction, Operand
from ptx_ls.isa.checking.check import FormMatch, read, read_once
from ptx_ls.lint import lint
from tests.support.lint import module
from tests.support.mutants import STATEMENTS, mutants

CORPUS = Path(__file__).parents[2] / "corpus"
CONTEXTS = [
    Context(),
    Context((3, 0), ("sm_20",)),
    Context((6, 5), ("sm_75",)),
    Context((8, 0), ("sm_90a",)),
    Context((9, 5), ("sm_100a",)),
]


def plain(found: FormMatch) -> tuple[object, ...]:
    """The parts that were read, as values that can be compared."""
    verdict, *rest = found
    if verdict is None:
        return None, *rest
    form, slots, violations, specs = verdict
    return form, slots, violations, [spec and (spec.row, spec.types) for spec in specs], *rest


def check_alike(texts: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails if an instruction of a text is read otherwise in a context, or after another one."""

    def both(
        instruction: Instruction,
        modifiers: Sequence[str],
        operands: Sequence[Operand],
        context: Context,
    ) -> FormMatch:
        for each in (*CONTEXTS, context):
            found = read(instruction, modifiers, operands, each)
            assert plain(found) == plain(read_once(instruction, modifiers, operands, each))
        return found

    monkeypatch.setattr(isa, "read", both)
    for text in texts:
        lint(Document.read(text))


def test_correct_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    check_alike([module("\n".join(STATEMENTS))], monkeypatch)


@pytest.mark.slow
def test_wrong_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [one for statement in STATEMENTS for one in mutants(statement)][::40]
    check_alike([module(one) for one in wrong], monkeypatch)


@pytest.mark.slow
def test_unusual_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted(CORPUS.glob("handwritten/*.ptx"))
    check_alike([path.read_bytes().decode() for path in paths], monkeypatch)
