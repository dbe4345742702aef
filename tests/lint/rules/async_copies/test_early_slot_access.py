"""Tests of the rule early-slot-access."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule import rules
from tests.lint.rules.async_copies.test_endless_wait import KERNEL
from tests.support.lint import check_rule

READ = "    ld.shared.b32 v, [data];\n    fence.proxy.async.shared::cta;\n"
RELEASE = "    mbarrier.arrive.shared::cta.b64 _, [empty];\n"
MARKED = {
    "SIZE": ".reqntid 64",
    "SCALE": "",
    "FLIP": "xor.b32 ph, ph, 1;",
    "MORE": "",
    "MARK\n": "",
}


def check_kernel(changed: dict[str, str], *, rule: str = "early-slot-access") -> None:
    """Checks the findings of a rule in a ring of one slot in which some texts are replaced."""
    text = KERNEL
    for old, new in {**MARKED, **changed}.items():
        assert old in text
        text = text.replace(old, new)
    check_rule(rule, text)


def test_released_after_the_read() -> None:
    check_kernel({})


def test_conflict_that_another_rule_proves() -> None:
    load, fence = READ.splitlines(keepends=True)
    mark = f"//  {'^' * (len(load) - 5)} missing-barrier\n"
    check_kernel({READ + RELEASE: f"{RELEASE}{load}{mark}{fence}"}, rule="missing-barrier")
    check_kernel({READ + RELEASE: RELEASE + READ})


def test_wait_for_another_phase() -> None:
    example = rules()["early-slot-access"].doc.split("```ptx\n")[1].partition("```")[0]
    [found] = [each for each in lint(Document.read(example)) if each.rule == "early-slot-access"]
    assert [each.message for each in found.related] == [
        "the data is written here",
        "this wait may return too early: check its mbarrier object and its parity",
    ]
    [start] = {each.range.start.line for each in found.related[1:]}
    assert "[full], 0;" in example.splitlines()[start]
