"""Tests of the rule missing-proxy-fence: edits of the example on its page."""

from __future__ import annotations

import pytest

from ptx_ls.lint.fixes.apply import fix
from ptx_ls.lint.rule import rules
from tests.support.edited_examples import check_edit

FENCE = "    fence.proxy.async.shared::cta;\n"
STORE = "    st.shared.b32 [%r3], %r1;\n"


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("bar.sync 0;", "fence.proxy.async;\n    bar.sync 0;", []),
        (
            "bar.sync 0;",
            "fence.proxy.async.global;\n    bar.sync 0;",
            ["before the values that threads stored there are visible"],
        ),  # a fence for other memory
        (
            "bar.sync 0;",
            "fence.proxy.alias;\n    bar.sync 0;",
            ["before the values that threads stored there are visible"],
        ),
        (
            "bar.sync 0;\n    @%p1 bra done;\n",
            "bar.sync 0;\n    @%p1 bra done;\n    fence.proxy.async.shared::cta;\n",
            [],
        ),  # the issuing thread may fence
        (
            "bar.sync 0;",
            "@!%p1 fence.proxy.async.shared::cta;\n    bar.sync 0;",
            ["before the values that threads stored there are visible"],
        ),  # only the issuing thread fences
        ("bar.sync 0;", "", ["neither"]),
        ("bar.sync 0;", "call f;", []),  # f may fence
        ("st.shared.b32 [%r3], %r1;", "st.shared.b32 [%r3+512], %r1;", []),  # other bytes
        ("cp.async.bulk.global", "@%p1 cp.async.bulk.global", []),  # the copy never runs
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("missing-proxy-fence", old, new, *reported)


def test_one_fence_after_all_stores() -> None:
    example = rules()["missing-proxy-fence"].doc.split("```ptx\n")[1].partition("```")[0]
    stores = STORE + STORE.replace("%r1;", "%r2;")
    before = example.replace(STORE, stores)
    fixed = fix(before, has_unsafe=True, is_wanted=lambda it: it.rule == "missing-proxy-fence")
    assert fixed.text == before.replace(stores, stores + FENCE)
