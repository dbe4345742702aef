"""Versions and targets: data and pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.changelog import Novelty, of_target, of_version
from ptx_ls.handbook.page import Block, Entry, Heading, Table
from ptx_ls.handbook.reference_body import body, data_of, page
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.handbook.wording.sentences import ended
from ptx_ls.isa import database
from ptx_ls.isa.releases import version_after
from ptx_ls.isa.version import describe_version
from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from ptx_ls.isa.devices import Limits, TargetInfo, VersionInfo


_VERSION_KEYS: Final = "release driver linux windows"
"""Keys of the JSON output, in addition to `name` and `summary`."""


_TARGET_KEYS: Final = (
    "architecture capability products family variant since until renamed removed limits"
)
"""Keys of the JSON output, in addition to `name` and `summary`."""


_BY_VARIANT: Final = {
    "a": "The code runs only on devices of this compute capability.",
    "f": "The code also runs on newer devices of the family.",
}


def version(found: VersionInfo) -> Entry:
    """Returns the entry of a PTX ISA version."""
    brought = of_version(found.name)
    targets = [name for name, each in database().targets.items() if each.since == found.number]
    summary = f"PTX ISA {found.name}, introduced by {found.release}."
    items = [
        found.summary,
        *version_sentences(found),
        f"New targets: {listed(map(code, targets), 'and')}." if targets else "",
    ]
    blocks = [*body(("Version", ""), summary, "", items), *_brought("Introduced", brought)]
    data = data_of(found, _VERSION_KEYS, targets=targets, brought=_data(brought))
    return Entry("version", found.name, summary, data, page(found.name, blocks))


def target(found: TargetInfo) -> Entry:
    """Returns the entry of a target, or of an option of `.target`."""
    brought = of_target(found.name)
    summary = f"{found.architecture} architecture." if found.architecture else found.summary
    blocks = [
        *body(("Target", ""), summary, "", target_sentences(found)),
        *_limits(found.limits),
        *_brought("Introduced", brought),
    ]
    data = data_of(found, _TARGET_KEYS, brought=_data(brought))
    return Entry("target", found.name, found.summary or summary, data, page(found.name, blocks))


def _limits(limits: Limits | None) -> list[Block]:
    if limits is None:
        return []
    rows = (
        ("registers per thread", f"{limits.registers}"),
        ("registers per multiprocessor", f"{limits.register_file:,}"),
        ("threads per block, per multiprocessor", f"{limits.threads:,}, {limits.threads_sm:,}"),
        ("blocks per multiprocessor", f"{limits.blocks_sm}"),
        ("declared shared memory per block", f"{limits.static_shared:,} bytes"),
        ("shared memory per block", f"{limits.shared:,} bytes"),
        ("shared memory per multiprocessor", f"{limits.shared_sm:,} bytes"),
        ("constant memory", f"{limits.constant:,} bytes"),
    )
    return [Heading(2, "Limits"), Table(("at most", ""), rows)]


def _data(novelties: Iterable[Novelty]) -> list[dict[str, str]]:
    return [
        {"name": each.name, "detail": each.detail, "needs": each.need.text} for each in novelties
    ]


def _brought(title: str, brought: Sequence[Novelty]) -> list[Block]:
    if not brought:
        return []
    rows = tuple((_link(each.name), each.detail, each.need.text) for each in brought)
    return [Heading(2, title), Table(("what", "form or condition", "needs"), rows)]


def _link(name: str) -> str:
    """Returns the name with a link to its page, if it is an opcode."""
    return f"[`{name}`]({name})" if name in database().opcodes else code(name)


def version_sentences(found: VersionInfo) -> list[str]:
    """Returns the sentence about the drivers that read a version, if they are known."""
    oldest = [
        f"{number} on {system}"
        for system, number in (("Linux", found.linux), ("Windows", found.windows))
        if number
    ]
    branch = f"Drivers R{found.driver} and newer accept this version." if found.driver else ""
    first = f"The first CUDA release with it came with driver {listed(oldest, 'and')}."
    return [*filter(None, (branch, first if oldest else ""))]


def target_sentences(found: TargetInfo) -> list[str]:
    """Describes compute capability, devices, family, versions."""
    products = f": {', '.join(found.products)}" if found.products else ""
    sentences = [
        ended(found.summary) if found.summary and found.architecture else "",
        f"Compute capability {found.capability}{products}." if found.capability else "",
        _BY_VARIANT.get(found.variant, ""),
        f"Family {found.family}." if found.family else "",
        f"Since PTX ISA {describe_version(found.since)}.",
        f"The name was removed in PTX ISA {describe_version(version_after(found.until))}."
        if found.until
        else "",
        f"Now called {code(found.renamed)}." if found.renamed else "",
        f"CUDA {found.removed} and newer do not compile for this target." if found.removed else "",
    ]
    return [sentence for sentence in sentences if sentence]
