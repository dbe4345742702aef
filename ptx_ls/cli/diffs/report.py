"""The differences of two files, and the words for them that all forms of output use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.comparison.result import ChangeKind, ModuleDifference
from ptx_ls.semantics.demangle import demangled, without_parameters
from ptx_ls.source.english import counted, inflected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.comparison.result import (
        DiffCounts,
        FunctionDifference,
        ModuleDifference,
    )

_MAX_NAMES: Final = 5
"""Maximum number of functions that a summary names."""
_MAX_NAME_LENGTH: Final = 60
_ENDING: Final = {
    ChangeKind.SAME: "is the same",
    ChangeKind.REMOVED: "exists only in the old file",
    ChangeKind.ADDED: "exists only in the new file",
}


@dataclass(frozen=True)
class FileDifference(ModuleDifference):
    """The differences of two files.

    Attributes:
        old: the path of the old file, as shown.
        new: the path of the new file, as shown.
        is_one_sided: whether one of the files does not exist.
    """

    old: str
    new: str
    is_one_sided: bool = False

    @property
    def is_same(self) -> bool:
        """Whether the files have the same meaning."""
        return not (self.facts or self.is_one_sided or self.differing)


def file_difference(old: str, new: str, found: ModuleDifference) -> FileDifference:
    """Returns the differences of two files from those of their modules."""
    return FileDifference(found.facts, found.functions, old, new)


def summary(found: FileDifference) -> str:
    """Returns one line: how many functions differ, and which."""
    order = [ChangeKind.CHANGED, ChangeKind.REMOVED, ChangeKind.ADDED]
    differing = sorted(found.differing, key=lambda each: order.index(each.kind))
    functions = counted(len(found.functions), "function")
    if found.is_same:
        return f"the same ({functions})"
    if not differing:
        return f"{functions}, all identical"
    names = [short_name(each) for each in differing[:_MAX_NAMES]]
    more = [f"{len(differing) - _MAX_NAMES} more"] if len(differing) > _MAX_NAMES else []
    verb = inflected("differs", len(differing), "differ")
    kinds = _kinds(differing)
    return f"{len(differing)} of {functions} {verb}{kinds}: {', '.join([*names, *more])}"


def _kinds(functions: Sequence[FunctionDifference]) -> str:
    """Returns how many functions were changed, removed and added; "" if all were changed."""
    kinds = (ChangeKind.CHANGED, ChangeKind.REMOVED, ChangeKind.ADDED)
    counts = {kind: sum(each.kind is kind for each in functions) for kind in kinds}
    if counts[ChangeKind.CHANGED] == len(functions):
        return ""
    return f" ({', '.join(f'{count} {kind.value}' for kind, count in counts.items() if count)})"


def short_name(function: FunctionDifference) -> str:
    """Returns the name of a function in its source without parameters, cut short if it is long."""
    name = function.name or function.old_name or "a function without a name"
    shown = without_parameters(demangled(name) or name)
    return shown if len(shown) <= _MAX_NAME_LENGTH else f"{shown[: _MAX_NAME_LENGTH - 3]}..."


def full_name(function: FunctionDifference) -> str:
    """Returns the name of a function in its source, and as in PTX if that is another one."""
    name = function.name or function.old_name or "a function without a name"
    source = demangled(name)
    return f"{source} [{name}]" if source else name


def description(function: FunctionDifference) -> str:
    """Returns what happened to a function, in a few words."""
    if function.kind in _ENDING:
        n_lines = f" ({counted(len(function.rows), 'statement')})" if function.rows else ""
        return _ENDING[function.kind] + n_lines
    counts = function.counts
    if counts.moved and not (counts.changed or counts.removed or counts.added):
        return f"{counted(counts.moved, 'statement')} moved, nothing else"
    return _counts(counts) or "same statements"


def _counts(counts: DiffCounts) -> str:
    named = zip(("changed", "removed", "added", "moved"), counts, strict=True)
    parts = [f"{count} {name}" for name, count in named if count]
    return ", ".join(parts)
