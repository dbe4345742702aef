"""The known diagnostics of a project, which a run does not report.

A baseline is keyed by file, rule, function and statement, so it still fits after lines have moved.
"""

from __future__ import annotations

import os
from collections import Counter
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.arguments import UsageError
from ptx_ls.cli.console import escaped
from ptx_ls.files.named import read_named
from ptx_ls.source import separate
from ptx_ls.source.english import counted, inflected

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.cli.arguments import ArgumentParser
    from ptx_ls.cli.reports.report import OpenFile
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Diagnostic

_VERSION: Final = 1


class BaselineUse(Enum):
    """The change that a run makes to the baseline."""

    COMPARE = auto()
    STRICT = auto()
    """The run fails if known diagnostics no longer occur."""
    SHRINK = auto()
    """Those that no longer occur are removed from it."""
    UPDATE = auto()
    """It gets exactly the diagnostics of the run, which reports none."""


Identity = tuple[str, str, str]
"""The rule, the function and the statement of a diagnostic."""


class Baseline:
    """The known diagnostics, by file.

    Attributes:
        path: the file that has them. Paths in it are relative to its folder.

    Raises:
        UsageError: if the file does not exist and `use` does not create it, if it cannot be read,
            or is not a baseline.
    """

    def __init__(self, path: str, use: BaselineUse) -> None:
        self.path = path
        self._use = use
        self._folder = os.path.dirname(os.path.abspath(path))
        if use is not BaselineUse.UPDATE and not os.path.lexists(path):
            raise _error(path, "no such file; --update-baseline creates it")
        self._known = _read(path)
        self._found: dict[str, Counter[Identity]] = {}

    def known(self, path: str) -> Counter[Identity]:
        """Returns how many diagnostics of each identity are known in a file."""
        return self.known_as(self._name(path))

    def known_as(self, name: str) -> Counter[Identity]:
        """Does what `known` does for a path as the baseline has it."""
        return self._known.get(name, Counter())

    def add(self, path: str, found: Counter[Identity]) -> None:
        """Adds all diagnostics that a run has found in a file."""
        self._found[self._name(path)] = found

    @property
    def n_known(self) -> int:
        """How many diagnostics are known."""
        return sum(each.total() for each in self._known.values())

    @property
    def n_gone(self) -> int:
        """How many known diagnostics of the files of the run no longer occur."""
        return sum((self.known_as(name) - found).total() for name, found in self._all())

    def write(self) -> None:
        """Writes the baseline, as its use requires: an entry on each line, sorted.

        Keeps what other runs have written about other files meanwhile.

        Raises:
            UsageError: if it cannot be written.
        """
        from ptx_ls.files.locking import locked

        with locked(self._folder):
            self._known = _read(self.path)
            for name, found in self._all():
                is_smaller = self._use is BaselineUse.SHRINK
                self._known[name] = self.known_as(name) & found if is_smaller else found
            self._write()

    def _write(self) -> None:
        import json

        from ptx_ls.files.writing import write_whole

        files = {
            name: sorted(known.items()) for name, known in sorted(self._known.items()) if known
        }
        parts = []
        for name, known in files.items():
            rows = ",\n".join(f"    {json.dumps([*identity, n])}" for identity, n in known)
            parts.append(f"  {json.dumps(name)}: [\n{rows}\n  ]")
        body = "{\n" + ",\n".join(parts) + "\n }" if parts else "{}"
        text = f'{{\n "version": {_VERSION},\n "files": {body}\n}}\n'
        try:
            write_whole(self.path, text.encode("utf-8"))
        except OSError as error:
            raise _error(self.path, error.strerror or str(error)) from None

    def _all(self) -> Iterator[tuple[str, Counter[Identity]]]:
        """Yields what was found in each file of the run, and nothing for files that are gone."""
        yield from self._found.items()
        for name in self._known.keys() - self._found.keys():
            if not os.path.exists(os.path.join(self._folder, name)):
                yield name, Counter()

    def _name(self, path: str) -> str:
        beside = os.path.relpath(os.path.abspath(path), self._folder)
        return beside.replace(os.sep, "/")


def add_baseline_options(parser: ArgumentParser) -> None:
    """Adds the options of a baseline."""
    group = parser.add_argument_group("baseline")
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help=("do not report the findings that this file lists by rule, function and statement"),
    )
    uses = group.add_mutually_exclusive_group()
    uses.add_argument(
        "--update-baseline",
        action="store_true",
        help="write all findings to the baseline instead of reporting them",
    )
    uses.add_argument(
        "--shrink-baseline",
        action="store_true",
        help="remove findings that no longer occur from the baseline",
    )
    uses.add_argument(
        "--strict-baseline",
        action="store_true",
        help="exit with status 1 if a finding in the baseline no longer occurs",
    )


def use_of(options: Namespace) -> BaselineUse:
    """Returns the use that the options ask for.

    Raises:
        UsageError: if there is no baseline to use.
    """
    chosen = {
        "--update-baseline": BaselineUse.UPDATE,
        "--shrink-baseline": BaselineUse.SHRINK,
        "--strict-baseline": BaselineUse.STRICT,
    }
    for option, use in chosen.items():
        if getattr(options, option[2:].replace("-", "_")):
            if options.baseline is None:
                raise UsageError(f"{option} needs --baseline FILE")
            return use
    return BaselineUse.COMPARE


def finished(baseline: Baseline, use: BaselineUse) -> str:
    """Writes the baseline after a run if `use` says so; returns a sentence about it, or "".

    Raises:
        UsageError: if it cannot be written.
    """
    n_gone = baseline.n_gone
    if use is BaselineUse.UPDATE:
        baseline.write()
        return f"Wrote {counted(baseline.n_known, 'finding')} to {escaped(baseline.path)}"
    if not n_gone:
        return ""
    verb = inflected("occurs", n_gone, "occur")
    if use is BaselineUse.SHRINK:
        baseline.write()
        return f"Removed {counted(n_gone, 'finding')} that no longer {verb}"
    return f"{counted(n_gone, 'finding')} in the baseline no longer {verb}; see --shrink-baseline"


def compared(
    file: OpenFile, diagnostics: Sequence[Diagnostic], known: Mapping[Identity, int]
) -> tuple[list[Diagnostic], Counter[Identity]]:
    """Returns the diagnostics that are not known, and how many there are of each identity.

    A diagnostic with several places is split if only some of them are known.
    """
    from ptx_ls.lint.identity.fingerprint import fingerprints

    left, found = Counter(known), Counter[Identity]()
    new: list[Diagnostic] = []
    groups = [separate([one]) for one in diagnostics]
    identities = fingerprints([place for places in groups for place in places], file.sites)
    for one, places in zip(diagnostics, groups, strict=True):
        kept = []
        for place, identity in zip(places, identities, strict=False):  # those of `places` are next
            found[identity.key] += 1
            left[identity.key] -= 1
            if left[identity.key] < 0:
                kept.append(place)
        new += [one] if len(kept) == len(places) else kept
    return new, found


def of_rules_off(known: Mapping[Identity, int], rules: RuleSettings) -> Counter[Identity]:
    """Returns the known diagnostics of rules that are off: a run cannot say that they are gone."""
    return Counter({key: count for key, count in known.items() if not rules.is_on(key[0])})


def _read(path: str) -> dict[str, Counter[Identity]]:
    """Returns the known diagnostics of each file; none if `path` does not exist."""
    return {name: Counter(each) for name, each in _rows(path)}


def _rows(path: str) -> Iterator[tuple[str, dict[Identity, int]]]:
    import json

    try:
        found = json.loads(read_named(path))
    except FileNotFoundError:
        return
    except OSError as error:
        raise _error(path, error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise _error(path, "not JSON") from None
    if not isinstance(found, dict) or found.get("version") != _VERSION:
        raise _error(path, f"not a baseline of version {_VERSION}")
    try:
        for name, rows in found["files"].items():
            yield name, {(str(rule), str(of), str(what)): int(n) for rule, of, what, n in rows}
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        raise _error(path, "not a baseline") from None


def _error(path: str, reason: str) -> UsageError:
    return UsageError(f"--baseline: {escaped(path)}: {reason}")
