"""Finds directives, and types in declarations, that a module's version or target does not have.

Instructions are checked elsewhere.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import Violation, ViolationKind
from ptx_ls.isa.checking.gates import check_availability
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.versions import too_new
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.tokens import REG, SPACE, TYPE, VECTOR, WORD, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_OPENING: Final = ("(", "[", "{")
_CLOSING: Final = (")", "]", "}")


class Availability:
    """The directives and types that are not available in a context."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @cached_property
    def missing(self) -> Mapping[str, tuple[Violation, ...]]:
        """The names of unavailable directives and types, with the reasons."""
        database = isa.database()
        version = self.context.version
        if version is None or version > database.newest_version:
            return {}
        gates = {name: entry.gates for name, entry in database.types.items()}
        gates |= {name: entry.gates for name, entry in database.directives.items()}
        found = {
            name: tuple(check_availability(gate, self.context)) for name, gate in gates.items()
        }
        for name, entry in database.directives.items():
            if entry.until is not None and version >= entry.until:
                found[name] = (too_new(entry.until),)
            elif entry.ignored is not None and version >= entry.ignored:
                found[name] = (_ignored(entry.ignored),)
        return {name: violations for name, violations in found.items() if violations}

    def check(self, text: RegionText, facts: RegionFacts) -> Iterator[Unavailable]:
        """Yields the directives and types of a function that are not available."""
        missing = self.missing.keys()
        directives = [directive.text for directive in facts.directives]
        said = dotted_words("\n".join([text.declarations_text, *directives])) if missing else ()
        if missing.isdisjoint(said):
            return
        for found in text.statements(text.declaring, declaring_only=True):
            if found.start not in facts.unnamed and not missing.isdisjoint(
                dotted_words(found.text)
            ):
                yield from self._in_statement(found)

    def _in_statement(self, found: Found) -> Iterator[Unavailable]:
        stream = list(tokenize(found.text))
        for number, token in enumerate(stream):
            for shut in self.missing.get(token.string, ()):
                lenient = token.type is TYPE and _is_compound(stream, number)
                violation = shut._replace(lenient=shut.lenient or lenient)
                start, end = token.placed(found.start)
                yield Unavailable(token.string, violation, start, end)


def _is_compound(stream: list[Token], number: int) -> bool:
    """Whether a type is that of a vector or array, for which ptxas accepts any type."""
    is_vector = number > 0 and stream[number - 1].type is VECTOR
    return is_vector or _is_of_arrays(stream[number + 1 :])


def _is_of_arrays(rest: list[Token]) -> bool:
    """Whether the type before these tokens declares only arrays."""
    depth = 0
    n_names = 0
    for token, after in pairwise(rest):
        depth += (token.string in _OPENING) - (token.string in _CLOSING)
        if depth < 0 or token.type in (TYPE, SPACE):
            break
        if not depth and token.type in (WORD, REG):
            n_names += 1
            if after.string != "[":
                return False
    return n_names > 0


def _ignored(since: tuple[int, int]) -> Violation:
    shown = f"PTX ISA {since[0]}.{since[1]}"
    note = f"deprecated since {shown}, and ptxas ignores it"
    return Violation(ViolationKind.DEPRECATED, ("opcode",), shown, note=note, lenient=True)
