"""Makes the TextMate grammars of the VS Code extension, their words from the ISA data."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs.folders import ROOT
from docs.generators.vocabulary import modifiers
from ptx_ls.features.operand_traits import opcode_class
from ptx_ls.features.tokens.token_kinds import TokenTrait
from ptx_ls.isa import database

if TYPE_CHECKING:
    from collections.abc import Iterable

    Rule = dict[str, Any]

_FOLDER: Final = ROOT / "vscode-extension" / "syntaxes"
GRAMMAR: Final = _FOLDER / "ptx.tmLanguage.json"
INJECTION: Final = _FOLDER / "ptx-in-cuda.tmLanguage.json"
_NAME: Final = r"(?:[A-Za-z][\w$]*|[_$%][\w$]+)"
_NOT_IN_NAME: Final = r"(?:(?<![\w$%.])|(?<=\\[nrt]))"  # also after `\t` in a string of C
_END: Final = r"(?![\w$])"
_DOTTED_END: Final = r"(?![\w$]|::)"


def grammars() -> dict[Path, str]:
    """The text of each grammar by its path."""
    return {GRAMMAR: _text(_grammar()), INJECTION: _text(_injection())}


def _text(grammar: Rule) -> str:
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def _grammar() -> Rule:
    return {
        "information_for_contributors": ["Written by `./dev docs` from ptx_ls/isa/data."],
        "name": "PTX",
        "scopeName": "source.ptx",
        "patterns": [{"include": "#comments"}, {"include": "#strings"}, {"include": "#code"}],
        "repository": {
            "comments": {"patterns": _comments()},
            "strings": {"patterns": [_string()]},
            # Without comments and strings, which end elsewhere where PTX is within a string.
            "code": {"patterns": [{"include": f"#{name}"} for name in _code()]},
            **_code(),
        },
    }


def _injection() -> Rule:
    """PTX in the strings of `asm("...")`, which VS Code's own grammar of CUDA C++ finds."""
    escape = {"match": r"\\(?:[0-7]{1,3}|x[0-9A-Fa-f]+|.)", "name": "constant.character.escape.ptx"}
    return {
        "information_for_contributors": ["Written by `./dev docs` from ptx_ls/isa/data."],
        "name": "PTX in CUDA C++",
        "scopeName": "source.ptx.in-cuda",
        "injectionSelector": "L:source.cuda-cpp meta.embedded.assembly",
        "patterns": [
            {
                "match": r'(?<=")[=+]?&?[A-Za-z](?=")',
                "name": "storage.modifier.constraint.ptx",
            },
            {"match": r'//(?:[^"\\]|\\[^n])*', "name": "comment.line.double-slash.ptx"},
            {"match": r'/\*(?:[^"*]|\*(?!/))*(?:\*/)?', "name": "comment.block.ptx"},
            escape,
            {"match": r"%(?:\d+|\[\w+\])", "name": "variable.parameter.operand.ptx"},
            _special_registers("%%"),
            {"match": rf"%%[\w$]+{_END}", "name": "variable.other.register.ptx"},
            {"match": r"%[{}|=]", "name": "constant.character.escape.ptx"},
            {"include": "source.ptx#code"},
        ],
    }


def _comments() -> list[Rule]:
    return [
        {"match": r"//.*$", "name": "comment.line.double-slash.ptx"},
        {"begin": r"/\*", "end": r"\*/", "name": "comment.block.ptx"},
    ]


def _string() -> Rule:
    return {"begin": '"', "end": r'"|$', "name": "string.quoted.double.ptx"}


def _code() -> dict[str, Rule]:
    """The rules of what is neither comment nor string, the first that matches counts."""
    return {
        "target": _target(),
        "version": {
            "match": rf"(\.version){_END}\s*(\d+\.\d+)?",
            "captures": {
                "1": {"name": "keyword.control.directive.ptx"},
                "2": {"name": "constant.numeric.version.ptx"},
            },
        },
        "function": _function(),
        "label": {
            "match": rf"{_NOT_IN_NAME}({_NAME})\s*(:)(?!:)",
            "captures": {
                "1": {"name": "entity.name.label.ptx"},
                "2": {"name": "punctuation.separator.label.ptx"},
            },
        },
        "guard": {
            "match": rf"(@)\s*(!)?\s*({_NAME})",
            "captures": {
                "1": {"name": "keyword.operator.guard.ptx"},
                "2": {"name": "keyword.operator.guard.ptx"},
                "3": {"name": "variable.other.predicate.ptx"},
            },
        },
        "opcode": {"patterns": _opcodes()},
        "dotted": {"patterns": _dotted()},
        "special-register": _special_registers("%"),
        "register": {"match": rf"%[\w$]+{_END}", "name": "variable.other.register.ptx"},
        "predefined": {
            "match": rf"{_NOT_IN_NAME}(?:{_words(_predefined())}){_END}",
            "name": "constant.language.ptx",
        },
        "sink": {"match": rf"{_NOT_IN_NAME}_{_END}", "name": "variable.language.sink.ptx"},
        "number": {"patterns": _numbers()},
        "punctuation": {"patterns": _punctuation()},
    }


def _target() -> Rule:
    names = [
        *database().targets,
        *(f"compute_{it[3:]}" for it in database().targets if "sm_" in it),
    ]
    return {
        "begin": rf"(\.target){_END}",
        "end": r'(?=$|//|/\*|\.|")',
        "beginCaptures": {"1": {"name": "keyword.control.directive.ptx"}},
        "patterns": [
            {
                "match": rf"{_NOT_IN_NAME}(?:{_words(names)}){_END}",
                "name": "constant.language.target.ptx",
            },
            {"match": ",", "name": "punctuation.separator.comma.ptx"},
        ],
    }


def _function() -> Rule:
    """`.entry` and `.func`, up to the name if it is on the same line."""
    return {
        "match": rf"(\.entry|\.func){_END}(?:\s*(\([^()]*\)))?(?:\s*({_NAME}))?",
        "captures": {
            "1": {"name": "keyword.control.directive.ptx"},
            "2": {"patterns": [{"include": "#code"}]},
            "3": {"name": "entity.name.function.ptx"},
        },
    }


def _opcodes() -> list[Rule]:
    """One rule for the opcodes of each class, with the modifiers that follow."""
    by_class = defaultdict(list)
    for opcode in database().opcodes:
        instruction = database().instruction(opcode)
        if instruction is not None:
            by_class[opcode_class(instruction)].append(opcode)
    return [
        {
            "match": rf"{_NOT_IN_NAME}({_words(opcodes)})(?=[.\s;]|$)(\.[\w.:]*)?",
            "captures": {
                "1": {"name": _class_scope(trait)},
                "2": {"patterns": [{"include": "#dotted"}]},
            },
        }
        for trait, opcodes in sorted(by_class.items())
    ]


def _class_scope(trait: TokenTrait) -> str:
    if trait is TokenTrait.CONTROL_FLOW:
        return "keyword.control.flow.ptx"
    name = (trait.name or "opcode").lower().replace("_", "-")
    return f"keyword.other.{name}.ptx"


def _dotted() -> list[Rule]:
    """Words that begin with a dot. State spaces come first, as they may be where a directive is."""
    found = database()
    spaces = [name for it in found.state_spaces.values() for name in (it.name, *it.qualifiers)]
    directives = [it for it in found.directives if it.startswith(".") and it not in spaces]
    others = modifiers() - {*spaces, *directives, *found.types}
    scopes = {
        "support.type.ptx": found.types,
        "storage.modifier.state-space.ptx": spaces,
        "keyword.control.directive.ptx": directives,
        "support.function.modifier.ptx": [it for it in others if it[:1] == "."],
    }
    rules: list[Rule] = [
        {
            "match": rf"\.(?:{_words(name[1:] for name in names)}){_DOTTED_END}",
            "name": scope,
        }
        for scope, names in scopes.items()
    ]
    section = {"match": rf"@@DWARF{_END}", "name": "keyword.control.directive.ptx"}
    return [*rules, section]


def _special_registers(percent: str) -> Rule:
    registers = database().special_registers.values()
    plain = [it.name[1:] for it in registers if not it.count]
    numbered = [it.name[1:] for it in registers if it.count]
    names = rf"(?:{_words(plain)}|(?:{_words(numbered)})\d+)"
    return {
        "match": rf"({percent}{names}){_END}(\.[xyzwrgba]{_END})?",
        "captures": {
            "1": {"name": "variable.language.special-register.ptx"},
            "2": {"name": "variable.other.member.ptx"},
        },
    }


def _predefined() -> list[str]:
    return [it.name for it in database().predefined.values() if it.kind == "constant"]


def _numbers() -> list[Rule]:
    floats = rf"0[fF][0-9A-Fa-f]{{8}}{_END}|0[dD][0-9A-Fa-f]{{16}}{_END}"
    decimals = rf"\d+\.\d*(?:[eE][+-]?\d+)?{_END}|\d+[eE][+-]?\d+{_END}"
    integers = rf"(?:0[xX][0-9A-Fa-f]+|0[bB][01]+|\d+)U?{_END}"
    return [
        {"match": _NOT_IN_NAME + f"(?:{floats}|{decimals})", "name": "constant.numeric.float.ptx"},
        {"match": _NOT_IN_NAME + integers, "name": "constant.numeric.integer.ptx"},
    ]


def _punctuation() -> list[Rule]:
    return [
        {"match": ";", "name": "punctuation.terminator.statement.ptx"},
        {"match": ",", "name": "punctuation.separator.comma.ptx"},
        {"match": r"[{}]", "name": "punctuation.section.block.ptx"},
        {"match": r"[\[\]]", "name": "punctuation.section.brackets.ptx"},
        {"match": r"[()]", "name": "punctuation.section.parens.ptx"},
        {"match": r"<<|>>|[-+*/%&|^~!=<>?]", "name": "keyword.operator.ptx"},
    ]


def _words(names: Iterable[str]) -> str:
    """An alternative of names, longer ones before what they begin with."""
    return "|".join(re.escape(name) for name in sorted(set(names), key=lambda it: (-len(it), it)))
