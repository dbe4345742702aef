"""Makes docs/configuration.md and the JSON schema from the keys of a configuration file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from docs.folders import DOCS
from docs.generators.unwrapping import unwrapped
from ptx_ls.files.configuration.keys import FILE, TABLES
from ptx_ls.files.configuration.schema import schema
from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from ptx_ls.files.configuration.keys import ConfigurationTable

PAGE: Final = DOCS / "configuration.md"
SCHEMA: Final = DOCS / "ptx-ls.schema.json"
_NOTE: Final = (
    "<!-- Written by `./dev docs` from ptx_ls/files/configuration/keys.py and"
    " docs/generators/configuration.py; change it there. -->\n"
)
_TEXT: Final = """\
# Configuration

`ptx-ls lint`, `ptx-ls format` and the server read `ptx-ls.toml`, `.ptx-ls.toml`, or the table
`[tool.ptx-ls]` of `pyproject.toml`. Each PTX file uses the configuration in its own folder or in
the closest folder above. Configurations are not merged, except with `extend`. Command-line options
and editor settings override configurations.

```toml
#:schema {SITE}/ptx-ls.schema.json
exclude = ["third_party/", "*.generated.ptx"]

[lint]
ignore = ["operand-width"]
severity = { unknown-version = "error" }
fail-on = "warning"

[[overrides]]
files = ["vendor/**"]
ignore = ["all"]
extend-select = ["syntax-error", "unknown-opcode"]

[format]
indent = 2
```

In `pyproject.toml`, the tables are `[tool.ptx-ls]`, `[tool.ptx-ls.lint]` and so on.

- With `--config FILE`, all PTX files use the configuration FILE. With `--isolated`, they use none.
- An [`.editorconfig`](format.md#editorconfig) sets options that the table `[format]` leaves out.
- `--show-settings` prints the settings for the first file, and `--show-files` prints the files that
  a run would check.
- A name selects a rule, a group of rules or `all`. The name of a rule overrides the name of its
  group, which overrides `all`. If two equally specific names disagree, `ignore` overrides the other
  keys.
- A rule that is off takes no time.
- Patterns in `exclude` and `extend-exclude` are relative to the folder of the configuration file
  that is used, even if an extended file contains them. Patterns in `[[overrides]]` are relative
  to the folder of the file that contains them.
- Files that are named on the command line are always checked, unless `--force-exclude` is given.
  That option also skips folders on the command line that git ignores, and standard input if
  `--stdin-filename` is the name of an excluded file: `format` then writes the input unchanged.
- A file counts as ignored by git if `.gitignore`, `.git/info/exclude` or the file that
  `core.excludesFile` names ignores it, in the repository that contains the file. In the server,
  a `.git` file or a `core.excludesFile` in the workspace cannot refer to files outside of it.
- A mistake in a configuration ends the run with exit status 2. The message names the file and the
  line. For an unknown key, the message suggests the most similar key.

## In an editor

An open document uses the same settings as on the command line, with these exceptions.

- These editor settings override the configuration: `ptx.lint.ignore`, `ptx.lint.extendSelect`,
  `ptx.lint.severity`, and all settings in `ptx.format`. A setting with its default value counts as
  not set, because many editors send all defaults.
- Formatting ignores the tab size that an editor sends, because editors always send a tab size, even
  if the user has not set it.
- A document is checked against its own header: `target`, `isa-version`, `max-version` and `fail-on`
  apply only to the command line.
- A document that `exclude` matches has no diagnostics and is not formatted, even if it is open.
  Files that git ignores are checked only while they are open.
- A changed configuration applies at once if the editor reports file changes. Otherwise, or if the
  configuration is outside the workspace, it applies when a document is opened or saved.
- A mistake in a configuration is reported in a message, and again only after the file has changed.
  Until the mistake is corrected, the last valid settings apply; if there are none, only the
  settings of the editor apply.
- For a document without a file, only the settings of the editor apply.
- A configuration in a folder above the workspace folders is read, too. A configuration must be a
  regular file of at most 1,000,000 bytes. `extend`, and a symbolic link to a configuration, must
  lead to a file in the workspace, or in a folder of `ptx.sources.allowedFolders`. A configuration
  outside the workspace can extend files in its own folder and below.
- If the configuration cannot be read within a second, a document is checked without it. The
  document is checked again when the configuration has been read.
"""


def page() -> str:
    """Returns the page on all keys."""
    tables = "\n".join(_table(table) for table in (FILE, *TABLES))
    return f"{_NOTE}\n{unwrapped(_TEXT.replace('{SITE}', SITE))}\n{tables}"


def schema_text() -> str:
    """Returns the schema as a file."""
    return json.dumps(schema(), indent=2) + "\n"


def _table(table: ConfigurationTable) -> str:
    brackets = f"[[{table.name}]]" if table.is_repeated else f"[{table.name}]"
    title = f"## `{brackets}`\n\n{table.about}\n" if table.name else "## Keys of the file\n"
    rows = "".join(f"| `{key.name}` | {key.about} |\n" for key in table.keys)
    return f"{title}\n| key | meaning |\n| --- | --- |\n{rows}"
