"""Signatures of instructions: the forms that still fit, and the operand at the cursor."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.completion.operand_fit import count_operands, operands_before
from ptx_ls.features.completion.typing_place import CLOSING_BRACKETS
from ptx_ls.features.markup import Markdown
from ptx_ls.features.signature.signature_item import Label, Parameter, SignatureHelp, SignatureItem
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.phrases import ROLE_WORDS
from ptx_ls.handbook.wording.places import accepted
from ptx_ls.isa.candidates import Candidate, candidates
from ptx_ls.isa.checking.scalar_check import spec_count
from ptx_ls.isa.notation.expression_scope import ExpressionScope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa import Instruction
    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.tokens import Token

_MAX_FORMS: Final = 8
"""Maximum number of forms that are shown."""
_IN_BRACKETS: Final = {"[": ("addr", "any"), "{": ("vec", "pack", "any"), "(": ("list", "any")}
"""The kinds of operands that may be in each kind of bracket."""


def signatures(
    analysis: Analysis, place: TypingPlace, statement: Sequence[Token]
) -> SignatureHelp | None:
    """Returns the forms of an instruction that match the tokens before the cursor."""
    opcode, modifiers = isa.split_modifiers(statement[0].string)
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return None
    given = operands_before(analysis, place, statement)
    found = candidates(instruction, modifiers, given, analysis.context)
    if not found:
        kept = _possible(instruction, modifiers, analysis.context)
        found = candidates(instruction, kept, given, analysis.context)
    where = _Where(statement)
    shown = [
        _signature(instruction, statement[0].string, candidate, where)
        for candidate in _likely(found, where)
    ]
    different = {(each.label, each.parameters): each for each in reversed(shown)}
    return SignatureHelp(tuple(reversed(different.values()))[:_MAX_FORMS]) if shown else None


def _possible(
    instruction: Instruction, modifiers: Sequence[str], context: isa.Context
) -> list[str]:
    """Omits modifiers that no form has with those before, so that there is help despite a typo.

    So there is also help for instructions of old manuals that no ptxas accepts: `sust.p.f32`.
    """
    kept: list[str] = []
    for modifier in modifiers:
        if candidates(instruction, [*kept, modifier], (), context):
            kept.append(modifier)
    return kept


def _likely(found: list[Candidate], where: _Where) -> list[Candidate]:
    """Keeps the forms that fit best: each criterion drops others, unless none would be left."""
    for fits in (
        lambda each: each.fits,
        lambda each: each.is_complete,
        lambda each: not each.requires,
        lambda each: _takes_brackets(each, where),
    ):
        found = [each for each in found if fits(each)] or found
    return found


def _takes_brackets(candidate: Candidate, where: _Where) -> bool:
    """Whether the operand at the cursor may be in the brackets around it."""
    if not where.path or where.operand >= len(candidate.rows):
        return True
    row = candidate.rows[where.operand]
    kinds = {spec.kind for spec in row.specs if "lenient" not in spec.flags}
    return bool(row.parts) or not kinds.isdisjoint(_IN_BRACKETS[where.path[0][0]])


class _Where:
    """The operand at the cursor, and the place within it."""

    def __init__(self, statement: Sequence[Token]) -> None:
        self.operand = count_operands(statement)
        self.path: list[tuple[str, int]] = []
        """The brackets around the cursor, each with the number of the element in it."""
        self.is_second = False
        """Whether the cursor is after the bar of `p|q`."""
        for token in statement[1:]:
            if token.string in CLOSING_BRACKETS:
                self.path.append((token.string, 0))
            elif token.string in CLOSING_BRACKETS.values() and self.path:
                self.path.pop()
            elif token.string == "," and self.path:
                bracket, number = self.path[-1]
                self.path[-1] = bracket, number + 1
            elif not self.path:
                self.is_second = token.string == "|"

    @property
    def element(self) -> int:
        """The number of the element in the innermost brackets; -1 outside of brackets."""
        return self.path[-1][1] if self.path else -1


def _signature(
    instruction: Instruction, written: str, candidate: Candidate, where: _Where
) -> SignatureItem:
    label, active = Label(written), -1
    docs = _documentation(instruction, candidate)
    for number, row in enumerate(candidate.rows):
        label.add(_before(row, number))
        at = len(label.parameters)
        _add(label, row, docs)
        if number == where.operand:
            active = at + _part_at(row, where)
        label.add("}" if row.optional else "")
    parameters = tuple(label.parameters)
    if 0 <= active < len(parameters):
        parameters = _with_element(parameters, active, candidate, where)
    else:
        active = -1
    return SignatureItem(label.text, parameters, active, _about(instruction, candidate))


def _before(row: OperandRow, number: int) -> str:
    separator = ", " if number else ""
    if row.optional:
        return f"{' ' if not number else ''}{{{separator}"
    return separator or " "


def _add(label: Label, row: OperandRow, docs: dict[str, Markdown]) -> None:
    """Adds an operand as parameters: its parts, or itself with a second destination."""
    if row.parts:
        opening = next((sign for sign in row.syntax if sign in CLOSING_BRACKETS), "[")
        label.add(opening)
        for number, part in enumerate(row.parts):
            label.add("{" if part.optional else "")
            label.add(", " if number else "")
            label.add_parameter(part.syntax, docs.get(part.name, markup.NOTHING))
            label.add("}" if part.optional else "")
        label.add(CLOSING_BRACKETS[opening])
        return
    if not row.pair:
        label.add_parameter(row.syntax, docs.get(row.name, markup.NOTHING))
        return
    label.add_parameter(row.name, docs.get(row.name, markup.NOTHING))
    label.add("{" if row.pair_optional else "")
    label.add("|")
    label.add_parameter(row.pair, docs.get(row.pair, markup.NOTHING))
    label.add("}" if row.pair_optional else "")


def _part_at(row: OperandRow, where: _Where) -> int:
    """Returns the number of the operand's parameter that the cursor is in."""
    if row.parts:
        return _element_at(row, where)
    return int(bool(row.pair) and where.is_second)


def _element_at(row: OperandRow, where: _Where) -> int:
    """Returns the number of the part of an address at the cursor, required parts first."""
    if len(where.path) > 1:
        vectors = [
            (part.optional, number)
            for number, part in enumerate(row.parts)
            if any(spec.kind == "vec" for spec in part.specs)
        ]
        if vectors:
            return min(vectors)[1]
    at = where.path[0][1] if where.path else 0
    required = [number for number, part in enumerate(row.parts) if not part.optional]
    return required[at] if at < len(required) else min(at, len(row.parts) - 1)


def _with_element(
    parameters: tuple[Parameter, ...], active: int, candidate: Candidate, where: _Where
) -> tuple[Parameter, ...]:
    """Adds the element of a vector at the cursor to the active parameter."""
    depth = 1 + bool(candidate.rows[where.operand].parts)
    if len(where.path) < depth or where.path[-1][0] != "{":
        return parameters
    found = parameters[active]
    text = markup.paragraphs(f"Element {where.element}.", found.documentation)
    changed = Parameter(found.start, found.stop, text)
    return (*parameters[:active], changed, *parameters[active + 1 :])


def _documentation(instruction: Instruction, candidate: Candidate) -> dict[str, Markdown]:
    """Maps the names of the operands of a form, and of their parts, to explanations."""
    return _documentation_of(
        instruction, candidate.form, candidate.typed, is_complete=candidate.is_complete
    )


@lru_cache(maxsize=256)
def _documentation_of(
    instruction: Instruction, form: isa.Form, typed: tuple[str, ...], *, is_complete: bool
) -> dict[str, Markdown]:
    scope = ExpressionScope(typed, form.types, form.row.tables)
    given = {
        slot.name: value
        for slot, value in zip(form.row.slots, typed, strict=True)
        if value or slot.optional
    }
    typed_wording, general_wording = Wording(form, given), Wording(form)
    found: dict[str, Markdown] = {}

    def describe(row: OperandRow, role: str) -> None:
        role = row.role or role
        wording = typed_wording
        if is_complete:  # a vector without elements is not an operand
            specs = [
                spec for spec in row.specs if spec.kind != "vec" or spec_count(spec, scope) > 0
            ]
            if specs:
                row = row._replace(specs=tuple(specs))
            elif row.specs:  # the modifiers do not allow the operand: say which ones would
                wording = general_wording
        found[row.name] = _described(instruction, row.name, role, accepted(row, wording))
        if row.pair:
            found[row.pair] = _described(instruction, row.pair, role, "predicate")
        for part in row.parts:
            describe(part, role)

    for row in form.operands:
        describe(row, row.role)
    return found


def _described(instruction: Instruction, name: str, role: str, kinds: str) -> Markdown:
    head = markup.joined(", ", filter(None, (markup.code(name), ROLE_WORDS.get(role, role))))
    title = markup.filled("{}: {}", head, markup.own(kinds)) if kinds else head
    return markup.paragraphs(title, markup.own(instruction.operand_doc(name)))


def _about(instruction: Instruction, candidate: Candidate) -> Markdown:
    """Explains a form, and which version or target it needs beyond the module's."""
    summary = candidate.form.summary or instruction.summary
    needs = markup.filled("Needs {}.", markup.own(candidate.requires)) if candidate.requires else ""
    return markup.paragraphs(markup.own(summary), needs)
