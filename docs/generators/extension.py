"""Brings the manifest of the VS Code extension up to date with what the server has.

Generated are its version and addresses, the settings of the server, which of all settings name
programs and folders, and the semantic tokens; the rest of `package.json` is written by hand and
kept.
"""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any, Final

from docs.folders import ROOT
from ptx_ls import __version__
from ptx_ls.features.tokens.token_kinds import TokenTrait
from ptx_ls.files.configuration.kinds import ALL
from ptx_ls.lint import rule as registry
from ptx_ls.server.client_state.legend import OWN_TYPES, STANDARD_MODIFIERS, modifier_name
from ptx_ls.server.client_state.setting_values import OnSave, RuleSeverities
from ptx_ls.server.client_state.settings import SECTION, SETTINGS
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from ptx_ls.server.client_state.settings import Setting

    Json = dict[str, Any]

PATH: Final = ROOT / "vscode-extension" / "package.json"
_SCOPES: Final = {
    "opcode": ["keyword.other.ptx"],
    "modifier": ["support.function.modifier.ptx"],
    "type": ["support.type.ptx"],
    "stateSpace": ["storage.modifier.state-space.ptx"],
    "directive": ["keyword.control.directive.ptx"],
    "register": ["variable.other.register.ptx"],
    "register.integer": ["variable.other.register.ptx"],
    "register.float": ["constant.numeric.register.ptx"],
    "register.predicate": ["keyword.control.register.ptx"],
    "register.address": ["entity.name.type.register.ptx"],
    "specialRegister": ["variable.language.special-register.ptx"],
    "label": ["entity.name.label.ptx"],
    "kernel": ["entity.name.function.kernel.ptx"],
    "function": ["entity.name.function.ptx"],
    "opcode.controlFlow": ["keyword.control.flow.ptx"],
}
"""The colour of a token for which a theme has none: that of the grammar's name for it.

The classes of registers have names whose colours differ in the themes of VS Code. Of two entries,
the one with more modifiers wins, and of two with as many, the later one.
"""


_TITLES: Final = {"ptxas": "ptxas", "sources": "Source Files"}
"""The titles of groups of settings that are not made from the name of the group."""
_OF_VSCODE: Final = frozenset({"label"})
"""Types of our own that VS Code has by itself, for all languages."""


def manifest() -> str:
    """The text of `package.json`."""
    found = json.loads(PATH.read_text("utf-8"))
    contributes = found["contributes"]
    found["version"] = __version__
    found |= _addresses()
    contributes["configuration"] = _configuration(contributes["configuration"])
    found["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = [
        name
        for section in contributes["configuration"]
        for name, schema in section["properties"].items()
        if schema["scope"] == "machine"
    ]
    contributes["semanticTokenTypes"] = _token_types()
    contributes["semanticTokenModifiers"] = _token_modifiers()
    contributes["semanticTokenScopes"] = [{"language": "ptx", "scopes": _SCOPES}]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _addresses() -> Json:
    """Returns the addresses of the project, and those from which its page gets its pictures."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    repository = urls["Repository"]
    folder = f"blob/v{__version__}/{PATH.parent.name}"
    return {
        "homepage": urls["Documentation"],
        "repository": {"type": "git", "url": repository, "directory": PATH.parent.name},
        "bugs": {"url": urls["Issues"]},
        "vsce": {
            "baseContentUrl": f"{repository}/{folder}",
            "baseImagesUrl": f"{repository}/{folder.replace('blob', 'raw', 1)}",
        },
    }


def _configuration(sections: list[Json]) -> list[Json]:
    """The extension's own settings, which are the first section, and those of the server."""
    by_group: dict[str, Json] = {}
    for setting in SETTINGS:
        group = setting.key.partition(".")[0]
        by_group.setdefault(group, {})[f"{SECTION}.{setting.key}"] = _schema(setting)
    return [sections[0], *({"title": _title(it), "properties": by_group[it]} for it in by_group)]


def _title(group: str) -> str:
    """`Inlay Hints` for `inlayHints`."""
    if group in _TITLES:
        return _TITLES[group]
    spaced = "".join(f" {it}" if it.isupper() else it for it in group)
    return spaced[0].upper() + spaced[1:]


def _schema(setting: Setting) -> Json:
    default = setting.default
    # VS Code sends the settings of each folder of a workspace; those of a window are the same
    # in all of them.
    found: Json = {"scope": "resource", "markdownDescription": setting.about}
    if isinstance(default, frozenset):
        items = {"type": "string", "enum": _selectors()}
        return {"type": "array", "items": items, "uniqueItems": True, "default": []} | found
    if isinstance(default, RuleSeverities):
        names = {"propertyNames": {"enum": _selectors()}}
        severities = {"type": "string", "enum": [each.value for each in Severity]}
        return {
            "type": "object",
            **names,
            "additionalProperties": severities,
            "default": {},
        } | found
    if isinstance(default, OnSave):
        choices = [each.value for each in OnSave]
        return {"type": "string", "enum": choices, "default": default.value} | found
    if setting.has_folders:  # folders to be read: nothing that a workspace may say
        schema: Json = {"type": "array", "items": {"type": "string"}, "default": []}
        return schema | found | {"scope": "machine"}
    if setting.is_program:  # a program that is run: a workspace may not name it, even if trusted
        return {"type": "string", "default": default} | found | {"scope": "machine"}
    if isinstance(default, bool):
        return {"type": "boolean", "default": default} | found
    found = {"type": "integer", "default": default, "minimum": setting.least} | found
    return found if setting.most is None else found | {"maximum": setting.most}


def _selectors() -> list[str]:
    """The names that select rules. Those of rules come before `all`, as the extension expects."""
    return [
        *sorted(registry.rules()),
        ALL,
        *sorted({each.group for each in registry.rules().values()}),
    ]


def _token_types() -> list[Json]:
    own = {"modifier": "keyword", **OWN_TYPES}  # LSP has `modifier`, VS Code does not
    return [
        {"id": name, "superType": base, "description": _description(name)}
        for name, base in own.items()
        if name not in _OF_VSCODE
    ]


def _token_modifiers() -> list[Json]:
    return [
        {"id": modifier_name(trait), "description": _description(modifier_name(trait))}
        for trait in TokenTrait
        if trait not in STANDARD_MODIFIERS
    ]


def _description(name: str) -> str:
    spaced = "".join(f" {it.lower()}" if it.isupper() else it for it in name)
    return f"PTX: {spaced}"
