"""Which names a search finds, best first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.features.structure.symbol_search import EXACT, SymbolQuery


def check_order(query: str, *expected: str, without: tuple[str, ...] = ()) -> None:
    """Checks that each of the names fits worse than the one before, and some do not at all."""
    search = SymbolQuery(query)
    ranks = [search.rank(name) for name in expected]
    assert all(rank is not None for rank in ranks)
    assert ranks == sorted(set(ranks), key=lambda rank: rank or 0)
    assert [search.rank(name) for name in without] == [None] * len(without)


def test_the_whole_name_comes_first_and_scattered_letters_last() -> None:
    check_order(
        "sax", "sax", "saxpy", "my_saxpy", "mysaxpy", "s_a_x", without=("sa", "xas", "reduce")
    )


def test_letters_of_either_case_are_the_same() -> None:
    check_order("SaxPy", "saxpy", "SAXPY2")


def test_each_piece_has_to_be_found() -> None:
    check_order("gemm f16", "gemm_f16_f32", without=("gemm", "f16"))


def test_the_best_of_several_names_counts() -> None:
    assert SymbolQuery("saxpy(").rank("_Z5saxpyif", "saxpy(int, float)") == 1
    assert SymbolQuery("a").rank("", "b") is None


@pytest.mark.parametrize("query", ["", " "])
def test_nothing_typed_fits_all(query: str) -> None:
    assert SymbolQuery(query).rank("k") == EXACT


@given(st.text(), st.text(max_size=9), st.text(max_size=9))
def test_any_part_of_a_name_finds_it(name: str, before: str, behind: str) -> None:
    assert SymbolQuery(name).rank(before + name + behind, "x") is not None
