"""A rule reports the same whatever other rules are on, though fewer checks run.

`unused-suppression` is an exception: a comment for a rule that is off is not unused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from benchmarks.accuracy.bases import bases
from benchmarks.accuracy.run import CORPUS
from benchmarks.accuracy.sample import read
from ptx_ls.document.document import Document
from ptx_ls.lint import checks
from ptx_ls.lint.check_input import CheckInput, RegisteredCheck, trigger_name
from ptx_ls.lint.checks import COMPUTATION_GROUPS, checks_on
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.lint.session import lint
from ptx_ls.lint.shared_checks import SHARED_CHECKS
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.source import Severity
from tests.lint.test_one_mistake import MISTAKES, MODULE
from tests.lint.test_rules import CODE
from tests.support.lint import example_module

RULES = frozenset(rules())
OF_COMPUTATION = frozenset(it for it, rule in rules().items() if rule.group in COMPUTATION_GROUPS)
INSIDE = """\
.version 8.0
.target sm_90
.address_size 64
.visible .entry a()
{
ret;
.visible .entry b()
{
ret;
}
mov.u32 %q, 1;
"""
"""The first function is never closed, so the last line may be in it."""
SAMPLE = 48
"""One of this many mutants, and of files that ptxas rejects, is linted."""


@cache
def reported(document: Document, on: frozenset[str]) -> list[tuple[str, object]]:
    """The findings with these rules on; fixes are not compared, because their mismatches are."""
    found = lint(document, RuleSettings(RULES - on))
    return [
        (one.rule, (one.range, one.severity, one.message, one.related, one.singles))
        for one in found
        if one.rule != "unused-suppression"
    ]


def check_alone(document: Document, groups: Iterable[frozenset[str]]) -> None:
    """Fails unless each group of rules reports the same alone as with all others.

    Rules about what a function computes are left out if there are errors, which they wait for.
    """
    left_out = OF_COMPUTATION if Severity.ERROR in severities(document) else frozenset()
    for group in groups:
        names = group - left_out
        beside_others = [it for it in reported(document, RULES) if it[0] in names]
        assert reported(document, names) == beside_others, names


@cache
def severities(document: Document) -> frozenset[Severity]:
    """The severities of everything that all rules report."""
    return frozenset(each.severity for each in lint(document))


@cache
def examples() -> tuple[Document, ...]:
    """The bad examples of all rules."""
    found = [CODE.findall(rule.doc)[0] for rule in rules().values()]
    return tuple(Document.read(example_module(it)) for it in found)


@cache
def groups() -> tuple[frozenset[str], ...]:
    """Rules for which the same shared checks run."""
    found: dict[frozenset[RegisteredCheck], set[str]] = {}
    for name in RULES:
        needed = frozenset(checks_on(RULES - {name})) & frozenset(SHARED_CHECKS)
        found.setdefault(needed, set()).add(name)
    return tuple(map(frozenset, found.values()))


def rejected() -> Iterator[Document]:
    """Some of the modules that ptxas rejects."""
    for path in sorted(CORPUS.glob("rejected/*.ptx"))[::SAMPLE]:
        yield Document.read(path.read_bytes().decode())


def mutated() -> Iterator[Document]:
    """Some of the real modules with a mistake."""
    paths = [path for path in CORPUS.glob("*/*.ptx") if path.parent.name != "rejected"]
    sources = {it.name: it.text for it in bases(sorted(paths))}
    for it in list(read(CORPUS / "mutants.tsv"))[::SAMPLE]:
        text = sources[it.base]
        end = it.offset + len(it.before)
        yield Document.read(text[: it.offset] + it.after + text[end:])


def with_consequences() -> Iterator[Document]:
    """A module with a mistake from which more would follow, one for each mistake."""
    for before, after, _ in MISTAKES.values():
        yield Document.read(MODULE.replace(before, after, 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RULES))
def test_each_rule_alone(name: str) -> None:
    for document in examples():
        check_alone(document, [frozenset({name})])


@pytest.mark.slow
def test_rules_of_the_same_checks_alone() -> None:
    for document in (*with_consequences(), *rejected(), *mutated()):
        check_alone(document, groups())


@pytest.mark.parametrize("more", ["", ".tex .u32 old;\n"])
def test_a_lone_mismatch_may_follow_from_the_function_before(more: str) -> None:
    document = Document.read(INSIDE + more)
    check_alone(document, groups())
    assert "misplaced-instruction" not in {name for name, _ in reported(document, RULES)}


def test_checks_find_what_they_are_listed_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def checked(check: RegisteredCheck) -> RegisteredCheck:
        def run(seen: CheckInput) -> Iterable[Mismatch]:
            for one in check.run(seen):
                trigger = one.violation.kind if isinstance(one, Unavailable) else type(one)
                assert trigger_name(trigger) in check.finds
                yield one

        return check._replace(run=run)

    monkeypatch.setattr(checks, "SHARED_CHECKS", tuple(map(checked, SHARED_CHECKS)))
    checks_on.cache_clear()
    try:
        for document in (*examples(), *rejected()):
            lint(document)
    finally:
        checks_on.cache_clear()
