"""Idioms of PTX as snippets: what they do, what they need, and their text.

Each declares the registers, labels and variables that it uses; `complete_idiom` gives them names
that are free. With the names and values that it comes with, each is a legal piece of a module.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from ptx_ls.features.completion.idiom_texts import (
    ASYNC_COPY,
    BALLOT,
    BULK_COPY,
    CLUSTER_BARRIER,
    COMPARE_AND_SWAP,
    DEVICE_FUNCTION,
    DOUBLE_BUFFER,
    ELECT,
    GRID_STRIDE,
    KERNEL,
    MATRIX_STEP,
    MBARRIER,
    MBARRIER_PHASES,
    SWITCH,
    WARP_SUM,
)
from ptx_ls.features.completion.snippet import plain

_DECLARED: Final = re.compile(
    r"\.reg \.\w+ (?P<registers>[^;]*);"
    r"|\.shared (?:\.align \d+ )?\.\w+ (?P<variable>\w+)"
    r"|^(?P<label>\w+):"
    r"|\.(?:entry|func)(?: \([^)]*\))? (?P<function>\w+)\(",
    re.ASCII | re.MULTILINE,
)


class Idiom(NamedTuple):
    """A piece of PTX with places to fill in.

    `version` and `target` are the least that have all of it. `in_function`: it stands in a body,
    else at module scope. `has_pointers`: it takes addresses for 64 bits wide.
    """

    name: str
    summary: str
    version: str
    target: str
    template: str
    in_function: bool = True
    has_pointers: bool = False


IDIOMS: Final = (
    Idiom(
        "grid-stride loop",
        "A loop in which the threads of the whole grid share the elements among them.",
        "2.3",
        "sm_20",
        GRID_STRIDE,
    ),
    Idiom(
        "warp sum",
        "Adds up one value of each lane with `shfl.sync`: every lane gets the sum.",
        "6.0",
        "sm_30",
        WARP_SUM,
    ),
    Idiom(
        "warp ballot",
        "Which lanes want something, how many they are, and the rank of this lane among them.",
        "6.0",
        "sm_30",
        BALLOT,
    ),
    Idiom(
        "elect one lane",
        "One lane of the warp does something for all.",
        "8.0",
        "sm_90",
        ELECT,
    ),
    Idiom(
        "mbarrier arrive and wait",
        "All threads of the block arrive at an mbarrier in shared memory and wait for its phase.",
        "7.0",
        "sm_80",
        MBARRIER,
    ),
    Idiom(
        "mbarrier phase loop",
        "Waits for one phase of an mbarrier after the other, by their parity.",
        "7.8",
        "sm_90",
        MBARRIER_PHASES,
    ),
    Idiom(
        "cluster barrier",
        "All threads of the cluster wait for each other.",
        "7.8",
        "sm_90",
        CLUSTER_BARRIER,
    ),
    Idiom(
        "cp.async copy",
        "Each thread copies 16 bytes from global to shared memory, and all wait for them.",
        "7.0",
        "sm_80",
        ASYNC_COPY,
        has_pointers=True,
    ),
    Idiom(
        "cp.async double buffer",
        "A pipeline of two tiles: while one is used, `cp.async` fills the other.",
        "7.0",
        "sm_80",
        DOUBLE_BUFFER,
        has_pointers=True,
    ),
    Idiom(
        "cp.async.bulk copy",
        "One thread starts a bulk copy to shared memory; all wait for its bytes at an mbarrier.",
        "8.0",
        "sm_90",
        BULK_COPY,
        has_pointers=True,
    ),
    Idiom(
        "ldmatrix and mma step",
        "A warp loads 16x16 and 16x8 matrices from shared memory and multiplies them.",
        "7.0",
        "sm_80",
        MATRIX_STEP,
    ),
    Idiom(
        "compare-and-swap loop",
        "Changes a value in global memory atomically, in any way.",
        "2.3",
        "sm_20",
        COMPARE_AND_SWAP,
        has_pointers=True,
    ),
    Idiom(
        "switch",
        "Jumps to one of several labels by a number.",
        "6.0",
        "sm_30",
        SWITCH,
    ),
    Idiom(
        "kernel",
        "A kernel in which each thread works on one element of an array.",
        "2.3",
        "sm_20",
        KERNEL,
        in_function=False,
        has_pointers=True,
    ),
    Idiom(
        "device function",
        "A function with a parameter and a result.",
        "2.3",
        "sm_20",
        DEVICE_FUNCTION,
        in_function=False,
    ),
)


@lru_cache(maxsize=64)
def declared_names(idiom: Idiom) -> frozenset[str]:
    """The names that an idiom declares where it is put."""
    found: set[str] = set()
    for match in _DECLARED.finditer(plain(idiom.template)):
        if idiom.in_function or match["function"]:
            found.update(match["registers"].split(", ") if match["registers"] else ())
            found.update(filter(None, (match["variable"], match["label"], match["function"])))
    return frozenset(found)


def find(name: str) -> Idiom | None:
    """The idiom of that name."""
    return next((idiom for idiom in IDIOMS if idiom.name == name), None)
