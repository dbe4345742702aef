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
    "hasoffset": "an address with an offset",
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
VALUES: Final = {
    "bits": "the bit width of {}",
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
