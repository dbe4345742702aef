"""Texts that repeat one thing: the type of a series, and functions that make most series.

In patterns, `#` is the number of the repetition, and `##` the number of repetitions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n"
KERNEL = """\
.visible .entry kernel(.param .u64 parameter)
{
\t.reg .pred %p<10>;
\t.reg .b16 %rs<10>;
\t.reg .b32 %r<10>;
\t.reg .b64 %rd<10>;
\t.reg .f32 %f<10>;
\t.reg .f64 %fd<10>;
"""
END = "\tret;\n}\n"


@dataclass(frozen=True, slots=True)
class Series:
    """One thing that a text may repeat: `make(n)` is a text with n of it."""

    name: str
    make: Callable[[int], str]

    def of_size(self, n_bytes: int) -> str:
        """Returns a text of about this size in bytes, with at least one repetition."""
        few, more = (len(self.make(n).encode()) for n in (1, 65))
        return self.make(max(1, n_bytes * 64 // max(1, more - few)))


def numbered(pattern: str, n: int) -> str:
    """Returns a pattern n times, each time with its number."""
    pattern = pattern.replace("##", str(n))
    if "#" not in pattern:
        return pattern * n
    return "".join([pattern.replace("#", str(i)) for i in range(n)])


def plain(name: str, pattern: str, before: str = "", after: str = "") -> Series:
    """Returns a series of repetitions between `before` and `after`, which may have `##`."""

    def make(n: int) -> str:
        first, last = (it.replace("##", str(n)) for it in (before, after))
        return first + numbered(pattern, n) + last

    return Series(name, make)


def in_module(name: str, pattern: str, before: str = "", after: str = "") -> Series:
    """Returns a series of repetitions in a module, after its header and `before`."""
    return plain(name, pattern, HEADER + before, after)


def in_kernel(name: str, pattern: str, before: str = "", module: str = "") -> Series:
    """Returns a series in the body of a kernel with ten registers of each usual type.

    `before` goes into the body, `module` before the kernel.
    """
    return plain(name, pattern, HEADER + module + KERNEL + before, END)


def listed(name: str, item: str, before: str, after: str, separator: str = ", ") -> Series:
    """Returns a series of items with a separator between them."""

    def make(n: int) -> str:
        items = numbered(item + "\0", n).split("\0")[:-1]
        first, last = (it.replace("##", str(n)) for it in (before, after))
        return first + separator.join(items) + last

    return Series(name, make)
