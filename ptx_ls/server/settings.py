"""What the user can set, and how it is read from what an editor sends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.formatting import OPTIONS, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECTION: Final = "ptx"
_STYLE: Final = Style()


class OnSave(StrEnum):
    """What ptxas does with a document that is saved."""

    OFF = "off"
    CHECK = "check"
    ASSEMBLE = "assemble"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the server; in the editor's configuration their names begin with `ptx.`.

    Attributes:
        ignored_rules: `lint.ignore`, names of rules that are not to report anything.
        diagnostics_delay: `diagnostics.delay`, milliseconds without an edit before rules run.
        diagnostics_limit: `diagnostics.limit`, the most diagnostics shown for one document.
        workspace_diagnostics: `diagnostics.workspace`, whether files that are not open are checked
            for a client that does not ask for diagnostics by itself.
        literal_hints: `inlayHints.literals`, values of `0f3F800000` and of hexadecimal numbers.
        special_register_hints: `inlayHints.specialRegisters`, `threadIdx.x` behind `%tid.x`.
        location_hints: `inlayHints.locations`, `kernel.cu:37` behind `.loc`.
        register_type_hints: `inlayHints.registerTypes`, the declared type where a register is
            first written and the opcode does not tell it.
        operand_name_hints: `inlayHints.operandNames`, the manual's names of operands.
        reference_lenses: `codeLens.references`, how often functions and labels are used.
        resource_lenses: `codeLens.resources`, what a kernel declares: registers, memory, bounds.
        name_lenses: `codeLens.demangledNames`, a function's name as its source spells it.
        requirement_lenses: `codeLens.requirements`, the version and target that a module needs.
        ptxas_on_save: `ptxas.onSave`, what ptxas does with a document that is saved: `off`, `check`
            it without making code, or `assemble` it for its target.
        ptxas_path: `ptxas.path`, the program; empty for the one that is found.
        ptxas_disassembler: `ptxas.disassembler`, nvdisasm or cuobjdump; empty likewise.
        ptxas_timeout: `ptxas.timeout`, seconds after which such a program is ended.
        format_on_save: `format.onSave`, whether the server lays a document out before it is saved.
        format_indent: `format.indent`; this and what follows is told in docs/format.md.
        format_tabs: `format.tabs`.
        format_width: `format.width`.
        format_operand_column: `format.operandColumn`.
        format_comment_column: `format.commentColumn`.
        format_blank_lines: `format.blankLines`.
    """

    ignored_rules: frozenset[str] = frozenset()
    diagnostics_delay: int = 150
    diagnostics_limit: int = 1000
    workspace_diagnostics: bool = False
    literal_hints: bool = True
    special_register_hints: bool = True
    location_hints: bool = True
    register_type_hints: bool = True
    operand_name_hints: bool = True
    reference_lenses: bool = True
    resource_lenses: bool = True
    name_lenses: bool = True
    requirement_lenses: bool = True
    ptxas_on_save: OnSave = OnSave.OFF
    ptxas_path: str = ""
    ptxas_disassembler: str = ""
    ptxas_timeout: int = 60
    format_on_save: bool = False
    format_indent: int = _STYLE.indent
    format_tabs: bool = _STYLE.tabs
    format_width: int = _STYLE.width
    format_operand_column: int = _STYLE.operand_column
    format_comment_column: int = _STYLE.comment_column
    format_blank_lines: int = _STYLE.blank_lines

    @property
    def has_hints(self) -> bool:
        """Whether any inlay hints are shown."""
        return any(getattr(self, field) for field in _HINTS)

    @property
    def has_lenses(self) -> bool:
        """Whether any code lenses are shown."""
        return any(getattr(self, field) for field in _LENSES)

    @property
    def style(self) -> Style:
        """How a document is laid out."""
        return Style(*(getattr(self, f"format_{name}") for name in Style._fields))


def read(sent: object) -> tuple[Settings, list[str]]:
    """Reads what an editor sent: `{"diagnostics": {"delay": 150}}`, alone or within `ptx`.

    What is wrong keeps its default, and the second result says so, in one sentence each.
    """
    settings, problems = Settings(), []
    if isinstance(sent, dict) and isinstance(sent.get(SECTION), dict):
        sent = sent[SECTION]
    for key, value in _flat(sent, ""):
        if key not in _SETTINGS:
            problems.append(f"there is no setting `{SECTION}.{key}`")
            continue
        field, parse = _SETTINGS[key]
        try:
            settings = replace(settings, **{field: parse(value)})
        except ValueError as error:
            problems.append(f"the setting `{SECTION}.{key}` has to be {error}")
    return settings, problems


def _flat(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key))
    elif path and value is not None:
        yield path, value


def _names(value: object) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError("a list of names of rules")
    return frozenset(value)


def _switch(value: object) -> bool:
    if value is True or value is False:
        return value
    raise ValueError("true or false")


def _on_save(value: object) -> OnSave:
    for each in OnSave:
        if value == each:
            return each
    raise ValueError(" or ".join(f"`{each}`" for each in OnSave))


def _path(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError("the path of a program")
    return value


def _number_from(least: int) -> Callable[[object], int]:
    def parse(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"a whole number, at least {least}")
        return value

    return parse


def _number_between(least: int, most: int) -> Callable[[object], int]:
    def parse(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return parse


def _format_key(field: str) -> str:
    """`format.operandColumn` for `operand_column`."""
    first, *rest = field.split("_")
    return "format." + first + "".join(map(str.capitalize, rest))


_SETTINGS: Final[dict[str, tuple[str, Callable[[object], Any]]]] = {
    "lint.ignore": ("ignored_rules", _names),
    "diagnostics.delay": ("diagnostics_delay", _number_from(0)),
    "diagnostics.limit": ("diagnostics_limit", _number_from(1)),
    "diagnostics.workspace": ("workspace_diagnostics", _switch),
    "inlayHints.literals": ("literal_hints", _switch),
    "inlayHints.specialRegisters": ("special_register_hints", _switch),
    "inlayHints.locations": ("location_hints", _switch),
    "inlayHints.registerTypes": ("register_type_hints", _switch),
    "inlayHints.operandNames": ("operand_name_hints", _switch),
    "codeLens.references": ("reference_lenses", _switch),
    "codeLens.resources": ("resource_lenses", _switch),
    "codeLens.demangledNames": ("name_lenses", _switch),
    "codeLens.requirements": ("requirement_lenses", _switch),
    "ptxas.onSave": ("ptxas_on_save", _on_save),
    "ptxas.path": ("ptxas_path", _path),
    "ptxas.disassembler": ("ptxas_disassembler", _path),
    "ptxas.timeout": ("ptxas_timeout", _number_from(1)),
    "format.onSave": ("format_on_save", _switch),
    **{
        _format_key(it.field): (
            f"format_{it.field}",
            _switch if it.is_switch else _number_between(it.least, it.most),
        )
        for it in OPTIONS
    },
}

_HINTS: Final = [field for key, (field, _) in _SETTINGS.items() if key.startswith("inlayHints.")]
_LENSES: Final = [field for key, (field, _) in _SETTINGS.items() if key.startswith("codeLens.")]
