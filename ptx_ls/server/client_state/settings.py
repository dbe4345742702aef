"""The settings of the user, read from the JSON that an editor sends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls.formatting import OPTIONS, FormatStyle
from ptx_ls.server.client_state.setting_values import (
    OnSave,
    RuleSeverities,
    bounded_number,
    folders,
    names,
    on_save,
    program_path,
    severities,
    switch,
)
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTION: Final = "ptx"
_STYLE: Final = FormatStyle()
_RESTRICTED: Final = "restricted"
_OF_THE_EDITOR: Final = ("server.", "trace.")
"""Prefixes of settings of the editor extension, which are sent in the same section."""


class Setting(NamedTuple):
    """A setting: its name in an editor after `ptx.`, the field of `Settings`, and its meaning.

    The type of the default in `Settings` determines the valid values: a boolean, a number, a
    choice, the path of a program, names of rules, their severities, or paths of folders. `least`
    and `most` are the bounds of a number.
    """

    key: str
    field: str
    about: str
    least: int = 0
    most: int | None = None

    @property
    def default(self) -> object:
        """The value if the user does not set it."""
        return getattr(Settings(), self.field)

    @property
    def is_program(self) -> bool:
        """Whether it is the path of a program to start."""
        return isinstance(self.default, str) and not isinstance(self.default, OnSave)

    @property
    def has_folders(self) -> bool:
        """Whether it is a list of folders."""
        return isinstance(self.default, tuple) and not isinstance(self.default, RuleSeverities)

    @property
    def reaches_out(self) -> bool:
        """Whether it makes the server start a program or read files outside the workspace."""
        return self.is_program or self.has_folders

    def parse(self, value: object) -> object:
        """Returns the value for `Settings`.

        Raises:
            ValueError: if the value is invalid; its message says what is expected.
        """
        default = self.default
        if isinstance(default, RuleSeverities):
            return severities(value)
        if self.has_folders:
            return folders(value)
        if isinstance(default, frozenset):
            return names(value)
        if isinstance(default, OnSave):
            return on_save(value)
        if isinstance(default, str):
            return program_path(value)
        if isinstance(default, bool):
            return switch(value)
        return bounded_number(value, self.least, self.most)


class Settings(NamedTuple):
    """The settings of the server; `SETTINGS` has the meaning and the name of each."""

    ignored_rules: frozenset[str] = frozenset()
    selected_rules: frozenset[str] = frozenset()
    rule_severities: RuleSeverities = RuleSeverities()
    diagnostics_delay: int = 150
    diagnostics_limit: int = 1000
    workspace_diagnostics: bool = False
    literal_hints: bool = True
    special_register_hints: bool = True
    location_hints: bool = True
    register_type_hints: bool = False
    operand_name_hints: bool = False
    live_register_hints: bool = False
    reference_lenses: bool = True
    resource_lenses: bool = True
    name_lenses: bool = True
    requirement_lenses: bool = True
    ptxas_on_save: OnSave = OnSave.OFF
    ptxas_path: str = ""
    ptxas_disassembler: str = ""
    ptxas_timeout: int = 60
    source_folders: tuple[str, ...] = ()
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
    def style(self) -> FormatStyle:
        """The style for formatting a document."""
        return FormatStyle(*(getattr(self, f"format_{name}") for name in FormatStyle._fields))


def split(options: object) -> tuple[bool, object]:
    """Splits `initializationOptions`: whether the user does not trust the workspace, and settings.

    The former is not a setting, because a workspace could change that.
    """
    if not isinstance(options, dict) or _RESTRICTED not in options:
        return False, options
    rest = {key: value for key, value in options.items() if key != _RESTRICTED}
    return options[_RESTRICTED] not in (None, False), rest or None


def read(sent: object, *, reaches_out: bool = True) -> tuple[Settings, list[str]]:
    """Reads settings that an editor sent: `{"diagnostics": {"delay": 150}}`, perhaps within `ptx`.

    Returns the settings, and a message for each invalid value, for which the default is used.
    A setting that starts a program or reads other folders is invalid unless `reaches_out`.
    """
    settings, problems = Settings(), []
    if isinstance(sent, dict) and isinstance(sent.get(SECTION), dict):
        sent = sent[SECTION]
    for key, value in _flat(sent, ""):
        if key.startswith(_OF_THE_EDITOR):
            continue
        if key not in _BY_KEY:
            problems.append(f"unknown setting `{SECTION}.{key}`")
            continue
        setting = _BY_KEY[key]
        if setting.reaches_out and not reaches_out:
            if value not in ("", []):  # editors also send defaults
                problems.append(f"the setting `{SECTION}.{key}` cannot be set over a network")
            continue
        try:
            changed: dict[str, Any] = {setting.field: setting.parse(value)}
            settings = settings._replace(**changed)
        except ValueError as error:
            problems.append(f"the setting `{SECTION}.{key}` must be {error}")
    return settings, problems


def _flat(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict) and path not in _TABLES:
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key))
    elif path and value is not None:
        yield path, value


def _format_key(field: str) -> str:
    """Returns `format.operandColumn` for `operand_column`."""
    first, *rest = field.split("_")
    return "format." + first + "".join(map(str.capitalize, rest))


def _sentence(about: str) -> str:
    """Returns the meaning of a format option as a sentence."""
    return f"{about[0].upper()}{about[1:]}."


SETTINGS: Final = (
    Setting("lint.ignore", "ignored_rules", "Rules and rule groups to turn off."),
    Setting(
        "lint.extendSelect",
        "selected_rules",
        "Rules and rule groups to turn on, even if the project configuration turns them off.",
    ),
    Setting("lint.severity", "rule_severities", "The severities of rules and rule groups."),
    Setting(
        "diagnostics.delay",
        "diagnostics_delay",
        "Milliseconds to wait after an edit before functions that were not edited are checked.",
    ),
    Setting(
        "diagnostics.limit",
        "diagnostics_limit",
        "Maximum number of diagnostics to show for a document. If there are more, only the most "
        "severe are shown.",
        least=1,
    ),
    Setting(
        "diagnostics.workspace",
        "workspace_diagnostics",
        "Check all PTX files in the workspace, even those that are not open.",
    ),
    Setting(
        "inlayHints.literals",
        "literal_hints",
        "Show the value of hexadecimal literals, such as `1.0` after `0f3F800000`.",
    ),
    Setting(
        "inlayHints.specialRegisters",
        "special_register_hints",
        "Show the CUDA C++ names of special registers, such as `threadIdx.x` after `%tid.x`.",
    ),
    Setting(
        "inlayHints.locations",
        "location_hints",
        "Show the source file and line of a `.loc`, such as `kernel.cu:37`, unless the previous "
        "`.loc`, or another `.loc` a few lines above, refers to the same file.",
    ),
    Setting(
        "inlayHints.registerTypes",
        "register_type_hints",
        "Show the type of a register where it is first written, unless its name or the opcode "
        "shows the type.",
    ),
    Setting(
        "inlayHints.operandNames",
        "operand_name_hints",
        "Show the manual's name of an operand, such as `membermask:`, before the operand.",
    ),
    Setting(
        "inlayHints.liveRegisters",
        "live_register_hints",
        "Show how many 32-bit registers are live after each instruction.",
    ),
    Setting(
        "codeLens.references",
        "reference_lenses",
        "Show the number of references to a function, and the number of branches to a label where "
        "a loop begins or paths join.",
    ),
    Setting(
        "codeLens.resources",
        "resource_lenses",
        "Show the registers, memory and launch bounds of a kernel above the kernel.",
    ),
    Setting(
        "codeLens.demangledNames",
        "name_lenses",
        "Show the demangled name of a function above the function.",
    ),
    Setting(
        "codeLens.requirements",
        "requirement_lenses",
        "Show the version and target that a module needs above its `.version` directive.",
    ),
    Setting(
        "ptxas.onSave",
        "ptxas_on_save",
        "When a document is saved, do not run ptxas (`off`), run it without generating code "
        "(`check`), or generate code for the target of the module (`assemble`).",
    ),
    Setting("ptxas.path", "ptxas_path", "Path to ptxas. If empty, the server searches for ptxas."),
    Setting(
        "ptxas.disassembler",
        "ptxas_disassembler",
        "Path to nvdisasm or cuobjdump. If empty, the server searches for these programs.",
    ),
    Setting(
        "ptxas.timeout",
        "ptxas_timeout",
        "Time in seconds after which the server stops ptxas or the disassembler.",
        least=1,
    ),
    Setting(
        "sources.allowedFolders",
        "source_folders",
        "Absolute paths of folders outside the workspace. In these folders, the server may read "
        "source files that PTX names, for example in `.file`, and configurations that the "
        "configurations in the workspace extend.",
    ),
    Setting(
        "format.onSave",
        "format_on_save",
        "Format a document before it is saved, even if the editor does not format on save.",
    ),
    *(
        Setting(_format_key(it.field), f"format_{it.field}", _sentence(it.about), it.least, it.most)
        for it in OPTIONS
    ),
)
"""All settings of the server, from which the editors' descriptions and schemas are generated."""

_BY_KEY: Final = {it.key: it for it in SETTINGS}
_TABLES: Final = {it.key for it in SETTINGS if isinstance(it.default, RuleSeverities)}
_HINTS: Final = [it.field for it in SETTINGS if it.key.startswith("inlayHints.")]
_LENSES: Final = [it.field for it in SETTINGS if it.key.startswith("codeLens.")]
