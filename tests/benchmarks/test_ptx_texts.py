"""The texts that the benchmarks make themselves."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.performance.peer_texts import c_text, python_text
from benchmarks.ptx_texts import cut, one_kernel, repeated, uses_of_a_global
from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity

MODULE = """\
.version 8.5
.target sm_90
.address_size 64
.extern .func vprintf(.param .b64 a);
.global .align 4 .u32 _counter;
.visible .entry _short(.param .u64 _short_param_0)
{
	ret;

}
.visible .entry _long(
	.param .u64 _long_param_0
)
.maxntid 128, 1, 1
{
	.reg .pred 	%p<3>;
	.reg .b64 	%rd<4>;
	.shared .align 4 .b8 _tile[4];

	ld.param.u64 	%rd1, [_long_param_0];
	setp.eq.s64 	%p1, %rd1, 0;
	@%p1 bra 	$L__BB1_2;
	st.global.u32 	[_counter], 1;
$L__BB1_2:
	ret;

}
.visible .entry _calling()
{
	call.uni 	_short;
	//
	// this one is the longest, but it has a call, for which a prototype would have to be kept
	//
	ret;

}
"""


def check_correct(text: str) -> str:
    """The text has no error."""
    found = [it for it in lint(Document.read(text)) if it.severity is Severity.ERROR]
    assert [it.message for it in found] == []
    return text


def names(text: str) -> list[str]:
    return re.findall(r"\.entry (\w+)", text)


def test_cut_ends_with_a_function() -> None:
    assert names(cut(MODULE, 8)) == ["_short"]


@given(st.integers(0, 5000))
def test_a_repeated_module_has_the_size_and_no_name_twice(n_bytes: int) -> None:
    module = MODULE.partition(".visible .entry _calling")[0]
    text = check_correct(repeated(module, n_bytes))
    assert n_bytes <= len(text) <= max(len(module), n_bytes + 2 * len(module))
    assert Counter(names(text)).most_common(1)[0][1] == 1


@given(st.integers(0, 200))
def test_one_kernel_has_about_so_many_lines(lines: int) -> None:
    text = check_correct(one_kernel(MODULE, lines))
    assert names(text) == ["_long"]
    assert abs(text.count("\n") - lines) < len(MODULE.splitlines())
    labels = re.findall(r"^(\$\w+):", text, re.MULTILINE)
    assert len(set(labels)) == len(labels)
    assert text.count("\n\tret;") == 1


@pytest.mark.parametrize("n_uses", [100, 300])
def test_a_global_has_so_many_uses(n_uses: int) -> None:
    text = check_correct(uses_of_a_global(n_uses))
    assert text.count("[counter]") == n_uses
    assert text.splitlines()[3].endswith(" counter;")


@given(st.integers(1, 20_000), st.integers(0, 300))
def test_texts_for_other_tools_have_the_size(n_bytes: int, n_lines: int) -> None:
    for make in (python_text, c_text):
        text = make(n_bytes, n_lines)
        assert n_bytes <= len(text)
        assert n_lines <= text.count("\n")
        if n_bytes > 5_000:
            assert len(make(n_bytes)) < n_bytes + 5_000
    compile(python_text(n_bytes), "text", "exec")
