"""Special registers, directives, pragmas, types and state spaces.

Frozen values from the data files of the same names: named tuples, since nearly every run imports
these classes, and dataclasses take ten times as long to create. Gates are lists of texts in
the notation of instruction gates without conditions (`"ptx 8.0, sm_90"`); all must be met.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ptx_ls.isa.notation.table import AvailabilityGate
from ptx_ls.source.numerals import decimal

Gates = tuple[AvailabilityGate, ...]


class SpecialRegister(NamedTuple):
    """A predefined register.

    `types` lists `(since version, type)`, oldest first, as some registers grew from `.u16` to
    `.u32`. `dimensions` are the components (`("x", "y", "z")`), empty for a scalar. `count` is the
    number of registers of a numbered family such as `%envreg<32>`, whose name is then stored
    without the number; 0 otherwise.
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
    """True when two reads may differ (`%clock`)."""
    uniformity: str = ""
    """Among which threads the value is the same: `thread`, `warp`, `cta`, `cluster`, `grid`."""
    range: str = ""
    """The values it can have, in readable form: `0 .. %ntid - 1`."""
    pitfalls: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    """Directives that the kernel must have for it to be read."""
    example: str = ""
    gates: Gates = ()

    def type_at(self, version: tuple[int, int] | None) -> str:
        """Returns the register's type in a module of that version; the newest if it is unknown."""
        chosen = self.types[0][1]
        for since, name in self.types:
            if version is None or version >= since:
                chosen = name
        return chosen

    @property
    def has_grown(self) -> bool:
        """Whether newer versions made it wider; ptxas accepts all its widths in every version."""
        return len(self.types) > 1

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
    """Returns the register of a name without component, also of a family: `%tid`, `%envreg3`."""
    register = registers.get(name)
    if register is not None:
        return register if not register.count else None
    prefix = name.rstrip("0123456789")
    family = registers.get(prefix)
    return family if family is not None and family.has_number(name[len(prefix) :]) else None


class Directive(NamedTuple):
    """A directive.

    `scopes` says where it is allowed: `module`, `header` (between a function's name and its body),
    `body`, `parameter`, `declaration` (a qualifier of a variable), `attribute` (inside
    `.attribute(...)`). `arguments` is the manual's notation of what follows the name. `conflicts`
    and `requires` name other directives of the same place.
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
    """The functions it may belong to: `.entry`, `.func`; empty when that does not matter."""
    repeats: bool = False
    """True when the same place may hold it several times."""
    conflicts: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    positive: bool = False
    """True when its numbers may not be 0."""
    largest: int | None = None
    """The largest number it takes; None for the largest of 32 bits."""
    words: tuple[str, ...] = ()
    """The strings it takes, in any case; empty when it takes numbers only."""
    order: int = 0
    """On a device function, directives with smaller numbers come first; 0 for none."""
    declares: bool = False
    """True when a function without a body and `.callprototype` may have it."""
    until: tuple[int, int] | None = None
    """The version that removed it."""
    ignored: tuple[int, int] | None = None
    """The version from which on the assembler ignores it."""
    instead: str = ""
    """The directive that replaced it, with the same arguments."""
    pitfalls: tuple[str, ...] = ()
    example: str = ""
    deprecated: str = ""
    gates: Gates = ()


class Pragma(NamedTuple):
    """A pragma string, by its first word."""

    name: str
    summary: str
    doc: str = ""
    section: str = ""
    syntax: str = ""
    arguments: str = ""
    """The text that follows its first word, "" for nothing."""
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
    """The value of a constant, on every target so far."""
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
    """Whether it may declare a variable."""
    is_register: bool
    """Whether it may declare a register."""
    summary: str
    gates: Gates = ()
    doc: str = ""
    section: str = ""
    alignment: int = 0
    """The alignment in bytes of a variable of it without `.align`; 0 for none."""
    is_lenient: bool = False
    """Whether ptxas, but not the manual, lets it declare registers and variables."""
    is_element: bool = False
    """Whether ptxas, but not the manual, lets it declare arrays."""
    places: tuple[str, ...] = ()
    """Where it is allowed: `register`, `variable`, `parameter`, `instruction`."""
    holder: str = ""
    """The register type that holds a value of it, if it is another."""
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
    """A description of where its generic addresses are; "" when there are none."""
    conversion: str = ""
    """The instructions between its addresses and generic ones; "" when there are none."""
    lifetime: str = ""
    """How long its variables keep their values."""
    qualifiers: tuple[str, ...] = ()
    """Parts of it that instructions can name: `.shared::cta`."""
    cuda: str = ""
    """The CUDA C++ spelling."""
