"""All keys of a configuration file: the one source of its reader, its schema and its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.files.configuration.kinds import (
    Choice,
    IsaVersion,
    NonEmptyText,
    Patterns,
    Rules,
    Severities,
    Switch,
    Targets,
    WholeNumber,
)
from ptx_ls.formatting import OPTIONS
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.files.configuration.kinds import ValueKind

NEVER: Final = "never"
"""The value of `fail-on` for which no diagnostic makes a run fail."""
_SEVERITIES: Final = tuple(each.value for each in Severity)


class ConfigurationKey(NamedTuple):
    """A key: its name, the kind of its value, and its meaning as a sentence.

    `is_required`: whether each table with the key has to set it.
    """

    name: str
    kind: ValueKind
    about: str
    is_required: bool = False


class ConfigurationTable(NamedTuple):
    """A table of keys.

    Attributes:
        name: its key, "" for the whole file.
        about: its meaning as a sentence.
        keys: the keys in it.
        is_repeated: whether the file has an array of such tables.
    """

    name: str
    about: str
    keys: tuple[ConfigurationKey, ...]
    is_repeated: bool = False

    def header_in(self, around: tuple[str, ...]) -> str:
        """Returns the line above its keys, in a file that has all tables in others; "" for none.

        `around`: the names of these.
        """
        name = ".".join((*around, *filter(None, [self.name])))
        return f"[[{name}]]" if self.is_repeated else name and f"[{name}]"


FILE: Final = ConfigurationTable(
    "",
    "The file.",
    (
        ConfigurationKey(
            "extend",
            NonEmptyText(),
            "A configuration file whose keys apply unless this file sets them.",
        ),
        ConfigurationKey(
            "exclude",
            Patterns(),
            "Files and folders to skip, as `.gitignore` patterns.",
        ),
        ConfigurationKey(
            "extend-exclude", Patterns(), "More patterns to skip, in addition to `exclude`."
        ),
        ConfigurationKey(
            "respect-gitignore",
            Switch(),
            "Whether to skip files that git ignores. The default is true.",
        ),
        ConfigurationKey(
            "cache",
            Switch(),
            "Whether `lint` stores its results and reuses them in later runs. The default is true.",
        ),
    ),
)
_SELECTION: Final = (
    ConfigurationKey(
        "extend-select",
        Rules(),
        "Rules and groups to turn on, in addition to `select`.",
    ),
    ConfigurationKey(
        "ignore",
        Rules(),
        "Rules and groups to turn off. The name of a rule overrides the name of its group.",
    ),
    ConfigurationKey(
        "severity", Severities(), "A table that maps names of rules and groups to severities."
    ),
)
LINT: Final = ConfigurationTable(
    "lint",
    "How files are checked.",
    (
        ConfigurationKey(
            "select", Rules(), 'The rules and groups that are on. The default is `["all"]`.'
        ),
        *_SELECTION,
        ConfigurationKey(
            "fail-on",
            Choice((*_SEVERITIES, NEVER)),
            'The lowest severity that makes a run fail. The default is `"error"`. Only the value in'
            " the configuration of the current directory counts.",
        ),
        ConfigurationKey(
            "target",
            Targets(),
            "The targets to check files against, instead of their `.target`.",
        ),
        ConfigurationKey(
            "isa-version",
            IsaVersion(),
            "The PTX ISA version to check files against, instead of their `.version`.",
        ),
        ConfigurationKey(
            "max-version",
            IsaVersion(),
            "The newest PTX ISA version that files may use.",
        ),
    ),
)
OVERRIDES: Final = ConfigurationTable(
    "overrides",
    "Different settings for some files. Later entries override earlier ones.",
    (
        ConfigurationKey(
            "files",
            Patterns(),
            "The files, as `.gitignore` patterns relative to the folder of the configuration.",
            is_required=True,
        ),
        *_SELECTION,
    ),
    is_repeated=True,
)
FORMAT: Final = ConfigurationTable(
    "format",
    "How files are formatted.",
    tuple(
        ConfigurationKey(
            option.field.replace("_", "-"),
            Switch() if option.is_switch else WholeNumber(option.least, option.most),
            f"{option.about[0].upper()}{option.about[1:]}.",
        )
        for option in OPTIONS
    ),
)
TABLES: Final = (LINT, OVERRIDES, FORMAT)
