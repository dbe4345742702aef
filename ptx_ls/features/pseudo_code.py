"""What an instruction computes, in its own operands: pseudo-code of the opcode made particular.

The pseudo-code of an opcode covers all of its variants. Lines and parts that only other modifiers
have are left out, and the manual's names of operands become what is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.features.describe_operands import parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.semantics.analysis import JudgedInstruction

_NAME: Final = r"\.[A-Za-z_]\w*(?:::?\w+)*(?:\.\w+)*"
_LIST: Final = rf"{_NAME}(?:,? {_NAME})*"
_LABEL: Final = re.compile(rf"(?<![\w(.:])(?:case )?(?P<names>{_LIST}):(?=\s)")
"""`.inc:` before what only that modifier does."""
_ONLY: Final = re.compile(rf"[ \t]*// (?P<names>{_LIST})(?P<ends>:?)$")
"""A comment that says nothing but which modifiers a line is for."""
_WIDE_OR_FLOAT: Final = re.compile(rf"[ \t]*// (?P<names>{_LIST}); floating point\b.*$")
_FLOATS: Final = re.compile(r"\.(?:f|bf|tf)\d+(?:x\d)?").fullmatch
_TYPES: Final = re.compile(r"\.[a-z]+\d+(?:x\d)?").fullmatch
_OWN: Final = re.compile(rf"\s*(?P<opcode>[a-z]\w*)(?P<names>{_NAME}):(?=\s)").match
"""`st.async:` before what the opcode does with just these modifiers first."""
_KIND: Final = re.compile(r"\s*(?P<name>[a-z]\w*)(?: N)?:(?=\s)").match
"""`bulk:`, a modifier without its dot."""
_ARTICLE: Final = re.compile(r"\b(?:to|with|of|for|from|until|by|is) a (?!and\b|or\b|in\b|is\b)\w")
_PAIRED: Final = re.compile(r"(?:mixed|narrowing):")
"""Labels of what needs two types."""
_WORD: Final = re.compile(r"(?:\{!\})?(?<![\w.$%'])([A-Za-z_]\w*(?:-\w+)*)(?![\w']|\.[a-z])")


def pseudo_code(judged: JudgedInstruction) -> str:
    """The pseudo-code of an instruction as it stands; of all variants if none fits it alone."""
    if judged.instruction is None:
        return ""
    general = judged.instruction.prose.semantics
    kept = "\n".join(_lines(general, judged)).strip("\n")
    return _renamed(kept or general, _operands(judged))


def _lines(text: str, judged: JudgedInstruction) -> list[str]:
    modifiers = judged.modifiers
    found: list[str] = []
    is_left_out = False
    indentation: int | None = None  # of a label whose part is left out, and what continues it
    for line in text.split("\n"):
        own = len(line) - len(line.lstrip())
        header = _ONLY.fullmatch(line)
        if header is not None and header["ends"]:
            is_left_out = not _has(header["names"], modifiers)
        elif not line.strip():
            is_left_out = False
        if is_left_out or (indentation is not None and own > indentation and line.strip()):
            continue
        is_other = _is_of_other(line, judged)
        kept = None if is_other else _line(line, modifiers)
        is_labelled = is_other or _LABEL.match(line, own) is not None
        indentation = own if kept is None and is_labelled else None
        if kept is not None:
            found.append(kept)
    return found


def _is_of_other(line: str, judged: JudgedInstruction) -> bool:
    """Whether a label of the opcode says that a line is of another variant."""
    own, modifiers = _OWN(line), judged.modifiers
    if own is not None and own["opcode"] == judged.opcode:
        parts = tuple(f".{part}" for part in own["names"][1:].split("."))
        return modifiers[: len(parts)] != parts
    kind = _KIND(line)
    if kind is None or judged.instruction is None or f".{kind['name']}" in modifiers:
        return False
    return any(f".{kind['name']}" in form.row.accepts for form in judged.instruction.forms)


def _line(line: str, modifiers: tuple[str, ...]) -> str | None:
    """A line without what is for other modifiers; None if that is all of it."""
    if _PAIRED.match(line.lstrip()) and sum(bool(_TYPES(it)) for it in modifiers) < len("ab"):
        return None
    either = _WIDE_OR_FLOAT.search(line)
    if either is not None:
        is_float = any(map(_FLOATS, modifiers))
        return line if is_float or _has(either["names"], modifiers) else None
    only = _ONLY.search(line)
    if only is not None and only.start() > 0:
        return line[: only.start()] if _has(only["names"], modifiers) else None
    code, mark, comment = line.partition("//")
    labels = list(_LABEL.finditer(code))
    if not labels:
        return line
    ends = [*(label.start() for label in labels[1:]), len(code)]
    before = line[: labels[0].start()]
    kept = [
        line[label.start() if label[0].startswith("case") else label.end() : end].strip()
        for label, end in zip(labels, ends, strict=True)
        if _has(label["names"], modifiers)
    ]
    if not kept and not before.strip():
        return None
    return before + "  ".join(kept) + (f"  {mark}{comment}" if mark else "")


def _has(names: str, modifiers: tuple[str, ...]) -> bool:
    """Whether one of the listed modifiers is there; of `.red.and` both."""
    return any(
        all(f".{part}" in modifiers for part in name.strip(",")[1:].split("."))
        for name in names.split(" ")
    )


def _operands(judged: JudgedInstruction) -> dict[str, str]:
    """What is written for each of the manual's names."""
    found: dict[str, str] = {}
    verdict = judged.verdict
    specs = verdict.operand_specs if verdict is not None else ()
    syntax = verdict.form.syntax if verdict is not None and verdict.form is not None else ""
    for operand, spec in zip(judged.operands, specs, strict=False):
        if spec is None:
            continue
        text = " ".join(operand.text.split())
        first, bar, second = text.partition("|")
        found[spec.name] = _value(first)
        other = re.search(rf"\b{re.escape(spec.name)}\{{?\|(\w+)", syntax) if bar else None
        if other is not None:
            found[other[1]] = second.strip()
        parts = parts_of(spec.row, len(operand.elements))
        for element, part in zip(operand.elements, parts, strict=False):
            found[part.name] = _value(" ".join(element.text.split()))
    return {name: value for name, value in found.items() if name and value != "_"}


def _value(text: str) -> str:
    """An operand as part of an expression: an address without brackets, a sum in parentheses."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
        return f"({text})" if re.search(r"[+\-,]", text) else text
    if text.startswith("(") and text.endswith(")"):
        return text[1:-1].strip()
    return text


def _renamed(text: str, operands: Mapping[str, str]) -> str:
    def rename(match: re.Match[str]) -> str:
        return operands.get(match[1], match[0])

    lines = []
    for line in text.split("\n"):
        code, mark, comment = line.partition("//")
        new = code if _ARTICLE.search(code) else _WORD.sub(rename, code)
        new = new.rstrip()
        gap = "  " if mark and len(new) >= len(code) else ""
        lines.append(new.ljust(len(code)) + gap + mark + comment)
    return "\n".join(line.rstrip() for line in lines)
