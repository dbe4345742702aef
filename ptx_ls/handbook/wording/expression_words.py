"""The words for what expressions ask about: classes of types, kinds of operands, functions."""

from __future__ import annotations

from typing import Final

CLASSES: Final = {
    "isfloat": "a floating-point type",
    "isint": "an integer type",
    "issigned": "a signed integer type",
    "isunsigned": "an unsigned integer type",
    "isbits": "an untyped type (`.b8` to `.b128`)",
}
KINDS: Final = {
    "isreg": "a register",
    "isimm": "a constant",
    "isvec": "a vector",
    "isbraced": "in braces",
    "isname": "a name",
    "hasoffset": "written with an offset",
    "isreal": "a floating-point literal",
    "issink": "`_`",
    "negated": "negated",
}
SYMBOLS: Final = {
    "==": "is",
    "!=": "is not",
    "<=": "is at most",
    ">=": "is at least",
    "<": "is less than",
    ">": "is greater than",
}
COMPUTED: Final = {"*": "×", "/": "/", "+": "+", "-": "-"}
OPPOSITE: Final = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}
BIT_WIDTH: Final = "the bit width of "
VALUES: Final = {
    "bits": BIT_WIDTH + "{}",
    "n": "the number in {}",
    "rows": "M of {}",
    "columns": "N of {}",
    "depth": "K of {}",
    "double": "twice as wide as {}",
    "half": "half as wide as {}",
    "untyped": "untyped, as wide as {}",
    "packed": "packing {}",
    **{name: f"{{}} is {words}" for name, words in CLASSES.items()},
}
LOOKUPS: Final = {
    "stored": "the number of stored elements in {}",
    "group": "the length of a group in {}",
    "coordinates": "the number of coordinates in {}",
    "derivatives": "the number of derivatives for {}",
    "words": "the number of words in {}",
}
"""Tables of the data, which give a number for a modifier."""
OPERAND_VALUES: Final = {
    "negated": "the sign",
    "word": "the value",
    "width": "the bit width",
    "size": "the number of elements",
    "value": "the value",
    "first": "the first value",
    "second": "the second value",
    "typeof": "the type",
    "spaceof": "the state space",
}
UNTRUE: Final = "it is not true that "


def as_duty(words: str) -> str:
    """Returns a condition as one that must hold: "is given" becomes "must be given"."""
    if "if " in words:
        return words
    words, untrue, rest = words.partition(UNTRUE)
    for verb in " is ", " are ":
        words = words.replace(f"{verb}not ", " must not be ").replace(verb, " must be ")
    return f"{words}{untrue.replace(' is not ', ' must not be ')}{rest}"


def size_of_vector(count: str, bits: str) -> str:
    """Returns "the bit width of `.vec.type`" for the product of a vector's factors, else ""."""
    number = VALUES["n"].format("")
    if not count.startswith(number) or not bits.startswith(BIT_WIDTH):
        return ""
    names = count.removeprefix(number) + bits.removeprefix(BIT_WIDTH)
    return BIT_WIDTH + names.replace("``", "")
