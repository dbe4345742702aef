"""Versions of PTX, and targets with the limits of their devices, as named tuples."""

from __future__ import annotations

from ptx_ls.source.named_tuple import NamedTuple


class VersionInfo(NamedTuple):
    """A PTX ISA version, and the CUDA release and drivers that introduced it."""

    name: str
    number: tuple[int, int]
    release: str
    """The name of the release: `CUDA 12.5`."""
    driver: str = ""
    """The first driver branch that supports it: `555`."""
    linux: str = ""
    """The oldest driver for Linux that the release came with; "" when unknown."""
    windows: str = ""
    """The same for Windows; "" when unknown, and since CUDA 13, which comes without a driver."""
    summary: str = ""
    """The changes that it introduced."""


class Limits(NamedTuple):
    """The limits of a device. Source: CUDA C++ Programming Guide, "Compute Capabilities"."""

    registers: int
    """Maximum number of 32-bit registers per thread."""
    register_file: int
    """Number of 32-bit registers per multiprocessor."""
    threads: int
    """Maximum number of threads per block."""
    threads_sm: int
    """Maximum number of threads per multiprocessor."""
    blocks_sm: int
    """Maximum number of blocks per multiprocessor."""
    static_shared: int
    """Bytes of shared memory that a block may declare."""
    shared: int
    """Bytes of shared memory that a block may request at launch."""
    shared_sm: int
    """Bytes of shared memory per multiprocessor."""
    constant: int
    """Bytes of constant memory."""


class TargetInfo(NamedTuple):
    """A name that may follow `.target`; `architecture` is "" for an option."""

    name: str
    since: tuple[int, int]
    architecture: str = ""
    renamed: str = ""
    """The newer name, or ""."""
    until: tuple[int, int] | None = None
    """The last version that has the name."""
    summary: str = ""
    capability: str = ""
    """The compute capability of its devices, `9.0`."""
    products: tuple[str, ...] = ()
    """The names of some devices."""
    family: str = ""
    """The family of `f` and `a` targets, `10x`."""
    removed: str = ""
    """The first CUDA release that no longer compiles for it, `13.0`."""
    limits: Limits | None = None
    """The limits of its devices; None if they are not published."""

    @property
    def variant(self) -> str:
        """`a` if it has features of one architecture, `f` if of a family, else ""."""
        suffix = self.name[-1:]
        return suffix if self.architecture and suffix in ("a", "f") else ""
