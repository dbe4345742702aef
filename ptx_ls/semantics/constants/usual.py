"""The usual values of the constants of an instruction, about which no rule has anything to say.

Source: PTX ISA, "Integer Constants" and the sections on the instructions. A constant of an integer
type may be written with or without a sign: 0xFFFFFFFF and -1 are the same `.s32`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.searches.unusual_numbers import ANY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ptx_ls.semantics.constants.places import ConstantPlace
    from ptx_ls.syntax.record import Shape

MAX_SLEEP: Final = 1_000_000
"""The longest time of a `nanosleep`, in nanoseconds."""
MAX_TRANSACTIONS: Final = (1 << 20) - 1
"""The largest number of bytes that an mbarrier object counts."""
SINGLE: Final = ".f32"
_WIDE_REALS: Final = (OperandForm.FLOAT64, OperandForm.DECIMAL)
"""Forms of constants that are rounded to an `.f32`."""
LANES: Final = 32
SMALL: Final = 1 << 12
"""The magnitude up to which a negative number is hardly meant as a large unsigned one."""
SHORT_FACTOR: Final = 24
"""The number of bits of a factor that `mul24` and `mad24` read."""
_OF_LAUNCH: Final = frozenset({("bar", "b"), ("barrier", "b"), ("mapa", "b")})
"""Operands whose values are limited by the size of the block or the cluster."""
_SELECTOR_MODES: Final = (".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16")
"""Modes of `prmt`, which read only two bits of the selector."""
_HEEDING_SIGN: Final = (
    *("setp", "set", "slct", "min", "max", "div", "rem", "abs", "sad", "cvt", "shr", "bfind"),
)
_EQUALITY: Final = frozenset({".eq", ".ne"})
_MAY_HEED_SIGN: Final = ("mul", "mad", "mul24", "mad24", "atom", "red")
_HEEDING_MODIFIERS: Final = frozenset({".hi", ".wide", ".min", ".max"})
FIELDS: Final = {"bfe": ("b", "c"), "bfi": ("c", "d"), "bmsk": ("a", "b")}
"""The operands with the start and the length of a bit field, by opcode."""


class UsualValues(NamedTuple):
    """The usual values of a constant, from `low` to `high`.

    Those of its magnitude if it has a sign.
    """

    low: int
    high: int


class _Use(NamedTuple):
    """A constant of an instruction."""

    modifiers: tuple[str, ...]
    place: ConstantPlace
    is_negative: bool
    heeds_sign: bool

    def any_of(self, *modifiers: str) -> bool:
        """Whether the instruction has one of these modifiers."""
        return not set(self.modifiers).isdisjoint(modifiers)

    @property
    def of_type(self) -> UsualValues:
        """The values that fit its type, with the other sign only if that does not matter.

        Compilers write large unsigned numbers as negative ones.
        """
        is_limited = self.heeds_sign and self.place.is_signed and not self.is_negative
        found = fitting(self.place.bits - is_limited, is_negative=self.is_negative)
        is_odd = self.heeds_sign and self.is_negative and not self.place.is_signed
        return found._replace(low=SMALL + 1) if is_odd else found

    def at_least(self, low: int) -> UsualValues:
        """Returns the values that fit its type, from a lowest one on."""
        found = self.of_type
        return found._replace(low=max(low, found.low))

    def at_most(self, high: int) -> UsualValues:
        """Returns the values up to a highest one, and no negative ones."""
        return UsualValues(0, 0 if self.is_negative else high)


def fitting(bits: int, *, is_negative: bool) -> UsualValues:
    """Returns the values, or the magnitudes of the negative values, of integers with some bits."""
    return UsualValues(0, 1 << (bits - 1) if is_negative else (1 << bits) - 1)


def usual_values(shape: Shape, place: ConstantPlace) -> UsualValues | None:
    """Returns the usual values of a constant; None if they depend on how it is written."""
    if place.form is OperandForm.EXPRESSION or place.negation not in ("", "-"):
        return None
    if place.form is not OperandForm.INTEGER or place.is_offset:
        is_rounded = place.type == SINGLE and place.form in _WIDE_REALS
        return None if is_rounded else UsualValues(*ANY)
    opcode, modifiers = isa.split_modifiers(shape.opcode)
    use = _Use(modifiers, place, bool(place.negation), heeds_sign(shape))
    if place.name == "membermask":
        full = 1 if use.is_negative else (1 << LANES) - 1
        return UsualValues(full, full)
    if (opcode, place.name) in _OF_LAUNCH:
        return None
    special = _SPECIAL.get((opcode, place.name))
    if special is not None:
        return special(use)
    return use.of_type if place.bits else UsualValues(*ANY)


def exceeds_field(shape: Shape, values: Mapping[str, int]) -> bool:
    """Whether a bit field reaches beyond the value, given the constants by their operands.

    Then it may be unusual although its start and its length are usual ones.
    """
    names = FIELDS.get(shape.name)
    if names is None or not all(name in values for name in names):
        return False
    return sum(values[name] for name in names) > _width(isa.split_modifiers(shape.opcode)[1])


def heeds_sign(shape: Shape) -> bool:
    """Whether the result of an instruction depends on the sign of its operands.

    Sums, and the lower halves of products, are the same for signed and unsigned numbers, and so is
    whether two numbers are equal.
    """
    words = frozenset(isa.split_modifiers(shape.opcode)[1])
    if shape.name in _HEEDING_SIGN:
        return words.isdisjoint(_EQUALITY)
    return shape.name in _MAY_HEED_SIGN and not words.isdisjoint(_HEEDING_MODIFIERS)


def _amount(use: _Use) -> UsualValues:
    """Returns the amounts by which a value of the instruction's type can be shifted."""
    return use.at_most(_width(use.modifiers) - 1)


def _width(modifiers: Sequence[str]) -> int:
    """Returns the width of the last type of an instruction."""
    return isa.database().type_facts.get(isa.written_type(tuple(modifiers)), (0, ""))[0]


def _funnel_amount(use: _Use) -> UsualValues:
    return use.at_most(31 if use.any_of(".wrap") else 32)


def _length(use: _Use) -> UsualValues:
    return UsualValues(1, 0) if use.is_negative else UsualValues(1, _amount(use).high + 1)


def _compared(use: _Use) -> UsualValues:
    """Returns the values that a comparison can tell apart from others on both sides."""
    if not use.place.bits:
        return UsualValues(*ANY)
    is_left = use.place.name == "a"
    below, above = (".lt", ".lo", ".ge", ".hs"), (".gt", ".hi", ".le", ".ls")
    if is_left:
        below, above = above, below
    is_edge_low, is_edge_high = use.any_of(*below), use.any_of(*above)
    if not (is_edge_low or is_edge_high):
        return use.of_type
    return _between_edges(use, is_low=is_edge_low, is_high=is_edge_high)


def _between_edges(use: _Use, *, is_low: bool = True, is_high: bool = True) -> UsualValues:
    """Returns the values of a type without its lowest or highest one.

    Excludes those that are written with the other sign than the type has.
    """
    bits, is_negative = use.place.bits, use.is_negative
    if use.place.is_signed:
        half = 1 << (bits - 1)
        return UsualValues(0, half - is_low if is_negative else half - 1 - is_high)
    if is_negative:
        return UsualValues(SMALL + 1, 1 << (bits - 1))
    return UsualValues(int(is_low), (1 << bits) - 1 - is_high)


def _extreme(use: _Use) -> UsualValues:
    """Returns the values of a type that are neither its lowest nor its highest one."""
    return _between_edges(use) if use.place.bits else UsualValues(*ANY)


def _nonzero(use: _Use) -> UsualValues:
    return use.at_least(1) if use.place.bits else UsualValues(*ANY)


def _short_factor(use: _Use) -> UsualValues:
    return fitting(SHORT_FACTOR, is_negative=use.is_negative)._replace(low=1)


def _modulus(use: _Use) -> UsualValues:
    return use.at_least(2)


def _selector(use: _Use) -> UsualValues:
    return use.at_most((1 << _bits_of_selector(use.modifiers)) - 1)


def selector_bits(shape: Shape) -> int:
    """Returns the number of bits of its selector that a `prmt` reads."""
    return _bits_of_selector(isa.split_modifiers(shape.opcode)[1])


def _bits_of_selector(modifiers: Sequence[str]) -> int:
    return 2 if any(mode in modifiers for mode in _SELECTOR_MODES) else 16


def _shuffled_lane(use: _Use) -> UsualValues:
    if use.is_negative:
        return UsualValues(1, 0)
    return UsualValues(0 if use.any_of(".idx") else 1, LANES - 1)


def _shuffle_clamp(use: _Use) -> UsualValues:
    if use.is_negative:
        return UsualValues(1, 0)
    usual = 0 if use.any_of(".up") else LANES - 1
    return UsualValues(usual, usual)


LAST_TABLE: Final = 0xFF
"""The table of `lop3` whose results have all bits set; with table 0, no bit is set."""
_SPECIAL: Final[Mapping[tuple[str, str], Callable[[_Use], UsualValues]]] = {
    ("shl", "b"): _amount,
    ("shr", "b"): _amount,
    ("shf", "c"): _funnel_amount,
    ("bfe", "b"): _amount,
    ("bfe", "c"): _length,
    ("bfi", "c"): _amount,
    ("bfi", "d"): _length,
    ("szext", "b"): _length,
    ("bmsk", "a"): _amount,
    ("bmsk", "b"): _length,
    ("setp", "a"): _compared,
    ("setp", "b"): _compared,
    ("set", "a"): _compared,
    ("set", "b"): _compared,
    ("min", "a"): _extreme,
    ("min", "b"): _extreme,
    ("max", "a"): _extreme,
    ("max", "b"): _extreme,
    ("mul", "a"): _nonzero,
    ("mul", "b"): _nonzero,
    ("mad", "a"): _nonzero,
    ("mad", "b"): _nonzero,
    ("and", "a"): _nonzero,
    ("and", "b"): _nonzero,
    ("mul24", "a"): _short_factor,
    ("mul24", "b"): _short_factor,
    ("mad24", "a"): _short_factor,
    ("mad24", "b"): _short_factor,
    ("div", "b"): _nonzero,
    ("rem", "b"): _modulus,
    ("lop3", "immLut"): lambda _: UsualValues(1, LAST_TABLE - 1),
    ("prmt", "c"): _selector,
    ("mbarrier", "txCount"): lambda _: UsualValues(0, MAX_TRANSACTIONS),
    ("shfl", "b"): _shuffled_lane,
    ("shfl", "c"): _shuffle_clamp,
    ("fns", "base"): lambda use: use.at_most(LANES - 1),
    ("nanosleep", "t"): lambda use: use.at_most(MAX_SLEEP),
}
"""The usual values of operands that are not all values of their types, by opcode and operand."""
