"""The pseudo-code of an instruction with its own operands, made from that of its opcode.

The pseudo-code of an opcode covers all of its variants; docs/isa-format.md describes how its lines
say which of them they are for. The lines for the instruction's own variant get its operands,
modifiers and guard predicate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.hover.instructions.computed import as_expression, computed
from ptx_ls.features.hover.instructions.describe_operands import parts_of
from ptx_ls.features.hover.long_operands import shortened_vector
from ptx_ls.features.hover.numbers.immediates import lanes
from ptx_ls.features.hover.numbers.literals import shortest
from ptx_ls.isa.execution.parser import PseudoCodeError
from ptx_ls.isa.execution.printer import print_statement
from ptx_ls.isa.execution.tree import Expression
from ptx_ls.isa.execution.variant import Line, Variant, lines_of, readable
from ptx_ls.semantics.constants.values import value_of
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.literals import INTEGER
from ptx_ls.syntax.names import NAME_BEGINS, OF_NAMES, shortened_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ptx_ls.isa import Prose
    from ptx_ls.semantics.analysis import JudgedInstruction

_WORD: Final = re.compile(rf"(?:\{{!\}})?{NAME_BEGINS}(?<!')([A-Za-z_]\w*(?:-\w+)*)(?![\w'])")
_ARTICLE: Final = re.compile(
    r"\b(?:to|with|of|for|from|until|by|is) a (?!(?:and|or|in|is|of|on|at|to)\b)(?=\w)"
)
"""Words before an `a` that is an article, not an operand."""
_SLOT: Final = re.compile(r"(?<![\w)\]}])\.([A-Za-z_]\w*)(?: (?=\.)|\b)")
_BITS: Final = re.compile(r"bits\([a-z]+(\d+)(?:x(\d))?\)")
_FIELD: Final = re.compile(rf"{NAME_BEGINS}(~?-?(?:{INTEGER}))\[(\d{{1,2}}):(\d{{1,2}})\]")
"""Some bits of a number: `31[12:8]`."""
_LANES: Final = re.compile(rf"\b(?:the|all) lanes of (~?-?(?:{INTEGER}))(?![\w.])( are\b)?")
_OVER_LANES: Final = re.compile(r"(?<=\(i in )(0x[0-9a-f]+|\d+)(?=: )")
"""The constant mask of lanes over which a function such as `max` combines values."""
_WAIT: Final = re.compile(r"\bwait\((0x[0-9a-f]+|\d+)\);(?: +// until these lanes are here)?")
_ENCODED: Final = re.compile(
    rf"{NAME_BEGINS}0[fF][0-9a-fA-F]{{8}}\b|{NAME_BEGINS}0[dD][0-9a-fA-F]{{16}}\b"
)
_EXCEPT: Final = re.compile(r" except the newest (\d+)\b")
_SMALL_HEXADECIMAL: Final = re.compile(r"0[xX][0-9a-fA-F]{1,4}")
_TERM: Final = rf"%?[{OF_NAMES}]+(?:\[\w+\])*"
_NO_SUM: Final = rf"(?<![%+\-{OF_NAMES}] )"
_INDENTATION: Final = "  "
OperandTexts = Mapping[str, str]
"""The text of each operand by the manual's name for it: `a` is `%r1`."""


def pseudo_code(judged: JudgedInstruction, operands: OperandTexts, variant: Variant) -> str:
    """Returns the pseudo-code of an instruction as it is written, or that of all variants.

    `operands` comes from `operand_texts`, `variant` from `variant_of`.
    """
    if judged.instruction is None:
        return ""
    prose = judged.instruction.prose
    lines = lines_of(prose.semantics, variant)
    try:
        if _is_in_words(prose, lines):
            kept = [_in_words(line, variant, operands) for line in lines]
        else:
            kept = _executable(lines, variant, _expressions(judged, operands))
    except PseudoCodeError:  # the statement fits no form
        kept = []
    kept = [line for line in kept if line.strip()]
    return _guarded(kept, judged) if kept else readable(prose.semantics)


def language(judged: JudgedInstruction, variant: Variant) -> str:
    """Returns the language by which editors colour the pseudo-code: words have no colours."""
    prose = judged.instruction.prose if judged.instruction is not None else None
    is_c = prose is None or not _is_in_words(prose, lines_of(prose.semantics, variant))
    return "c" if is_c else "text"


def _is_in_words(prose: Prose, lines: Iterable[Line]) -> bool:
    return bool(prose.not_computable) or any(line.in_words for line in lines)


def _in_words(line: Line, variant: Variant, operands: Mapping[str, str]) -> str:
    code = _particular(line.indentation + line.code, variant, operands)
    return _joined(code, _with_slots(line.comment, variant))


def _executable(
    lines: Iterable[Line], variant: Variant, operands: Mapping[str, Expression]
) -> list[str]:
    return [
        _joined(
            line.indentation + "  ".join(map(print_statement, statements)),
            _with_slots(line.comment, variant),
        )
        for line, statements in computed(lines, variant, operands)
    ]


def _expressions(judged: JudgedInstruction, operands: Mapping[str, str]) -> dict[str, Expression]:
    """Maps the manual's names of the operands to their trees."""
    types = {spec.name: spec.type for _, spec in judged.placed_operands()}
    return {
        name: as_expression(_without_selector(text), types.get(name, ""))
        for name, text in operands.items()
    }


def _without_selector(text: str) -> str:
    """Returns an operand without a selector such as `.b0` or `.h1`."""
    head, dot, selector = text.rpartition(".")
    is_selector = dot and selector[:1] in ("b", "h") and selector[1:].isdecimal()
    return head if is_selector else text


def _joined(code: str, comment: str) -> str:
    mark = f"// {comment}" if comment else ""
    return f"{code}  {mark}".rstrip() if code.strip() else f"{code}{mark}"


def _particular(code: str, variant: Variant, operands: Mapping[str, str]) -> str:
    """Returns a line with the modifiers and operands of a variant in it."""
    code = _with_slots(code, variant)
    articles = {match.end() - len("a ") for match in _ARTICLE.finditer(code)}
    code = _WORD.sub(
        lambda match: match[0] if match.start(1) in articles else _in_text(match, operands),
        code,
    )
    code = _FIELD.sub(_of_field, code).replace(" + -", " - ")
    for pattern, compute in _ARITHMETIC:
        code = pattern.sub(compute, code)
    return code


def _in_text(match: re.Match[str], operands: Mapping[str, str]) -> str:
    """Returns an operand for its name in a text; a size or a count in decimal."""
    text = operands.get(match[1], match[0])
    return str(int(text, 16)) if _SMALL_HEXADECIMAL.fullmatch(text) else text


def _except_newest(match: re.Match[str]) -> str:
    """Returns which groups a wait does not wait for: none, the newest one, or several."""
    count = int(match[1])
    return " except the newest one" if count == 1 else match[0] if count else ""


def _of_field(match: re.Match[str]) -> str:
    value, high, low = value_of(match[1]), int(match[2]), int(match[3])
    return match[0] if value is None else str(int(value) >> low & (2 << high - low) - 1)


def _of_lanes(match: re.Match[str]) -> str:
    """Returns the lanes that a constant mask names, in words."""
    value = value_of(match[1])
    if value is None:
        return match[0]
    words = lanes(int(value))
    _, colon, which = words.partition(": ")
    are = match[2] or ""
    if not colon:
        return f"{words}{are}"
    if "," in which or "-" in which:
        return f"lanes {which}{are}"
    return f"lane {which}{' is' if are else ''}"


_ARITHMETIC: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]] = (
    # The last of several, counted from a constant or a register: `%r1 + 4 - 1`.
    (
        re.compile(rf"{_NO_SUM}{NAME_BEGINS}(\d{{1,9}}) \+ (\d{{1,9}}) - 1\b"),
        lambda match: str(int(match[1]) + int(match[2]) - 1),
    ),
    (
        re.compile(r"(?<= )\((\d{1,9}) - (\d{1,9})\)"),
        lambda match: str(int(match[1]) - int(match[2])),
    ),
    (
        re.compile(rf"(?:(?<=[\w)\]] \+ )|{_NO_SUM}{NAME_BEGINS})(\d{{1,9}}) - 1\b"),
        lambda match: str(int(match[1]) - 1),
    ),
    (
        re.compile(r"\((\d{1,9}) \? ([^()?:]+) : ([^()?:]+)\)"),
        lambda match: match[2] if int(match[1]) else match[3],
    ),
    (
        re.compile(rf"\((-?1) \* ({_TERM})\)"),
        lambda match: match[2] if match[1] == "1" else f"(-{match[2]})",
    ),
    (re.compile(r"(?<== )0 \+ | \+ 0(?=;| \})"), lambda _: ""),
    (
        re.compile(r"\b(min|max)\((\d{1,9}), (\d{1,9})\)"),
        lambda match: str((min if match[1] == "min" else max)(int(match[2]), int(match[3]))),
    ),
    (_LANES, _of_lanes),
    (_EXCEPT, _except_newest),
    (
        re.compile(rf"{NAME_BEGINS}(\d{{1,9}}) & (\d{{1,9}})(?!\w)"),
        lambda match: str(int(match[1]) & int(match[2])),
    ),
)
"""Patterns of arithmetic on constants, in pseudo-code in words, with functions to compute it."""


def _with_slots(text: str, variant: Variant) -> str:
    text = _SLOT.sub(lambda match: _in_slot(match, variant), text)
    return _BITS.sub(lambda match: str(int(match[1]) * int(match[2] or 1)), text)


def _in_slot(match: re.Match[str], variant: Variant) -> str:
    value = variant.named(match[1])
    if value is None:
        value = _elsewhere(match[1], variant)
    if value is None:
        return match[0]
    blank = " " if value and match[0].endswith(" ") else ""
    return value.lstrip(".") + blank


def _elsewhere(name: str, variant: Variant) -> str | None:
    """Returns the modifier in a slot that only other forms have; None if no form has it.

    A form with a single state space has it in its name, and no slot for it.
    """
    found = isa.database().instruction(variant.form.opcode) if variant.form else None
    slots = [slot for form in found.forms for slot in form.slots] if found is not None else []
    if all(slot.name != name for slot in slots):
        return None
    values = {value for slot in slots if slot.name == name for value in slot.values}
    return next((modifier for modifier in variant.modifiers if modifier in values), "")


def _guarded(lines: list[str], judged: JudgedInstruction) -> str:
    guard = guard_of(judged.statement.text)
    if guard is None or not lines:
        return "\n".join(lines)
    head = f"if ({'!' if guard.is_negated else ''}{guard.name})"
    if len(lines) == 1:
        code, mark, comment = lines[0].partition("  //")
        has_several = ";" in code.rstrip()[:-1]
        return f"{head} {{ {code} }}{mark}{comment}" if has_several else f"{head} {lines[0]}"
    return "\n".join([f"{head} {{", *(_INDENTATION + line for line in lines), "}"])


def in_words(code: str) -> str:
    """Returns pseudo-code for readers: `wait for all 32 lanes;`, and decimals for `0f` literals."""
    code = _WAIT.sub(lambda match: f"wait for {_lanes_of(int(match[1], 0))};", code)
    code = _OVER_LANES.sub(lambda match: _lanes_of(int(match[1], 0)), code)
    return _ENCODED.sub(lambda match: shortest(match[0]), code)


def _lanes_of(mask: int) -> str:
    words, colon, which = lanes(mask).partition(": ")
    return f"lanes {which}" if colon and words != "1 lane" else f"lane {which}" if colon else words


def operand_texts(judged: JudgedInstruction) -> OperandTexts:
    """Maps the manual's names of the operands to the texts that are written."""
    found: dict[str, str] = {}
    for operand, spec in judged.placed_operands():
        first, bar, second = " ".join(operand.text.split()).partition("|")
        found[spec.name] = _value(first)
        if bar:
            found[spec.pair] = second.strip()
        parts = parts_of(spec.row, len(operand.elements))
        for element, part in zip(operand.elements, parts, strict=False):
            found[part.name] = _value(" ".join(element.text.split()))
    return {name: value for name, value in found.items() if name and value != "_"}


def _value(text: str) -> str:
    """Returns an operand as in an expression: addresses without brackets, sums with them."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
        base, _, offset = text.rpartition("+")
        text = shortened_name(base.rstrip() if offset.strip() == "0" else text)
        return f"({text})" if any(sign in text for sign in "+-,") else text
    if text.startswith("(") and text.endswith(")"):
        return text[1:-1].strip()
    if text.startswith("{"):
        return shortened_vector(text)
    return shortened_name(text)
