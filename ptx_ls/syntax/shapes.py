"""Finds the shapes of instructions: one object for all that differ only in names and numbers."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from ptx_ls.syntax import parser, tokens
from ptx_ls.syntax.literals import NUMBER_PATTERN
from ptx_ls.syntax.names import NAME_PATTERN, OF_NAMES
from ptx_ls.syntax.normalize import canonical_guard, canonical_word
from ptx_ls.syntax.plain.operands import plain_parts
from ptx_ls.syntax.record import Arguments, Shape

_ARGUMENT: Final = re.compile(
    rf"{NAME_PATTERN}(?:{tokens.SUFFIX}+\$?)?|(?<![%\w]){NUMBER_PATTERN}"
    rf"|\d[{OF_NAMES}.]*+|[-+,\[\]{{}}()|!~<>*&^]|[ \t]++|.",
    re.ASCII | re.DOTALL,
).findall
"""Splits operands into words. Splits further where adjacent words would become one in canonical
form, as in `%.5`, in `0x1.5`, and in `%r1.5` before a `$`."""
_MAX_REMEMBERED: Final = 100_000
"""Maximum number of words, and of operands, to cache."""
_MAX_KEPT_TREES: Final = 2_000
"""Maximum number of trees to cache; most files have fewer distinct operands."""
_IS_OPCODE: Final = re.compile(rf"[a-z]\w*+{tokens.SUFFIX}*", re.ASCII).fullmatch
_MAX_SHARED_LENGTH: Final = tokens.MAX_STATEMENT_LENGTH // 2
"""Maximum length, in characters, of operands to share between opcodes."""
Key: TypeAlias = tuple[str, str, str]
"""The guard, the opcode and the operands of an instruction in canonical form."""


def is_final(key: Key) -> bool:
    """Whether an instruction has a syntax error if its canonical form, the key, has one.

    If not, its tokens have to be read, which may join separate parts, as in `mul .lo`.
    """
    guard, _, arguments = key
    return "\0" not in guard and "\0" not in arguments and not arguments.startswith((".", ":"))


class Shapes:
    """Finds the shapes of instructions, and caches them."""

    __slots__ = ("_arguments", "_found", "_words")

    def __init__(self) -> None:
        self._arguments: dict[tuple[str, str], Arguments | None] = {}
        self._found: dict[Key, Shape | None] = {}
        self._words: dict[str, str] = {}

    def of(self, guard: str | None, opcode: str, arguments: str | None) -> Shape | None:
        """Returns the shape of an instruction as written; None if it has a syntax error."""
        return self.intern(self.key(guard, opcode, arguments))

    def key(self, guard: str | None, opcode: str, arguments: str | None) -> Key:
        """Returns the canonical form of an instruction; NUL replaces words that have none."""
        canonical = ""
        if arguments:
            words = self._words
            parts = _ARGUMENT(arguments)
            canonical = "".join([words.get(part) or self._word(part) for part in parts])
        return canonical_guard(guard) if guard else "", opcode, canonical.strip()

    def intern(self, key: Key) -> Shape | None:
        """Returns the shape of a canonical statement; None if it has a syntax error."""
        if "\0" in key[0] or "\0" in key[1] or "\0" in key[2]:
            return None
        try:
            return self._found[key]
        except KeyError:
            shape = Shape(*key)
            read = self._read_arguments(key[0], key[2], shape)
            if read is None:
                self._found[key] = None
                return None
            shape.read = read
            self._found[key] = shape
            return shape

    def _read_arguments(self, guard: str, arguments: str, shape: Shape) -> Arguments | None:
        """Returns the guard and operands of a shape; None if there is a syntax error.

        The grammar treats all opcodes alike, so they are read once and not for each opcode.
        """
        key = guard, arguments
        is_plain = (
            _IS_OPCODE(shape.opcode) is not None
            and not arguments.startswith((".", ":"))
            and len(arguments) <= _MAX_SHARED_LENGTH
        )
        if is_plain and key in self._arguments:
            return self._arguments[key]
        if len(shape.text) > tokens.MAX_STATEMENT_LENGTH:
            return None  # normalized, it is longer than the text, and only a part would be read
        start = len(shape.text) - len(arguments) - 1
        parts = plain_parts(guard, arguments, start) if is_plain else None
        found: Arguments | None = None
        if parts is not None:
            found = Arguments(shape.text, parts)
        elif (parsed := parser.parse(shape.text)).problem is None:
            tree = parsed.tree if len(self._arguments) < _MAX_KEPT_TREES else None
            found = Arguments(shape.text, tree=tree)
        if is_plain:
            if len(self._arguments) > _MAX_REMEMBERED:
                self._arguments.clear()
            self._arguments[key] = found
        return found

    def _word(self, part: str) -> str:
        if len(self._words) > _MAX_REMEMBERED:
            self._words.clear()
        word = self._words[part] = canonical_word(part)
        return word
