"""Tests of the rule early-slot-access."""

from __future__ import annotations

from tests.lint.rules.async_copies.test_endless_wait import KERNEL
from tests.support.lint import check_rule

COPY = (
    "    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [data], [f], 128, [full];\n"
)
MARK = f"//  {'^' * (len(COPY) - 5)} early-slot-access: this overwrites shared memory\n"
READ = "    ld.shared.b32 v, [data];\n    fence.proxy.async.shared::cta;\n"
RELEASE = "    mbarrier.arrive.shared::cta.b64 _, [empty];\n"
MARKED = {
    "SIZE": ".reqntid 64",
    "SCALE": "",
    "FLIP": "xor.b32 ph, ph, 1;",
    "MORE": "",
    "MARK\n": "",
}


def check_kernel(changed: dict[str, str]) -> None:
    """Checks the findings in a ring of one slot in which some texts are replaced."""
    text = KERNEL
    for old, new in {**MARKED, **changed}.items():
        assert old in text
        text = text.replace(old, new)
    check_rule("early-slot-access", text)


def test_released_after_the_read() -> None:
    check_kernel({})


def test_released_before_the_read() -> None:
    check_kernel({READ + RELEASE: RELEASE + READ, COPY: COPY + MARK})
