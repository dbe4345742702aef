"""Servers of the tests compare each fact that is kept with one made from scratch."""

from collections.abc import Iterator

import pytest

from ptx_ls.document.fact_checking import check_facts


@pytest.fixture(autouse=True)
def _checked_facts() -> Iterator[None]:
    check_facts(is_on=True)
    yield
    check_facts(is_on=False)
