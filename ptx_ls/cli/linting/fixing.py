"""The fixes of a run: which are applied or shown, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.cli import inputs
from ptx_ls.cli.arguments import UsageError
from ptx_ls.cli.linting.baseline import BaselineUse, use_of
from ptx_ls.cli.linting.changes import Fixes
from ptx_ls.cli.linting.process_caches import caches
from ptx_ls.files.languages import other_language
from ptx_ls.source.encoding import DecodedText, decode, encode
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from ptx_ls.cli.arguments import ArgumentParser
    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.linting.changes import Changes
    from ptx_ls.cli.linting.suppress import Suppressing
    from ptx_ls.cli.reports.choice import Selection
    from ptx_ls.document.document import Document
    from ptx_ls.lint.assumed import AssumedHeader
    from ptx_ls.lint.fixes.apply import Fixed
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Diagnostic

_MARK: Final = "\ufeff"
"""The byte order mark, which a fix of the rule for syntax errors removes."""


class Mending(NamedTuple):
    """The decoding and fixing of a file; `had_bom` and `is_mixed` as in `DecodedText`.

    Attributes:
        difference: the fixes as a patch, if they are shown; "" otherwise.
        n_fixed: how many diagnostics were fixed.
        refusal: why the file was not changed; "" otherwise.
        n_newly_suppressed: how many diagnostics are suppressed by comments that were added.
    """

    had_bom: bool
    is_mixed: bool
    difference: str = ""
    n_fixed: int = 0
    refusal: str = ""
    n_newly_suppressed: int = 0


def add_fix_options(parser: ArgumentParser) -> None:
    """Adds the options that apply or show fixes."""
    parser.add_argument(
        "--fix", action="store_true", help="apply the fixes that are certain to be correct"
    )
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help=(
            "include fixes that may hide a mistake, for example by inserting punctuation or by "
            "removing an instruction whose result is never used; without --fix or --diff, print "
            "the report, with the fixes as a patch"
        ),
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help=(
            "print a patch with the changes that --fix would make, instead of a report; change no "
            "file"
        ),
    )


def fixes_of(options: Namespace) -> Fixes:
    """Returns the fixes that the options ask for.

    Raises:
        UsageError: if `--diff` is combined with an option that it leaves nothing to do.
    """
    if options.diff:
        if options.output or options.statistics:
            other = "--output" if options.output else "--statistics"
            raise UsageError(f"--diff prints a patch and no report, so {other} has no effect")
        if use_of(options) is not BaselineUse.COMPARE:
            raise UsageError("--diff changes no file, not even a baseline")
        return Fixes.UNSAFE_PATCH if options.unsafe_fixes else Fixes.CERTAIN_PATCH
    if options.unsafe_fixes:
        return Fixes.UNSAFE if options.fix else Fixes.UNSAFE_SHOWN
    return Fixes.CERTAIN if options.fix else Fixes.NONE


def mended(
    file: Input,
    content: bytes,
    selection: Selection,
    changes: Changes,
    rules: RuleSettings,
    header: AssumedHeader | None,
) -> tuple[str, Mending]:
    """Returns the text of a file, after changing its content and writing the file.

    `header`: as for `linted`.
    """
    decoded = decode(content)
    text, fixes = decoded.text, changes.fixes
    mending = Mending(decoded.had_bom, decoded.is_mixed)
    if changes.adds_suppressions:
        added = _suppressed(
            file, content, changes.reason, _reported(file, selection, rules, header)
        )
        return added.text, mending._replace(
            n_newly_suppressed=added.n_suppressed, refusal=added.refusal
        )
    if fixes is Fixes.NONE:
        return text, mending
    marked = _MARK + text if decoded.had_bom else text
    fixed = _fixed(file, marked, selection, fixes, rules)
    mending = mending._replace(n_fixed=fixed.n_fixed, refusal=fixed.refusal)
    if fixes.is_written:
        if fixed.text != marked:
            inputs.write(file, encode(DecodedText(fixed.text, had_bom=False)), content)
        had_bom = decoded.had_bom and fixed.text.startswith(_MARK)
        return fixed.text[had_bom:], mending._replace(had_bom=had_bom)
    if selection.is_for_people or fixes.is_patch:
        from ptx_ls.cli import patches

        mending = mending._replace(difference=patches.patch(file.path, marked, fixed.text))
    return text, mending


def _suppressed(
    file: Input,
    content: bytes,
    reason: str,
    reported: Callable[[Document], list[Diagnostic]],
) -> Suppressing:
    """Writes comments that suppress what is reported, and returns the new text of a file."""
    from ptx_ls.cli.linting.suppress import add_suppressions

    decoded = decode(content)
    added = add_suppressions(file.path, decoded.text, reason, reported, caches())
    if added.text != decoded.text:
        inputs.write(file, encode(DecodedText(added.text, decoded.had_bom)), content)
    return added


def _reported(
    file: Input, selection: Selection, rules: RuleSettings, header: AssumedHeader | None
) -> Callable[[Document], list[Diagnostic]]:
    """Returns a function that returns the diagnostics of a document that would be reported."""
    from ptx_ls.cli.linting.baseline import compared
    from ptx_ls.cli.linting.read_file import ReadFile
    from ptx_ls.cli.targets.linting import linted

    def reported(document: Document) -> list[Diagnostic]:
        found, _ = linted(document, (), header, rules, caches())
        if file.known is not None:
            found, _ = compared(ReadFile(document), found, file.known)
        return list(filter(_is_reported(selection), found))

    return reported


def _fixed(
    file: Input,
    text: str,
    selection: Selection,
    fixes: Fixes,
    rules: RuleSettings,
) -> Fixed:
    """Returns the text of a file with fixes applied; unchanged if it is in another language."""
    from ptx_ls.lint.fixes import apply

    fixed = apply.fix(
        text,
        has_unsafe=fixes.has_unsafe,
        is_wanted=_is_reported(selection),
        settings=rules,
        caches=caches(),
    )
    reason = other_language(file.path)
    return apply.Fixed(text, 0, reason) if reason and fixed.n_fixed else fixed


def fixable(
    document: Document,
    found: list[Diagnostic],
    selection: Selection,
    rules: RuleSettings,
    *,
    had_bom: bool,
) -> tuple[int, int]:
    """Counts the shown diagnostics that `--fix` would fix, and those with unsafe fixes.

    They are not counted if no report is for people.
    """
    is_counted = selection.is_for_people and (had_bom or any(each.ready for each in found))
    if not is_counted:
        return 0, 0
    from ptx_ls.lint.fixes import apply

    if had_bom:
        from ptx_ls.document.document import Document
        from ptx_ls.lint import lint

        document = Document.read(_MARK + document.text, caches().reader)
        found = lint(document, rules, checkers=caches().checkers)
    return apply.fixable(
        document,
        found,
        is_wanted=_is_reported(selection),
        settings=rules,
        caches=caches(),
    )


def is_foreign(file: Input, document: Document) -> bool:
    """Whether a file is never fixed because it is in another language."""
    from ptx_ls.semantics.recognition import begins_as_ptx

    is_ptx = begins_as_ptx(document.lines, document.records)
    return not is_ptx or other_language(file.path) != ""


def _is_reported(selection: Selection) -> Callable[[Diagnostic], bool]:
    """Returns whether a diagnostic would be reported."""
    return lambda one: one.severity in selection.severities
