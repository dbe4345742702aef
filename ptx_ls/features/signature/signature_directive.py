"""Signatures of directives with arguments: `.maxntid nx{, ny{, nz}}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.signature.signature_item import Label, SignatureHelp, SignatureItem
from ptx_ls.syntax import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa.reference import Directive
    from ptx_ls.syntax.tokens import Token

_PARAMETER: Final = re.compile(r"\.?[\w|]+(?:\.\w+)?|\"[^\"]*\"")
_VALUES: Final = (tokens.NUMBER, tokens.FLOAT, tokens.STRING, tokens.WORD, tokens.REG)
_PASSED_OVER: Final = (tokens.OPERATOR, *_VALUES)
_DECLARING: Final = frozenset(
    {".entry", ".func", ".reg", ".sreg", ".param", ".const", ".global", ".local", ".shared"}
)
"""Their arguments are declarations, whose parts are no list."""


def signatures(before: Sequence[Token]) -> SignatureHelp | None:
    """The signature of the directive whose arguments are being typed; None if there is none."""
    found = _directive(before)
    if found is None:
        return None
    directive, given = found
    label = Label(f"{directive.name} ")
    for text, is_parameter in _parts(directive.arguments):
        if is_parameter:
            label.add_parameter(text, markup.NOTHING)
        else:
            label.add(text)
    label.text = label.text.rstrip("; ")
    repeats = directive.arguments.rstrip(";").endswith("}") and len(set(_names(label))) == 1
    active = 0 if repeats else _active(label, given)
    if active < 0:
        return None
    about = markup.paragraphs(markup.own(directive.summary), markup.own(directive.doc))
    signature = SignatureItem(label.text, tuple(label.parameters), active, about)
    return SignatureHelp((signature,))


def _directive(before: Sequence[Token]) -> tuple[Directive, int] | None:
    """The last directive with arguments, and how many stand before the cursor."""
    given = 0
    for token in reversed(before):
        directive = isa.database().directives.get(token.string)
        if directive is not None:
            has_arguments = bool(_PARAMETER.search(directive.arguments))
            if not has_arguments or directive.name in _DECLARING or "body" in directive.arguments:
                return None
            return directive, given
        if token.type not in _PASSED_OVER or token.string in ")}":
            return None
        given += token.type in _VALUES
    return None


def _parts(arguments: str) -> list[tuple[str, bool]]:
    """The notation cut into parameters and what is between them."""
    found, end = [], 0
    for match in _PARAMETER.finditer(arguments):
        found += [(arguments[end : match.start()], False), (match[0], True)]
        end = match.end()
    return [*found, (arguments[end:], False)]


def _names(label: Label) -> list[str]:
    return [label.text[each.start : each.stop] for each in label.parameters]


def _active(label: Label, given: int) -> int:
    return given if given < len(label.parameters) else -1
