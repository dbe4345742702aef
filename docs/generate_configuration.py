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
`[tool.ptx-ls]` of `pyproject.toml`. Each file gets the nearest one: in its folder or the closest
folder above. Configurations are not merged, except with `extend`. Options of the command line win,
and so do the settings of an editor.

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
- An [`.editorconfig`](format.md#editorconfig) sets what the table `[format]` does not.
- `--show-settings` prints the settings of the first file, and `--show-files` the files.
- A name selects a rule, a group of rules or `all`. The name of a rule wins over that of its group,
  and that over `all`. Where both are equally specific, `ignore` wins.
- The checks of rules that are off do not run.
- Patterns of `exclude` and `extend-exclude` start from the folder of the file that extends others,
  not from those of the files that it extends. Patterns of `[[overrides]]` start from the folder of
  the file that has them.
- Files that are named on the command line are never left out, except with `--force-exclude`. That
  also leaves out named folders that git ignores, and standard input whose
  `--stdin-filename` is excluded: `format` then copies it unchanged.
- As in git, each `.gitignore`, `.git/info/exclude` and the file of `core.excludesFile` count, but
  only those of the repository that contains the checked file. In the server, a file of the
  workspace cannot lead to one outside of it.
- A mistake in a configuration ends the run with exit status 2, and names the file, the line and the
  nearest key.

## In an editor

An open document has the same settings as the same file on the command line.

- The settings of the editor win: `ptx.lint.ignore`, `ptx.lint.extendSelect`, `ptx.lint.severity`,
  and those of `ptx.format`. A setting that has its default value counts as not set, because many
  editors send all defaults.
- Formatting does not use the tab size of the editor, because all editors send one.
- A document is checked against its own header: `target`, `isa-version`, `max-version` and `fail-on`
  are for the command line.
- A document that `exclude` matches has no diagnostics and is not formatted, even if it is open.
  Files that git ignores are checked only while they are open.
- A changed configuration applies at once if the editor reports changes of files. Otherwise, and if
  it is outside of the workspace, it applies when a document is opened or saved.
- If a configuration has a mistake, a message shows it once for each version of the file. The last
  valid settings apply until it is corrected; if there are none, those of the editor do.
- Documents without a file have only the settings of the editor.
- A configuration above the folders of the workspace is read, too. Only regular files of up to
  1,000,000 bytes are read. `extend`, and a link with the name of a configuration, must lead to a
  file of the workspace, or of a folder in `ptx.sources.allowedFolders`. A configuration that is not
  in the workspace can extend files in its own folder and below.
- A document is checked without its configuration if the disk has not answered after a second, and
  again once it has.
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
