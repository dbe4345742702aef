"""The tables of the ISA database, each decoded when first used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ptx_ls.isa.certificate import Certificate
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


class IsaTables:
    """The data shared by all instructions, and types, special registers and targets."""

    def __init__(self, compiled: CompiledFile) -> None:
        self._compiled = compiled
        index = compiled.index
        self._positions: dict[str, Any] = index["instructions"]
        self._tables: dict[str, Any] = {}
        self.opcodes: frozenset[str] = frozenset(self._positions)
        """Opcodes with data."""
        self.keywords: frozenset[str] = self.opcodes.union(index["keywords"])
        """Every opcode of the ISA, with data or without."""
        self.errors: tuple[str, ...] = tuple(index["errors"])
        """Mistakes in instruction files of a source checkout; their opcodes have no data."""
        self.type_facts: Mapping[str, tuple[int, str]] = index["types"]
        """Width in bits and class of each type."""
        self.newest_version: tuple[int, int] = index["newest"]
        """The newest PTX ISA version that the data covers."""
        self.repeatable: frozenset[str] = index["repeatable"]
        """Modifiers whose repetition ptxas accepts."""
        self.ignored: frozenset[str] = index["ignored"]
        """Modifiers that ptxas accepts, without effect, where they do not belong."""
        self.ignored_types: tuple[frozenset[str], frozenset[str]] = index["ignored_types"]
        """More such modifiers: in forms that do not ignore `.pred`, and in those that do."""

    def version_in_force(self, version: tuple[int, int]) -> tuple[int, int]:
        """Returns the version that ptxas uses, which carries at ten: 8.10 is 9.0.

        Returns the version as written if that does not exist.
        """
        major, minor = version
        carried = major + minor // 10, minor % 10
        return carried if minor > 9 and carried in self.versions else version  # noqa: PLR2004

    def _table(self, name: str) -> Any:
        if name not in self._tables:
            from ptx_ls.isa.notation import reference_reader  # noqa: PLC0415  most runs do not need it

            raw = self._compiled.block(self._compiled.index["tables"][name])
            self._tables[name] = reference_reader.READERS[name](raw)
        return self._tables[name]

    @property
    def modifier_docs(self) -> Mapping[str, str]:
        """Shared texts about modifiers."""
        texts: Mapping[str, str] = self._table("modifiers")["modifiers"]
        return texts

    @property
    def operand_docs(self) -> Mapping[str, str]:
        """Shared texts about operands."""
        texts: Mapping[str, str] = self._table("modifiers")["operands"]
        return texts

    @property
    def default_docs(self) -> Mapping[str, str]:
        """Shared texts about what holds when a modifier is absent."""
        texts: Mapping[str, str] = self._table("modifiers")["defaults"]
        return texts

    @property
    def special_registers(self) -> Mapping[str, SpecialRegister]:
        """Special registers by name, `%tid`."""
        found: Mapping[str, SpecialRegister] = self._table("special_registers")
        return found

    @property
    def directives(self) -> Mapping[str, Directive]:
        """Directives by name, `.entry`."""
        found: Mapping[str, Directive] = self._table("directives")
        return found

    @property
    def pragmas(self) -> Mapping[str, Pragma]:
        """Pragma strings by their first word, `nounroll`."""
        found: Mapping[str, Pragma] = self._table("pragmas")
        return found

    @property
    def predefined(self) -> Mapping[str, PredefinedName]:
        """Names that every module has, `WARP_SZ`; special registers are separate."""
        found: Mapping[str, PredefinedName] = self._table("predefined")
        return found

    @property
    def types(self) -> Mapping[str, PtxType]:
        """Types by name, `.u32`."""
        found: Mapping[str, PtxType] = self._table("types")
        return found

    @property
    def state_spaces(self) -> Mapping[str, StateSpace]:
        """State spaces by name, `.global`."""
        found: Mapping[str, StateSpace] = self._table("state_spaces")
        return found

    @property
    def versions(self) -> Mapping[tuple[int, int], VersionInfo]:
        """PTX ISA versions by number, oldest first."""
        found: Mapping[tuple[int, int], VersionInfo] = self._table("versions")
        return found

    @property
    def targets(self) -> Mapping[str, TargetInfo]:
        """Targets by name, `sm_90a`, and target options such as `debug`."""
        found: Mapping[str, TargetInfo] = self._table("targets")
        return found

    @property
    def nvvm(self) -> IntrinsicTable:
        """The NVVM and LLVM intrinsics of instructions and special registers."""
        if "nvvm" not in self._tables:
            from ptx_ls.isa.nvvm import IntrinsicTable  # noqa: PLC0415  only hover needs it

            raw = self._compiled.block(self._compiled.index["tables"]["nvvm"])
            self._tables["nvvm"] = IntrinsicTable(raw)
        found: IntrinsicTable = self._tables["nvvm"]
        return found

    @property
    def certified(self) -> Mapping[str, Certificate]:
        """The results of the last comparison with ptxas, by opcode; empty without a record."""
        if "certified" not in self._tables:
            from ptx_ls.isa.certificate import read_certificates  # noqa: PLC0415  as above

            raw = self._compiled.block(self._compiled.index["tables"]["certified"])
            self._tables["certified"] = read_certificates(raw)
        found: Mapping[str, Certificate] = self._tables["certified"]
        return found

    @property
    def layouts(self) -> Mapping[str, Any]:
        """The entries of `data/layouts.toml`, which `ptx_ls.isa.layout` reads."""
        if "layouts" not in self._tables:
            self._tables["layouts"] = self._compiled.block(
                self._compiled.index["tables"]["layouts"]
            )
        found: Mapping[str, Any] = self._tables["layouts"]
        return found
