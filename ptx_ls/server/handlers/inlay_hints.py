"""Inlay hints and their tooltips."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from ptx_ls.features.hints.hint import HintKind
from ptx_ls.features.hints.inlay_hints import hints
from ptx_ls.features.hints.inlay_hints import resolve as explain
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.documents import to_lsp
from ptx_ls.server.protocol.encoding import Encoded, encoded_list
from ptx_ls.server.scheduling.answers import answered

if TYPE_CHECKING:
    from ptx_ls.features.hints.hint import Hint
    from ptx_ls.server.client_state.settings import Settings
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

_KINDS: Final = {
    HintKind.REGISTER_TYPE: types.InlayHintKind.Type.value,
    HintKind.OPERAND_NAME: types.InlayHintKind.Parameter.value,
}


async def inlay_hints(
    session: Session, opened: OpenDocument, params: types.InlayHintParams
) -> Encoded:
    """Finds the hints in a range, of the kinds that the user wants."""
    first, stop = params.range.start.line, params.range.end.line + 1
    wanted = _wanted(session.settings_of(opened.uri))
    return await answered(session, opened, lambda text: _listed(text, first, stop, wanted))


def _listed(opened: OpenDocument, first: int, stop: int, wanted: list[HintKind]) -> Encoded:
    found = hints(Analysis(opened.document), first, stop, wanted)
    return encoded_list(found, partial(_converted, opened))


def resolve(_session: Session, hint: types.InlayHint) -> types.InlayHint:
    """Adds the tooltip of a hint that the user points at."""
    data = hint.data
    if isinstance(data, dict) and all(isinstance(value, str) for value in data.values()):
        text = explain(data)
        if text is not None:
            hint.tooltip = to_lsp.markdown(text)
    return hint


def _wanted(settings: Settings) -> list[HintKind]:
    switches = {
        HintKind.LITERAL: settings.literal_hints,
        HintKind.SPECIAL_REGISTER: settings.special_register_hints,
        HintKind.LOCATION: settings.location_hints,
        HintKind.REGISTER_TYPE: settings.register_type_hints,
        HintKind.OPERAND_NAME: settings.operand_name_hints,
        HintKind.LIVE_REGISTERS: settings.live_register_hints,
    }
    return [kind for kind, is_on in switches.items() if is_on]


def _converted(opened: OpenDocument, hint: Hint) -> dict[str, Any]:
    is_before = hint.kind is HintKind.OPERAND_NAME
    result: dict[str, Any] = {
        "position": to_lsp.json_position(opened, hint.position),
        "label": hint.text,
        "paddingRight" if is_before else "paddingLeft": True,
    }
    if hint.kind in _KINDS:
        result["kind"] = _KINDS[hint.kind]
    if hint.data:
        result["data"] = hint.data
    return result
