"""Signature help, in the form that the client supports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.features.signature.signature_help import signature_help as find_signatures
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.source.columns import ColumnUnit, to_units

if TYPE_CHECKING:
    from ptx_ls.features.markup import Markdown
    from ptx_ls.features.signature.signature_item import Parameter, SignatureItem
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

_BLANK: Final = " "


def signature_help(
    session: Session, opened: OpenDocument, params: types.SignatureHelpParams
) -> dict[str, Any] | None:
    """Returns the signatures of the statement at a position."""
    place = from_lsp.position(opened, params.position)
    line = opened.document.lines[place.line]
    if _is_idle(params.context) and not _follows_opcode(line[: place.column]):
        return None
    found = find_signatures(Analysis(opened.document), place)
    if found is None:
        return None
    signatures = _SignatureCapabilities(session.capabilities).signatures(found.signatures)
    best = found.best
    chosen = params.context.active_signature_help if params.context is not None else None
    if chosen is not None and chosen.active_signature is not None:
        best = _kept(chosen, [each.label for each in found.signatures], best)
    return {
        "signatures": signatures,
        "activeSignature": best,
        "activeParameter": _number(found.signatures[best]),
    }


def _is_idle(context: types.SignatureHelpContext | None) -> bool:
    """Whether only a typed space triggered the request, and no help is shown."""
    return (
        context is not None
        and context.trigger_kind is types.SignatureHelpTriggerKind.TriggerCharacter
        and context.trigger_character == _BLANK
        and not context.is_retrigger
    )


def _follows_opcode(before: str) -> bool:
    """Whether the space directly follows an opcode or a directive."""
    statement = before.rstrip().rpartition(";")[2].split()
    while statement and statement[0].startswith(("@", "{")):
        del statement[0]
    return len(statement) == 1 and before.endswith(_BLANK)


def _kept(shown: types.SignatureHelp, labels: list[str], best: int) -> int:
    """Returns the index of the signature that the user has chosen, if that is still listed."""
    number = shown.active_signature or 0
    label = shown.signatures[number].label if number < len(shown.signatures) else ""
    if not number or label not in labels:
        return best
    return number if labels[number : number + 1] == [label] else labels.index(label)


def _number(signature: SignatureItem) -> int:
    """Returns the index of the active parameter; the number of parameters if none is active."""
    return signature.active if signature.active >= 0 else len(signature.parameters)


class _SignatureCapabilities:
    """Converts signatures to JSON that the client supports."""

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        def able(name: str) -> Any:  # noqa: ANN401
            base = "text_document.signature_help.signature_information"
            return get_capability(capabilities, f"{base}.{name}")

        self._offsets = able("parameter_information.label_offset_support") is True
        self._each = able("active_parameter_support") is True
        self._formats = tuple(able("documentation_format") or ())

    def signatures(self, found: tuple[SignatureItem, ...]) -> list[dict[str, Any]]:
        """Returns the signatures as JSON."""
        return [self._signature(each) for each in found]

    def _signature(self, found: SignatureItem) -> dict[str, Any]:
        parameters = [self._parameter(found.label, each) for each in found.parameters]
        result: dict[str, Any] = {"label": found.label, "parameters": parameters}
        if found.documentation:
            result["documentation"] = self._text(found.documentation)
        if self._each:
            result["activeParameter"] = _number(found)
        return result

    def _parameter(self, label: str, found: Parameter) -> dict[str, Any]:
        result: dict[str, Any] = {"label": label[found.start : found.stop]}
        if self._offsets:  # which count UTF-16 units, whatever positions count
            places = (found.start, found.stop)
            result["label"] = [to_units(label, place, ColumnUnit.UTF_16) for place in places]
        if found.documentation:
            result["documentation"] = self._text(found.documentation)
        return result

    def _text(self, text: Markdown) -> dict[str, str] | str:
        takes_markdown = types.MarkupKind.Markdown in self._formats
        return to_lsp.json_documentation(text, takes_markdown=takes_markdown)
