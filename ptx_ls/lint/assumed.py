"""Checks a module against versions and targets other than its own.

The values of `.version` and `.target` are replaced in an edited copy of the document, so every rule
sees what ptxas would see. Places in the copy are then converted to places in the document.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.editing import edited
from ptx_ls.isa.version import describe_target, describe_version, target_read_as
from ptx_ls.lint.results.reported_diagnostics import unsuppressed
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.lint.session import LintSession, lint
from ptx_ls.lint.suppression.function_results import Suppressed
from ptx_ls.semantics.directives.header import architectures, header_places
from ptx_ls.semantics.symbols.contexts import TARGET
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.source import Diagnostic, Fix, Offers, Position, Range, RelatedRange, Severity, Single
from ptx_ls.source.english import listed
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker

_VERSION: Final = ".version"
_VERSION_RULE: Final = "unknown-version"
"""The rule that reports a `.version` above the allowed one."""
_UNUSED_RULE: Final = "unused-suppression"
"""A rule that is off, because a comment may have an effect for the target of the module."""
_FOUND: Final = f"`{TARGET}` is "
"""The words before the name of the target in messages."""


class AssumedHeader(NamedTuple):
    """The targets and versions to check a module against, instead of its own header.

    Attributes:
        targets: names such as `sm_90a`, to check against one after the other; () for its own.
        version: the PTX ISA version; None for its own.
        max_version: the newest version that may be used; a newer one is reported, and the module
            is checked against this one.
    """

    targets: tuple[str, ...] = ()
    version: tuple[int, int] | None = None
    max_version: tuple[int, int] | None = None


class AssumedResult(NamedTuple):
    """The result of checking a module against other targets.

    Attributes:
        diagnostics: the diagnostics in text order.
        suppressed: those that comments suppress; one that several targets have occurs once.
    """

    diagnostics: list[Diagnostic]
    suppressed: tuple[Suppressed, ...] = ()


class _Replacement(NamedTuple):
    """The value of a directive, and the text that replaces it; on one line."""

    range: Range
    text: str


def lint_assuming(
    document: Document,
    header: AssumedHeader,
    settings: RuleSettings = DEFAULT_RULES,
    checkers: dict[object, InstructionChecker] | None = None,
) -> AssumedResult:
    """Returns the diagnostics of a document, as `lint` does, and those that comments suppress.

    Each one has the targets for which it holds, if `header` has any; one that does not hold for all
    of them says so in its message.
    """
    version = _version(document, header)
    settings = settings.without(_UNUSED_RULE)
    results = [
        _under(document, name, version, settings, checkers) for name in header.targets or ("",)
    ]
    suppressed = Counter[Suppressed]()
    for each in results:
        suppressed |= Counter(each.suppressed)
    found = results[0].diagnostics
    if header.targets:
        each_found = [each.diagnostics for each in results]
        found = _merged(zip(header.targets, each_found, strict=True), header.targets)
    if settings.is_on(_VERSION_RULE):
        above = [*map(settings.applied, _above(document, header))]
        left = unsuppressed(document, above)
        found = [*left, *found]
        for one in above if not left else ():
            suppressed[Suppressed(one.range.start.line, one.rule, one.severity)] += 1
    ordered = sorted(found, key=lambda one: (one.range, one.rule))
    return AssumedResult(ordered, tuple(suppressed.elements()))


def _version(document: Document, header: AssumedHeader) -> tuple[int, int] | None:
    """Returns the version to check against; None for the document's own."""
    if header.version is not None or header.max_version is None:
        return header.version
    own = module_facts(document).context.version
    return header.max_version if own is not None and own > header.max_version else None


def _under(
    document: Document,
    target: str,
    version: tuple[int, int] | None,
    settings: RuleSettings,
    checkers: dict[object, InstructionChecker] | None,
) -> AssumedResult:
    """Returns the result under one target ("": its own) and version (None: its own)."""
    replacements = [*_replacements(document, target, version)]
    changed = document
    for each in reversed(replacements):
        changed = edited(changed, *each.range, each.text)
    found = lint(changed, settings, checkers=checkers)
    suppressed = tuple(LintSession(changed, settings).suppressed())
    places = _Places(replacements)
    return AssumedResult(
        [places.converted(one) for one in found] if replacements else found, suppressed
    )


def _replacements(
    document: Document, target: str, version: tuple[int, int] | None
) -> Iterator[_Replacement]:
    """Yields the values to replace, in the order of the text."""
    values = {TARGET: target, _VERSION: describe_version(version) if version else ""}
    for name, place in header_places(document.leaf(0)).items():
        is_known = name == _VERSION or target_read_as(_text(document, place)) is not None
        if is_known and values[name] not in ("", _text(document, place)):
            yield _Replacement(place, values[name])
    if not target:
        return
    for number, _ in module_facts(document).changed:
        located = document.functions[number]
        for span in architectures(region_facts(located.function)):
            place = located.range(*span)
            if _text(document, place) != target:
                yield _Replacement(place, target)


def _text(document: Document, place: Range) -> str:
    """Returns the text of a place on one line."""
    return document.lines[place.start.line][place.start.column : place.end.column]


class _Places:
    """Converts places in an edited copy to places in the document; only columns differ."""

    def __init__(self, replacements: Iterable[_Replacement]) -> None:
        self._by_line: dict[int, list[_Replacement]] = {}
        for each in replacements:
            self._by_line.setdefault(each.range.start.line, []).append(each)

    def converted(self, one: Diagnostic) -> Diagnostic:
        """Returns a diagnostic with its places converted, without fixes that edit the header."""
        return one._replace(
            range=self._range(one.range),
            ready=self._fixes(one.ready),
            related=tuple([RelatedRange(self._range(it.range), it.message) for it in one.related]),
            singles=tuple([Single(self._range(it.range), it.message) for it in one.singles]),
            offers=one.offers and Offers(partial(self._offers, one.offers)),
        )

    def _offers(self, offers: Offers) -> tuple[Fix, ...]:
        return self._fixes(offers.fixes())

    def _fixes(self, fixes: Iterable[Fix]) -> tuple[Fix, ...]:
        """Returns the fixes that touch no line of a replaced value, where columns are the same."""
        return tuple(
            [
                fix
                for fix in fixes
                if not any(
                    line in self._by_line
                    for edit in fix.edits
                    for line in range(edit.range.start.line, edit.range.end.line + 1)
                )
            ]
        )

    def _range(self, place: Range) -> Range:
        return Range(self._position(place.start), self._position(place.end))

    def _position(self, position: Position) -> Position:
        line, column = position
        shift = 0
        for each in self._by_line.get(line, ()):
            start, end = (it.column for it in each.range)
            begin = start + shift  # in the copy
            if column <= begin:
                break
            if column < begin + len(each.text):
                return Position(line, min(start + column - begin, end))
            shift += len(each.text) - (end - start)
        return Position(line, column - shift)


def _merged(
    found: Iterable[tuple[str, list[Diagnostic]]], targets: Sequence[str]
) -> list[Diagnostic]:
    """Returns the diagnostics of several targets; those that differ only in the target are one."""
    groups: dict[object, list[tuple[str, Diagnostic]]] = {}
    for target, diagnostics in found:
        for one in diagnostics:
            singles = tuple([(it.range, _without(target, it.message)) for it in one.singles])
            message = _without(target, one.message)
            kind = one.range, one.rule, one.severity, message, singles
            groups.setdefault(kind, []).append((target, one))
    return [_of_targets(members, targets) for members in groups.values()]


def _of_targets(members: Sequence[tuple[str, Diagnostic]], targets: Sequence[str]) -> Diagnostic:
    """Returns the diagnostic that is the same for some of the targets."""
    held = tuple([name for name, _ in members])
    first, one = members[0]
    is_for_all = len(held) == len(targets)

    def worded(message: str) -> str:
        if _phrase(first) in message:
            return message.replace(_phrase(first), f"{_FOUND}{listed(map(_shown, held), 'and')}")
        return message if is_for_all else f"{message} (for {listed(map(_shown, held), 'and')})"

    singles = tuple([Single(it.range, worded(it.message)) for it in one.singles])
    return one._replace(message=worded(one.message), singles=singles, targets=held)


def _above(document: Document, header: AssumedHeader) -> list[Diagnostic]:
    """Returns the diagnostic about a `.version` above the allowed one, if there is one."""
    own, most = module_facts(document).context.version, header.max_version
    place = header_places(document.leaf(0)).get(_VERSION)
    if most is None or own is None or place is None or own <= most:
        return []
    message = (
        f"PTX ISA {describe_version(own)}{_origin(own)} is newer than {describe_version(most)},"
        " the newest version that is allowed"
    )
    return [Diagnostic(place, _VERSION_RULE, Severity.ERROR, message, targets=header.targets)]


def _origin(version: tuple[int, int]) -> str:
    """Returns what introduced a version, in parentheses; "" if that is unknown."""
    entry = isa.database().versions.get(version)
    if entry is None:
        return ""
    driver = f", driver {entry.driver}" if entry.driver else ""
    return f" ({entry.release}{driver})"


def _without(target: str, message: str) -> str:
    return message.replace(_phrase(target), _FOUND)


def _phrase(target: str) -> str:
    return f"{_FOUND}{_shown(target)}"


def _shown(target: str) -> str:
    """Returns the name that messages use: the new one of a target that was renamed."""
    parsed = isa.parse_target(target)
    return target if parsed is None else describe_target(parsed)
