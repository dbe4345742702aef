"""Parts of a document that share no line with each other, so that each can be read alone.

A value that is computed for a whole document costs little after an edit if it is made of values of
its parts: those of the edited function and of its group are computed, all others are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, TypeVarTuple

from ptx_ls.document.branch import of_one_root
from ptx_ls.document.document import Document
from ptx_ls.document.facts import Fact
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.function import Function
    from ptx_ls.source import Position

Value = TypeVar("Value")
Inputs = TypeVarTuple("Inputs")


class Part(NamedTuple):
    """Some functions of a document, whose first line is `first_line`.

    These are one function, several with common lines, or all functions of `group`.
    """

    first_line: int
    functions: tuple[Function, ...]
    group: InnerNode[Function, Position] | None = None

    @property
    def is_single(self) -> bool:
        """Whether it is one function."""
        return self.group is None and len(self.functions) == 1

    def divided(self) -> Iterator[Part]:
        """Yields the smallest parts of this part."""
        return _divided(self.functions, self.first_line)


def parts(document: Document) -> Iterator[Part]:
    """Yields the groups of a document as parts; its smallest parts if groups share lines."""
    groups = [group for _, group in document.groups()]
    if any(group.extent.columns for group in groups[:-1]):
        yield from _divided(document.leaves(), 0)
        return
    line = 0
    for group in groups:
        yield Part(line, tuple(group.leaves()), group)
        line += group.extent.lines


def _divided(functions: Iterable[Function], line: int) -> Iterator[Part]:
    first_line = line
    held: list[Function] = []
    for function in functions:
        held.append(function)
        line += function.extent.lines
        if not function.extent.columns:
            yield Part(first_line, tuple(held))
            first_line, held = line, []
    if held:
        yield Part(first_line, tuple(held))


def _alone(functions: tuple[Function, ...]) -> Document:
    """Returns a document of some functions, in which lines count from the first of them."""
    return Document(*of_one_root(functions, 0), Reader())


class PartFact(Generic[*Inputs, Value]):
    """A pure function of a part of a document, and of other values. Use `part_fact` to make one.

    The value is a fact of the function or of the group that the part is. If the part is several
    functions with common lines, which is rare, the value is computed each time.
    """

    __slots__ = ("_compute", "_of_function", "_of_group")

    def __init__(
        self,
        compute: Callable[[Document, *Inputs], Value],
        join: Callable[[Iterable[tuple[int, Value]]], Value],
    ) -> None:
        def of_function(function: Function, *inputs: *Inputs) -> Value:
            return compute(_alone((function,)), *inputs)

        def of_group(group: InnerNode[Function, Position], *inputs: *Inputs) -> Value:
            small = _divided(group.leaves(), 0)
            return join((part.first_line, self(part, *inputs)) for part in small)

        of_function.__name__ = of_group.__name__ = compute.__name__
        self._compute = compute
        self._of_function, self._of_group = Fact(of_function), Fact(of_group)

    def __call__(self, part: Part, *inputs: *Inputs) -> Value:
        """Returns the value of a part; computes it unless it is kept."""
        if part.group is not None:
            return self._of_group(part.group, *inputs)
        if part.is_single:
            return self._of_function(part.functions[0], *inputs)
        return self._compute(_alone(part.functions), *inputs)


def part_fact(
    join: Callable[[Iterable[tuple[int, Value]]], Value],
) -> Callable[[Callable[[Document, *Inputs], Value]], PartFact[*Inputs, Value]]:
    """Turns a function of a document, and of other values, into a fact of the parts of documents.

    The function gets a document that consists of one part, whose lines count from its start. `join`
    returns the value of a group from those of its parts, each with its first line in the group.
    """

    def make(compute: Callable[[Document, *Inputs], Value]) -> PartFact[*Inputs, Value]:
        return PartFact(compute, join)

    return make
