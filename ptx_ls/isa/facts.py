"""Effects of instructions beyond writing destination registers, and the threads involved.

Facts are for users and for analyses. The verdict on an instruction does not depend on them, so
they are stored beside the prose and are decoded with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

EFFECTS: Final[Mapping[str, str]] = {
    "reads memory": "reads memory",
    "writes memory": "writes memory",
    "orders memory": "orders memory accesses",
    "synchronises": "waits for other threads, or lets them continue",
    "asynchronous": "may still be running when the next instruction issues",
    "waits": "waits for time or for asynchronous work",
    "allocates": "allocates or frees memory",
    "changes state": "has effects other than accesses to registers and memory",
    "observes": "the result depends on more than the operands",
    "signals": "signals the host, a debugger or a monitor",
    "reads carry": "reads the carry flag",
    "writes carry": "writes the carry flag",
    "transfers control": "transfers control",
    "ends": "ends the thread",
}
"""Words of `effects` in the data, and what they mean. An instruction without any computes its
results from its operands alone, and can be removed if they are not read."""

CONVERGENCE: Final[Mapping[str, str]] = {
    "aligned": "The threads of a warp must execute the instruction together.",
    "convergent": "Convergent: must not be moved across control flow.",
}
"""Words of `convergence` in the data, and what they mean."""
