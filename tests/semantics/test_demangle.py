"""Names as their source spells them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.semantics.demangle import abridged, demangled, split_parameter


def check_name(name: str, expected: str | None) -> None:
    """Checks how a name is spelled in its source."""
    assert demangled(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("_Z5saxpyifPKfPf", "saxpy(int, float, float const*, float*)"),
        ("_ZN2ns6kernelILi4EfEEvPT0_", "void ns::kernel<4, float>(float*)"),
        ("_Z1fDF16_", "f(_Float16)"),
        ("_ZZ6kernelvE4tile", "kernel()::tile"),
        ("_RNvC7mycrate3foo", "mycrate::foo"),
        ("_RNvNtC7mycrate3gpu6kernel", "mycrate::gpu::kernel"),
        ("_ZN4core3fmt9Formatter3pad17h9b2b3a0e5b4d1b31E", "core::fmt::Formatter::pad"),
    ],
)
def test_cpp_and_rust(name: str, expected: str) -> None:
    check_name(name, expected)


@pytest.mark.parametrize("name", ["kernel", "kernel_param_0", "_Zebra", "_REGISTERED", "", "_Z"])
def test_names_that_are_not_mangled(name: str) -> None:
    check_name(name, None)


def test_what_compilers_append() -> None:
    check_name("_Z6squarePii_param_1", "square(int*, int) parameter 1")
    check_name("_Z6parentPiPfi$8", "parent(int*, float*, int) [8]")
    check_name("_Z3foov_$_llvm_$_12", "foo() [llvm_$_12]")
    check_name("_Z6parentPiPfi$8_param_2", "parent(int*, float*, int) [8] parameter 2")
    assert split_parameter("kernel_param_12") == ("kernel", 12)
    assert split_parameter("kernel_param_x") == ("kernel_param_x", None)


@pytest.mark.parametrize(
    ("name", "length", "expected"),
    [
        ("void f<int>(int*)", 17, "void f<int>(int*)"),
        ("void f<int>(int*)", 16, "void f<…>(int*)"),
        ("void a::f<g<1>, (h)2>(b<int>*, int)", 30, "void a::f<…>(b<…>*, int)"),
        ("void a::f<g<1>, (h)2>(b<int>*, int)", 20, "void a::f<…>(…)"),
        ("void a::f<g<1>, (h)2>(b<int>*, int)", 9, "void a::…"),
        ("(anonymous namespace)::f<int>(int)", 33, "(anonymous namespace)::f<…>(int)"),
        ("bool operator< <int>(int, int)", 21, "bool operator< <…>(…)"),
        ("f::operator()(int) const", 22, "f::operator()(…) const"),
        ("a<int>::operator->()", 18, "a<…>::operator->()"),
    ],
)
def test_abridged(name: str, length: int, expected: str) -> None:
    assert abridged(name, length) == expected


def test_a_name_too_long_to_be_read() -> None:
    check_name("_ZN" + "1a" * 3000 + "E", None)


@given(st.text("_ZRNKILbPvEiS0123456789abc$.", max_size=60).map("_Z".__add__))
def test_nothing_raises(name: str) -> None:
    found = demangled(name)
    assert found is None or found


@pytest.mark.slow
def test_a_lint_run_does_not_import_the_library() -> None:
    program = (
        "import sys; from ptx_ls.lint import LintSession; import ptx_ls.semantics.demangle;"
        "sys.exit('demangle' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
