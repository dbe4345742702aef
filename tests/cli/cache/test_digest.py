"""Digests differ for texts that differ, however the texts are cut into parts."""

import itertools
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.cache.digest import N_BYTES, digest_of_parts


def check_different(sequences: Iterable[tuple[bytes, ...]]) -> None:
    """Checks that each of some different sequences has a digest of its own."""
    different = {*sequences}
    digests = {digest_of_parts(*each) for each in different}
    assert len(digests) == len(different)
    assert {*map(len, digests)} <= {N_BYTES}


@pytest.mark.parametrize("n_bytes", range(4))
def test_each_way_to_cut_a_text(n_bytes: int) -> None:
    text = b"abc"[:n_bytes]
    cuts = itertools.combinations_with_replacement(range(n_bytes + 1), 2)
    check_different([(text,), *((text[:i], text[i:j], text[j:]) for i, j in cuts)])


@given(st.lists(st.lists(st.binary(max_size=20), min_size=1).map(tuple)))
def test_any_sequences(sequences: list[tuple[bytes, ...]]) -> None:
    check_different(sequences)
    check_different([(b"".join(each),) for each in sequences])
