"""A branch over a branch."""

from __future__ import annotations

import pytest

from tests.support.actions import check_action, check_not_offered
from tests.support.lint import module


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@%p1 br<|>a A;\nbra.uni B;\nA:\nB:\n", "@!%p1 bra B;\nA:\nB:\n"),
        (
            "@!%p1 br<|>a A;\n\n// c\nbra B; // d\nA: ret;\nB:\n",
            "@%p1 bra B;\n\n// c\n // d\nA: ret;\nB:\n",
        ),
        ("B: @%p1 br<|>a A; bra B; A: ret;\n", "B: @!%p1 bra B; A: ret;\n"),
        ("<|>@%p1 bra A;\nbra B;\nC:\nA:\nB:\n", "@!%p1 bra B;\nC:\nA:\nB:\n"),
        ("A: @%p1 bra <|>A;\nbra B;\nC:\nB:\n", "A: @!%p1 bra B;\nbra A;\nC:\nB:\n"),
        (
            "A:\n@%p1 <|>bra A;\nbra.uni\n  B ;\nret;\nB:\n",
            "A:\n@!%p1 bra B;\nbra.uni\n  A ;\nret;\nB:\n",
        ),
    ],
)
def test_inverting(before: str, after: str) -> None:
    check_action(module(before), "Invert the branch", module(after))


@pytest.mark.parametrize(
    "body",
    [
        "A: @%p1 br<|>a A;\nbra A;\n",
        "@%p1 br<|>a A;\nC: bra B;\nA:\nB:\n",
        "@%p1 br<|>a A;\n@%p2 bra B;\nA:\nB:\n",
        "br<|>a A;\nbra B;\nA:\nB:\n",
        "@%p1 br<|>a A;\nadd.u32 %r1, %r1, 1;\nbra B;\nA:\nB:\n",
        "@%p1 br<|>a A;",
    ],
)
def test_what_is_more_than_that(body: str) -> None:
    check_not_offered(module(body), "Invert")
