"""Caches shared by the files that a process lints."""

from __future__ import annotations

import gc
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ptx_ls.lint.shared_caches import SharedCaches

_BYTES_BEFORE_COLLECTION: Final = 64_000_000
"""The number of bytes that a process lints before it collects cyclic garbage."""


@cache
def caches() -> SharedCaches:
    """Returns the caches of this process, which all its files share."""
    from ptx_ls.lint.shared_caches import SharedCaches

    return SharedCaches()


_n_bytes_since_collection = 0


def collect(n_bytes: int) -> None:
    """Frees cyclic garbage now and then, if the collector is off."""
    global _n_bytes_since_collection  # noqa: PLW0603  # one per process, as the collector is
    _n_bytes_since_collection += n_bytes
    if _n_bytes_since_collection >= _BYTES_BEFORE_COLLECTION and not gc.isenabled():
        _n_bytes_since_collection = 0
        gc.collect()
