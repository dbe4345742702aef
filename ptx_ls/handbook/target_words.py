"""Versions and targets in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.handbook.phrases import code, listed
from ptx_ls.handbook.sentences import ended
from ptx_ls.isa.version import describe_version

if TYPE_CHECKING:
    from ptx_ls.isa.devices import TargetInfo, VersionInfo

_BY_VARIANT = {
    "a": "Its own features are for this architecture alone: no other device runs the code.",
    "f": "Its own features are for its family: newer devices of the family run the code.",
}


def version_sentences(found: VersionInfo) -> list[str]:
    """Names the drivers that a version needs."""
    oldest = [
        f"{number} on {system}"
        for system, number in (("Linux", found.linux), ("Windows", found.windows))
        if number
    ]
    branch = f"Drivers from R{found.driver} on read it" if found.driver else ""
    at_least = f"its release came with {listed(oldest, 'and')}" if oldest else ""
    return [f"{'; '.join(filter(None, (branch, at_least)))}."] if branch or at_least else []


def target_sentences(found: TargetInfo) -> list[str]:
    """Describes compute capability, devices, family, versions."""
    products = f": {', '.join(found.products)}" if found.products else ""
    sentences = [
        ended(found.summary) if found.summary and found.architecture else "",
        f"Compute capability {found.capability}{products}." if found.capability else "",
        _BY_VARIANT.get(found.variant, ""),
        f"Family {found.family}." if found.family else "",
        f"Since PTX ISA {describe_version(found.since)}.",
        f"The name is gone after PTX ISA {describe_version(found.until)}." if found.until else "",
        f"Now called {code(found.renamed)}." if found.renamed else "",
        f"CUDA {found.removed} and newer do not compile for it." if found.removed else "",
    ]
    return [sentence for sentence in sentences if sentence]
