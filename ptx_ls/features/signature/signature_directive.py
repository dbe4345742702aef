"""Signatures of directives with arguments: `.maxntid nx{, ny{, nz}}`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.signature.signature_item import Label, SignatureHelp, SignatureItem
from ptx_ls.isa.notation.directive_arguments import argument_parts
from ptx_ls.syntax import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa.reference import Directive
    from ptx_ls.syntax.tokens import Token

_VALUES: Final = (tokens.NUMBER, tokens.FLOAT, tokens.STRING, tokens.WORD, tokens.REG)
_PASSED_OVER: Final = (tokens.OPERATOR, *_VALUES)
_DECLARING: Final = frozenset(
    {".entry", ".func", ".reg", ".sreg", ".param", ".const", ".global", ".local", ".shared"}
)
"""Directives whose arguments are declarations, not a list."""


def signatures(before: Sequence[Token]) -> SignatureHelp | None:
    """Returns the signature of the directive whose arguments are being typed, or None."""
    found = _directive(before)
    if found is None:
        return None
    directive, given = found
    label = Label(f"{directive.name} ")
    for part in argument_parts(directive.arguments):
        if part.is_argument:
            label.add_parameter(part.text, markup.NOTHING)
        else:
            label.add(part.text)
    names = {label.text[each.start : each.stop] for each in label.parameters}
    label.text = label.text.rstrip("; ")
    is_repeated = directive.arguments.rstrip(";").endswith("}") and len(names) == 1
    active = 0 if is_repeated else given
    if active >= len(label.parameters):
        return None
    about = markup.paragraphs(markup.own(directive.summary), markup.own(directive.doc))
    signature = SignatureItem(label.text, tuple(label.parameters), active, about)
    return SignatureHelp((signature,))


def _directive(before: Sequence[Token]) -> tuple[Directive, int] | None:
    """Returns the last directive with arguments, and the number of those before the cursor."""
    given = 0
    for token in reversed(before):
        directive = isa.database().directives.get(token.string)
        if directive is not None:
            has_arguments = any(it.is_argument for it in argument_parts(directive.arguments))
            if not has_arguments or directive.name in _DECLARING or "body" in directive.arguments:
                return None
            return directive, given
        if token.type not in _PASSED_OVER or token.string in ")}":
            return None
        given += token.type in _VALUES
    return None
