"""Finds the threads that `elect.sync` elects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES

if TYPE_CHECKING:
    from ptx_ls.values.function_values import FunctionValues

_ELECT: Final = "elect"


def elected_threads(
    values: FunctionValues, n_threads: int, use: int | None
) -> frozenset[int] | None:
    """Returns the elected threads of a block if a use reads the predicate of `elect.sync`.

    The manual does not say which lane of a warp that is; here, it is the first one.
    """
    decoder = values.given.decoder
    definition = values.flow.definition(use) if use is not None else None
    if definition is None or decoder.destination(definition) != (1, -1):
        return None
    elect = decoder.of_use(definition)
    if elect.name != _ELECT:
        return None
    mask = values.operand(elect.found, 1).constant  # an immediate `-1` has 64 bits
    if mask is None or mask & ALL_LANES != ALL_LANES:
        return None
    return frozenset(range(0, n_threads, LANES))
