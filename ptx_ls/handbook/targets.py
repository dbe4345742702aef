"""Versions and targets: facts and pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.handbook.entry import Entry
from ptx_ls.handbook.novelties import Novelty, of_target, of_version
from ptx_ls.handbook.page import Block, Heading, Table
from ptx_ls.handbook.reference_body import body, page
from ptx_ls.handbook.wording import code, listed
from ptx_ls.isa import database
from ptx_ls.isa.version import describe_version

if TYPE_CHECKING:
    from ptx_ls.isa.database import Database
    from ptx_ls.isa.reference import TargetInfo, VersionInfo


@dataclass(frozen=True, slots=True)
class NoveltyFacts:
    """Something that is had from a version or a target on."""

    name: str
    detail: str
    """Which part of it, in words; "" for all of it."""
    needs: str


@dataclass(frozen=True, slots=True)
class VersionFacts:
    """A PTX ISA version."""

    name: str
    release: str
    targets: tuple[str, ...]
    """The targets that it brought."""
    brought: tuple[NoveltyFacts, ...]


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """A target or an option of `.target`."""

    name: str
    summary: str
    architecture: str
    since: str
    removed: str
    renamed: str
    brought: tuple[NoveltyFacts, ...]
    """What needs this target, or it and newer ones."""


def version(data: Database, found: VersionInfo) -> Entry:
    """A PTX ISA version."""
    targets = tuple(name for name, target in data.targets.items() if target.since == found.number)
    brought = _facts(of_version(found.name))
    facts = VersionFacts(found.name, found.release, targets, brought)
    summary = f"PTX ISA {found.name}, brought by {found.release}."
    items = [f"New targets: {listed(map(code, targets), 'and')}."] if targets else []
    blocks = [*body("Version", summary, "", items), *_brought("What it brought", brought)]
    return Entry("version", found.name, summary, facts, page(found.name, blocks))


def target(found: TargetInfo) -> Entry:
    """A target, or an option of `.target`."""
    brought = _facts(of_target(found.name))
    facts = TargetFacts(
        found.name,
        found.summary,
        found.architecture,
        describe_version(found.since),
        describe_version(found.until) if found.until else "",
        found.renamed,
        brought,
    )
    summary = found.summary or f"{found.architecture} architecture.".lstrip()
    items = [
        f"Since PTX ISA {facts.since}.",
        f"Gone from PTX ISA {facts.removed} on." if facts.removed else "",
        f"Later called {code(facts.renamed)}." if facts.renamed else "",
    ]
    blocks = [*body("Target", summary, "", items), *_brought("What begins with it", brought)]
    return Entry("target", found.name, summary, facts, page(found.name, blocks))


def _facts(novelties: Iterable[Novelty]) -> tuple[NoveltyFacts, ...]:
    return tuple(NoveltyFacts(each.name, each.detail, each.need.text) for each in novelties)


def _brought(title: str, brought: Sequence[NoveltyFacts]) -> list[Block]:
    if not brought:
        return []
    rows = tuple((_link(each.name), each.detail, each.needs) for each in brought)
    return [Heading(2, title), Table(("what", "which part", "needs"), rows)]


def _link(name: str) -> str:
    """The name with a link to its page, if it is an opcode."""
    return (
        f"[`{name}`]({name})" if name.isidentifier() and name in database().opcodes else code(name)
    )
