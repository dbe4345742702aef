"""The tables of the ISA database, each decoded when first used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from ptx_ls.isa.certificate import Certificate
    from ptx_ls.isa.chapters import Chapter
    from ptx_ls.isa.devices import TargetInfo, VersionInfo
    from ptx_ls.isa.load import CompiledFile
    from ptx_ls.isa.nvvm import IntrinsicTable
    from ptx_ls.isa.reference import (
        Directive,
        Pragma,
        PredefinedName,
        PtxType,
        SpecialRegister,
        StateSpace,
    )

Value = TypeVar("Value")


class _Table(Generic[Value]):
    """A descriptor that decodes a table on first use, and is then replaced by the table."""

    def __init__(self, file: str = "") -> None:
        """`file`: the name of the data file, if that is not the name of the attribute."""
        self._file = file

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, tables: IsaTables, _owner: type) -> Value:
        from ptx_ls.isa.notation import reference_reader  # noqa: PLC0415  most runs do not need it

        file = self._file or self._name
        found: Value = reference_reader.READERS[file](tables.stored(file))
        tables.__dict__[self._name] = found  # from now on, this hides the descriptor
        return found


class IsaTables:
    """The data that all instructions share, and types, special registers and targets."""

    def __init__(self, compiled: CompiledFile) -> None:
        self._compiled = compiled
        index = compiled.index
        self._positions: dict[str, Any] = index["instructions"]
        self.opcodes: frozenset[str] = frozenset(self._positions)
        """The opcodes that have data."""
        self.keywords: frozenset[str] = self.opcodes.union(index["keywords"])
        """Every opcode of the ISA, with data or without."""
        self.errors: tuple[str, ...] = tuple(index["errors"])
        """Errors in the instruction files of a source checkout, whose opcodes have no data."""
        self.type_facts: Mapping[str, tuple[int, str]] = index["types"]
        """The width in bits and the class of each type."""
        self.newest_version: tuple[int, int] = index["newest"]
        """The newest PTX ISA version that the data covers."""
        self.repeatable: frozenset[str] = index["repeatable"]
        """Modifiers whose repetition ptxas accepts."""
        self.ignored: frozenset[str] = index["ignored"]
        """Modifiers that ptxas accepts and ignores in forms that do not have them."""
        self.ignored_types: tuple[frozenset[str], frozenset[str]] = index["ignored_types"]
        """Further such modifiers: for forms that do not ignore `.pred`, and for those that do."""

    def stored(self, table: str) -> Any:
        """Decodes a table of the database: the content of its data file."""
        return self._compiled.block(self._compiled.index["tables"][table])

    def version_in_force(self, version: tuple[int, int]) -> tuple[int, int]:
        """Returns the version that ptxas assumes: 9.0 for 8.10.

        Returns the version as written if the assumed one does not exist.
        """
        major, minor = version
        carried = major + minor // 10, minor % 10
        return carried if minor > 9 and carried in self.versions else version  # noqa: PLR2004

    modifier_texts: _Table[Mapping[str, Mapping[str, str]]] = _Table("modifiers")
    """Shared texts about `modifiers`, `operands` and the absence of modifiers (`defaults`)."""
    special_registers: _Table[Mapping[str, SpecialRegister]] = _Table()
    """Special registers by name, `%tid`."""
    directives: _Table[Mapping[str, Directive]] = _Table()
    """Directives by name, `.entry`."""
    pragmas: _Table[Mapping[str, Pragma]] = _Table()
    """Pragma strings by their first word, `nounroll`."""
    predefined: _Table[Mapping[str, PredefinedName]] = _Table()
    """Names that every module has, `WARP_SZ`; special registers are separate."""
    types: _Table[Mapping[str, PtxType]] = _Table()
    """Types by name, `.u32`."""
    state_spaces: _Table[Mapping[str, StateSpace]] = _Table()
    """State spaces by name, `.global`."""
    versions: _Table[Mapping[tuple[int, int], VersionInfo]] = _Table()
    """PTX ISA versions by number, oldest first."""
    targets: _Table[Mapping[str, TargetInfo]] = _Table()
    """Targets by name, `sm_90a`, and target options such as `debug`."""
    texture_fields: _Table[Mapping[str, Any]] = _Table()
    """The fields of textures, samplers and surfaces, and the named values."""
    nvvm: _Table[IntrinsicTable] = _Table()
    """The NVVM and LLVM intrinsics of instructions and special registers."""
    certified: _Table[Mapping[str, Certificate]] = _Table()
    """The results of the last comparison with ptxas, by opcode; empty if none are recorded."""
    chapters: _Table[Mapping[str, Chapter]] = _Table()
    """Chapters of the manual by name, `memory-model`."""
    layouts: _Table[Mapping[str, Any]] = _Table()
    """The entries of `data/layouts.toml`, which `ptx_ls.isa.matrices.layout` reads."""
