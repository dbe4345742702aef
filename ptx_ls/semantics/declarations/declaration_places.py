"""Finds the word that makes a declaration invalid, to report it instead of the name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.problems.declarations import BadDeclaration, DeclarationFault
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import after, before
from ptx_ls.syntax.tokens import LINKAGE, SPACE, TYPE, VECTOR, TokenType, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.semantics.symbols.region_text import RegionText

_MAX_LINES_BEFORE: Final = 4
"""Maximum number of lines before a name to search for the start of its declaration."""
_ENDS: Final = frozenset(";{}")
_REGISTERS: Final = frozenset({".reg", ".sreg"})
"""State spaces that are directives in the grammar."""


class _Word(NamedTuple):
    """A word of a declaration, with its place."""

    text: str
    type: TokenType
    start: FunctionPosition
    end: FunctionPosition


_Words: TypeAlias = Sequence[_Word]
_Find: TypeAlias = Callable[[_Words], _Words]
"""A function that returns the offending words among the given words; none if it finds none."""


def _last(types: Sequence[TokenType] = (), names: Iterable[str] = ()) -> _Find:
    """Returns a function that finds the last word that has one of the given types or texts."""
    return lambda words: [it for it in words if it.type in types or it.text in names][-1:]


_space: Final = _last([SPACE], _REGISTERS)
_type: Final = _last([TYPE])


def _following(name: str, length: int) -> _Find:
    """Returns a function that finds the `length` words after the last word `name`."""

    def find(words: _Words) -> _Words:
        first = max((n for n, word in enumerate(words, 1) if word.text == name), default=None)
        return () if first is None else words[first : first + length]

    return find


def _pointed_alignment(words: _Words) -> _Words:
    """Returns the alignment after `.ptr`, and after its state space if there is one."""
    found = _following(".ptr", 3)(words)
    return found[:2] if found and found[0].text == ".align" else found[1:]


def _vector(words: _Words) -> _Words:
    """Returns the last vector specifier and its type: `.v4 .f64`."""
    first = max((n for n, word in enumerate(words) if word.type is VECTOR), default=len(words))
    return words[first : first + 2]


def _space_to_type(words: _Words) -> _Words:
    """Returns the state space and the type, if there are both."""
    found = [*_space(words), *_type(words)]
    return found if len(found) > 1 else ()


_BEFORE_NAME: Final[dict[DeclarationFault, _Find]] = {
    DeclarationFault.ALIGNMENT: _following(".align", 1),
    DeclarationFault.PREDICATE_IN_MEMORY: _space_to_type,
    DeclarationFault.PREDICATE_VECTOR: _vector,
    DeclarationFault.VECTOR_TOO_LARGE: _vector,
    DeclarationFault.OPAQUE_VECTOR: _vector,
    DeclarationFault.PARAMETER_VECTOR: _last([VECTOR]),
    DeclarationFault.TYPE_VECTOR: _vector,
    DeclarationFault.KERNEL_SPACE: _space,
    DeclarationFault.FUNCTION_SPACE: _space,
    DeclarationFault.RESERVED_SPACE: _space,
    DeclarationFault.OPAQUE_SPACE: _space_to_type,
    DeclarationFault.RESULTS: _space,
    DeclarationFault.TYPE: _type,
    DeclarationFault.TYPE_PARAMETER: _type,
    DeclarationFault.LOCAL_LINKAGE: _last([LINKAGE]),
    DeclarationFault.COMMON: _last([LINKAGE]),
    DeclarationFault.KERNEL_RESULT: _following(".entry", 2),
    DeclarationFault.POINTER: _last(names=[".ptr"]),
    DeclarationFault.LATE_ALIGNMENT: _last(names=[".align"]),
    DeclarationFault.POINTED: _following(".ptr", 1),
    DeclarationFault.POINTED_ALIGNMENT: _pointed_alignment,
}
"""Functions that find the offending words between the start of a declaration and its name."""


def _size(words: _Words) -> _Words:
    """Returns the first size with its brackets."""
    if not words or words[0].text != "[":
        return ()
    inner = [*takewhile(lambda word: word.text != "]", words)]
    return words[: len(inner) + 1]


def _negative(words: _Words) -> _Words:
    """Returns the first negative size."""
    while size := _size(words):
        if size[1].text == "-":
            return size[1:-1]
        words = words[len(size) :]
    return ()


def _equals(words: _Words) -> _Words:
    """Returns the `=` before the initial value of this name."""
    own = takewhile(lambda word: word.text not in (",", ";"), words)
    return [word for word in own if word.text == "="][:1]


_AFTER_NAME: Final[dict[DeclarationFault, _Find]] = {
    DeclarationFault.COUNT: lambda words: words[1:2] if words and words[0].text == "<" else (),
    DeclarationFault.REGISTER_ARRAY: _size,
    DeclarationFault.NEGATIVE_SIZE: _negative,
    DeclarationFault.NO_SIZE: _size,
    DeclarationFault.KERNEL_ARRAY: _size,
    DeclarationFault.INITIALIZED: _equals,
}
"""Functions that find the offending words after the name."""


def pinpointed(found: Iterable[BadDeclaration], text: RegionText) -> Iterator[BadDeclaration]:
    """Yields the mismatches, each moved to the offending word if that is found.

    Yields only the first mismatch of each name, and the first of several with the same offending
    word.
    """
    wrong: set[object] = set()
    for bad in found:
        words = _wrong_words(bad, text)
        placed = bad._replace(start=words[0].start, end=words[-1].end) if words else bad
        keys = {(placed.start, bad.fault), bad.symbol.start}
        if wrong.isdisjoint(keys):
            yield placed
        wrong.update(keys)


def _wrong_words(bad: BadDeclaration, text: RegionText) -> _Words:
    if bad.fault in _AFTER_NAME:
        row, column = bad.end
        return _AFTER_NAME[bad.fault](_words_of(after(text.lines[row], column), row, column))
    is_unnamed = bad.start == bad.end
    find = _BEFORE_NAME.get(bad.fault, _type if is_unnamed else None)
    return find(_words_before(bad.start, text)) if find is not None else ()


def _words_before(place: FunctionPosition, text: RegionText) -> _Words:
    """Returns the words of a statement before a place, on its line and some lines before."""
    found: list[_Word] = []
    row, column = place
    for line in range(row, max(row - _MAX_LINES_BEFORE, -1), -1):
        stop = column if line == row else len(text.lines[line])
        near = before(text.lines[line], stop)
        words = _words_of(near, line, stop - len(near))
        own = [*takewhile(lambda word: word.text not in _ENDS, reversed(words))]
        found[:0] = own[::-1]
        if len(own) < len(words):
            break
    return found


def _words_of(text: str, row: int, column: int) -> list[_Word]:
    """Returns the words of a text that begins at a place and ends on that line."""
    return [
        _Word(token.string, token.type, *token.placed(FunctionPosition((row, column))))
        for token in tokenize(text)
        if token.string
    ]
