"""Which problems follow from others does not depend on the order in which they are found."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.causes import relations
from ptx_ls.lint.check_input import CheckInput
from ptx_ls.semantics.problems.mismatch import Mismatch
from tests.lint.test_one_mistake import MISTAKES, MODULE

FoundIn = list[tuple[list[Mismatch], CheckInput]]


def found_in(text: str, monkeypatch: pytest.MonkeyPatch) -> FoundIn:
    """The problems of each function of a module, whether or not they follow from others."""
    given: FoundIn = []

    def note(mismatches: list[Mismatch], function: CheckInput) -> list[Mismatch]:
        given.append((mismatches, function))
        return mismatches

    with monkeypatch.context() as patch:
        patch.setattr(relations, "without_effects", note)
        lint(Document.read(text))
    return given


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda name: name.replace(" ", "-"))
def test_any_order(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after, _ = MISTAKES[mistake]
    for found, function in found_in(MODULE.replace(before, after, 1), monkeypatch):
        kept = relations.without_effects(found, function)
        for mixed in (found[::-1], found[1::2] + found[::2]):
            again = relations.without_effects(mixed, function)
            assert sorted(map(repr, again)) == sorted(map(repr, kept))
