"""Makes docs/configuration.md and the JSON schema from the keys of a configuration file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ptx_ls.files.configuration.keys import FILE, TABLES
from ptx_ls.files.configuration.schema import schema
from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from ptx_ls.files.configuration.keys import ConfigurationTable

DOCS: Final = Path(__file__).resolve().parent
PAGE: Final = DOCS / "configuration.md"
SCHEMA: Final = DOCS / "ptx-ls.schema.json"
_NOTE: Final = (
    "<!-- Written by `./dev docs` from ptx_ls/files/configuration/keys.py and"
    " docs/generate_configuration.py; change it there. -->\n"
)
_TEXT: Final = """\
# Configuration

`ptx-ls lint`, `ptx-ls format` and the server read `ptx-ls.toml`, `.ptx-ls.toml`, or the table
`[tool.ptx-ls]` of `pyproject.toml`. Each file uses the configuration in its own folder or in the
closest folder above. Configurations are not merged, except with `extend`. Command-line options and
the settings of an editor override them.

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

- `--config FILE` uses one file for everything, `--isolated` uses none.
- An [`.editorconfig`](format.md#editorconfig) sets options that the table `[format]` leaves out.
- `--show-settings` prints the settings of the first file, and `--show-files` the files.
- A name selects a rule, a group of rules or `all`. The name of a rule overrides the name of its
  group, which overrides `all`. If both are equally specific, `ignore` overrides the others.
- A rule that is off takes no time.
- Patterns of `exclude` and `extend-exclude` are relative to the folder of the file that extends
  others, not to the folders of the files that it extends. Patterns of `[[overrides]]` are relative
  to the folder of the file that contains them.
- Files that are named on the command line are always checked, unless `--force-exclude` is given.
  That option also excludes named folders that git ignores, and standard input if
  `--stdin-filename` is the name of an excluded file: `format` then copies it unchanged.
- The files that git ignores are those in `.gitignore`, `.git/info/exclude` and the file of
  `core.excludesFile`, in the repository that contains a file. In the server, a file of the
  workspace cannot refer to one outside of it.
- A mistake in a configuration ends the run with exit status 2. The message names the file and the
  line, and suggests the most similar key.

## In an editor

An open document has the same settings as the same file on the command line.

- The settings of the editor override the configuration: `ptx.lint.ignore`,
  `ptx.lint.extendSelect`, `ptx.lint.severity`, and those of `ptx.format`. A setting with its
  default value counts as not set, because many editors send all defaults.
- Formatting does not use the tab size of the editor, because all editors send one.
- A document is checked against its own header: `target`, `isa-version`, `max-version` and `fail-on`
  apply only to the command line.
- A document that `exclude` matches has no diagnostics and is not formatted, even if it is open.
  Files that git ignores are checked only while they are open.
- A changed configuration applies at once if the editor reports changes of files. Otherwise, or if
  it is outside of the workspace, it applies when a document is opened or saved.
- If a configuration has a mistake, a message shows it once for each version of the file. Until it
  is corrected, the last valid settings apply; if there are none, the settings of the editor do.
- For a document without a file, only the settings of the editor apply.
- A configuration above the folders of the workspace is read, too. Only regular files of up to
  1,000,000 bytes are read. `extend`, and a symbolic link to a configuration, must lead to a file of
  the workspace, or of a folder in `ptx.sources.allowedFolders`. A configuration outside of the
  workspace can extend files in its own folder and below.
- If the configuration cannot be read within a second, a document is checked without it, and again
  once it has been read.
"""


def page() -> str:
    """Returns the page on all keys."""
    tables = "\n".join(_table(table) for table in (FILE, *TABLES))
    return f"{_NOTE}\n{_TEXT.replace('{SITE}', SITE)}\n{tables}"


def schema_text() -> str:
    """Returns the schema as a file."""
    return json.dumps(schema(), indent=2) + "\n"


def _table(table: ConfigurationTable) -> str:
    brackets = f"[[{table.name}]]" if table.is_repeated else f"[{table.name}]"
    title = f"## `{brackets}`\n\n{table.about}\n" if table.name else "## Keys of the file\n"
    rows = "".join(f"| `{key.name}` | {key.about} |\n" for key in table.keys)
    return f"{title}\n| key | meaning |\n| --- | --- |\n{rows}"
