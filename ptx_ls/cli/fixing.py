"""The fixes of a run: which are applied or shown, and how many there are."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.cli import inputs
from ptx_ls.cli.arguments import UsageError
from ptx_ls.cli.baseline import BaselineUse, use_of
from ptx_ls.cli.process_caches import caches
from ptx_ls.files.languages import other_language
from ptx_ls.source.encoding import DecodedText, decode, encode

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from ptx_ls.cli.arguments import ArgumentParser
    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.reports.choice import Selection
    from ptx_ls.document.document import Document
    from ptx_ls.lint.fixes.apply import Fixed
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Diagnostic

_MARK: Final = "\ufeff"
"""The byte order mark, which a fix of the rule for syntax errors removes."""


class Fixes(Enum):
    """The fixes to apply, and what becomes of them."""

    NONE = auto()
    CERTAIN = auto()
    UNSAFE = auto()
    UNSAFE_SHOWN = auto()
    """Certain and unsafe fixes are shown as a patch after the reports; the file is not changed."""
    CERTAIN_PATCH = auto()
    """Certain fixes are shown as a patch, and nothing else."""
    UNSAFE_PATCH = auto()
    """Certain and unsafe fixes are shown as a patch, and nothing else."""

    @property
    def has_unsafe(self) -> bool:
        """Whether unsafe fixes are applied, too."""
        return self in (Fixes.UNSAFE, Fixes.UNSAFE_SHOWN, Fixes.UNSAFE_PATCH)

    @property
    def is_patch(self) -> bool:
        """Whether nothing but the patch is of interest."""
        return self in (Fixes.CERTAIN_PATCH, Fixes.UNSAFE_PATCH)

    @property
    def is_written(self) -> bool:
        """Whether the file is changed."""
        return self in (Fixes.CERTAIN, Fixes.UNSAFE)


class Mending(NamedTuple):
    """The decoding and fixing of a file; `had_bom` and `is_mixed` as in `DecodedText`.

    Attributes:
        difference: the fixes as a patch, if they are shown; "" otherwise.
        n_fixed: how many diagnostics were fixed.
        refusal: why the file was not changed; "" otherwise.
    """

    had_bom: bool
    is_mixed: bool
    difference: str = ""
    n_fixed: int = 0
    refusal: str = ""


def add_fix_options(parser: ArgumentParser) -> None:
    """Adds the options that apply or show fixes."""
    parser.add_argument(
        "--fix", action="store_true", help="apply the fixes whose meaning is certain"
    )
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix: also apply fixes that make a statement legal by inserting or replacing"
        " punctuation; with --diff: also show these; with neither: report, and show them as a"
        " patch",
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="show what --fix would change as a patch, write nothing, and print no report",
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
    file: Input, content: bytes, selection: Selection, fixes: Fixes, rules: RuleSettings
) -> tuple[str, Mending]:
    """Returns the text of a file, after applying fixes to its content and writing the file."""
    decoded = decode(content)
    text = decoded.text
    mending = Mending(decoded.had_bom, decoded.is_mixed)
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
