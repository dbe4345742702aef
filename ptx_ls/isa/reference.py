"""Special registers, directives, pragmas, types and state spaces.

The values come from the data files of the same names. They are named tuples, because nearly every
run imports these classes, and dataclasses take ten times as long to create. In the data, gates are
lists of texts such as `"ptx 8.0, sm_90"`, without conditions; all of them must be met.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ptx_ls.isa.notation.table import AvailabilityGate
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal

Gates = tuple[AvailabilityGate, ...]


_COLOURS: Final = {"r": "x", "g": "y", "b": "z"}
"""Other names of the components of a vector."""


class SpecialRegister(NamedTuple):
    """A predefined register.

    `types`: pairs of a version and the type since then, oldest first; some registers grew from
    `.u16` to `.u32`. `dimensions`: the components (`("x", "y", "z")`), empty for a scalar. `count`:
    the number of registers of a numbered family such as `%envreg<32>`, whose `name` is without the
    number; 0 for other registers.
    """

    name: str
    types: tuple[tuple[tuple[int, int], str], ...]
    summary: str
    doc: str = ""
    section: str = ""
    dimensions: tuple[str, ...] = ()
    count: int = 0  # type: ignore[assignment]  # hides tuple.count, which is not used
    cuda: str = ""
    """The CUDA C++ spelling, `threadIdx.x` without its component: `threadIdx`."""
    volatile: bool = False
    """Whether two reads may differ (`%clock`)."""
    uniformity: str = ""
    """The threads that read the same value: `thread`, `warp`, `cta`, `cluster` or `grid`."""
    range: str = ""
    """The values it can have, in readable form: `0 .. %ntid - 1`."""
    pitfalls: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    """Directives that a kernel must have in order to read it."""
    example: str = ""
    gates: Gates = ()

    def cuda_name(self, component: str) -> str:
        """Returns the name in CUDA C++ of a component, or of all of it if `component` is "".

        Returns "" if it has none, as `%tid.w`.
        """
        if not component or not self.cuda:
            return self.cuda
        named = _COLOURS.get(component, component)
        return f"{self.cuda}.{named}" if named in self.dimensions else ""

    def type_at(self, version: tuple[int, int] | None) -> str:
        """Returns the register's type in a module of that version; the newest if it is unknown."""
        chosen = self.types[0][1]
        for since, name in self.types:
            if version is None or version >= since:
                chosen = name
        return chosen

    @property
    def spelling(self) -> str:
        """Its name as usually written: `%envreg<32>`, `%tid`."""
        return f"{self.name}<{self.count}>" if self.count else self.name

    def has_number(self, digits: str) -> bool:
        """Whether `digits` is the number of a member of the family, as in `%envreg12`."""
        is_plain = digits.isdecimal() and (digits == "0" or not digits.startswith("0"))
        return is_plain and decimal(digits) < self.count


def find_special_register(
    registers: Mapping[str, SpecialRegister], name: str
) -> SpecialRegister | None:
    """Returns the register of a name without component: `%tid`, or `%envreg3` of a family."""
    register = registers.get(name)
    if register is not None:
        return register if not register.count else None
    prefix = name.rstrip("0123456789")
    family = registers.get(prefix)
    return family if family is not None and family.has_number(name[len(prefix) :]) else None


class Directive(NamedTuple):
    """A directive.

    `scopes`: where it is allowed: `module`, `header` (between a function's name and its body),
    `body`, `parameter`, `declaration` (a qualifier of a variable), `attribute` (inside
    `.attribute(...)`). `arguments`: what follows the name, in the manual's notation. `conflicts`
    and `requires`: other directives of the same function, declaration or module.
    """

    name: str
    summary: str
    kind: str = ""
    doc: str = ""
    section: str = ""
    syntax: str = ""
    arguments: str = ""
    scopes: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    """The functions that may have it: `.entry`, `.func`; empty if any may."""
    repeats: bool = False
    """Whether it may be repeated in the same place."""
    conflicts: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    positive: bool = False
    """Whether its numbers must not be 0."""
    largest: int | None = None
    """The largest number it takes; None for the largest of 32 bits."""
    words: tuple[str, ...] = ()
    """The strings that it takes, case-insensitively; empty when it takes only numbers."""
    order: int = 0
    """On a device function, directives with smaller numbers come first; 0 if order is free."""
    declares: bool = False
    """Whether a function without a body and `.callprototype` may have it."""
    until: tuple[int, int] | None = None
    """The version that removed it."""
    ignored: tuple[int, int] | None = None
    """The first version in which ptxas ignores it."""
    instead: str = ""
    """The directive that replaced it, with the same arguments."""
    pitfalls: tuple[str, ...] = ()
    example: str = ""
    deprecated: str = ""
    gates: Gates = ()


class Pragma(NamedTuple):
    """A pragma string, named by its first word."""

    name: str
    summary: str
    doc: str = ""
    section: str = ""
    syntax: str = ""
    arguments: str = ""
    """The text after the first word, "" for none."""
    scopes: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    """The functions that may have it, `.entry` or `.func`; empty for both."""
    reach: str = ""
    """The scope of its effect: the module, the kernel, the load that follows."""
    pitfalls: tuple[str, ...] = ()
    example: str = ""
    gates: Gates = ()


class PredefinedName(NamedTuple):
    """A name that every module has, other than special registers."""

    name: str
    kind: str
    """`constant`, `operator` (of initial values) or `operand`."""
    summary: str
    doc: str = ""
    section: str = ""
    syntax: str = ""
    value: int | None = None
    """The value of a constant; so far, it is the same for all targets."""
    type: str = ""
    pitfalls: tuple[str, ...] = ()
    example: str = ""
    gates: Gates = ()


class PtxType(NamedTuple):
    """A type: width in bits and class, and whether it can be declared."""

    name: str
    bits: int
    type_class: str
    """`bits`, `unsigned`, `signed`, `float`, `half`, `predicate`, `alternate` or `opaque`."""
    is_fundamental: bool
    """Whether variables can have this type."""
    is_register: bool
    """Whether registers can have this type."""
    summary: str
    gates: Gates = ()
    doc: str = ""
    section: str = ""
    alignment: int = 0
    """The default alignment in bytes of a variable of this type; 0 for none."""
    is_lenient: bool = False
    """Whether ptxas, but not the manual, allows registers and variables of this type."""
    is_element: bool = False
    """Whether ptxas, but not the manual, allows arrays of this type."""
    places: tuple[str, ...] = ()
    """Where it is allowed: `register`, `variable`, `parameter`, `instruction`."""
    holder: str = ""
    """The type of the registers that hold its values, if it is a different one; else ""."""
    format: str = ""
    """Sign, exponent and mantissa of a floating type, with its largest value."""


class StateSpace(NamedTuple):
    """A state space."""

    name: str
    summary: str
    is_addressable: bool
    is_initializable: bool
    access: str
    sharing: str
    scopes: tuple[str, ...]
    section: str
    deprecated: str = ""
    gates: Gates = ()
    doc: str = ""
    pitfalls: tuple[str, ...] = ()
    window: str = ""
    """A description of its generic addresses; "" when there are none."""
    conversion: str = ""
    """The instructions that convert between its addresses and generic ones, or ""."""
    lifetime: str = ""
    """How long its variables keep their values."""
    qualifiers: tuple[str, ...] = ()
    """Parts of it that instructions can name: `.shared::cta`."""
    cuda: str = ""
    """The CUDA C++ spelling."""
