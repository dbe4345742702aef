"""The methods of LSP that the server handles, and their handlers.

Importing this imports nothing that can read PTX: a handler is imported when it is first called.
"""

from __future__ import annotations

from typing import Final

from lsprotocol import types

from ptx_ls.source.named_tuple import NamedTuple


class Feature(NamedTuple):
    """A method of LSP and its handler.

    `handler` names a module of `ptx_ls.server.handlers` and a function in it that takes the
    session, the open document if the parameters name one, and the parameters. A request about
    a document that is not open is answered with null. `is_async`: whether the handler is a
    coroutine function, for work that may take long; see `background.run`. Other handlers may
    return a coroutine. `is_early`: whether the handler is called before a large document has been
    read.
    """

    method: str
    handler: str
    is_async: bool = False
    is_early: bool = False


FEATURES: Final = (
    Feature(types.TEXT_DOCUMENT_HOVER, "hover.hover", is_async=True, is_early=True),
    Feature(types.TEXT_DOCUMENT_COMPLETION, "completion.completion"),
    Feature(types.COMPLETION_ITEM_RESOLVE, "completion_item.resolve"),
    Feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, "signature_help.signature_help"),
    Feature(types.TEXT_DOCUMENT_DEFINITION, "navigation.definition", is_async=True),
    Feature(types.TEXT_DOCUMENT_DECLARATION, "navigation.declaration"),
    Feature(types.TEXT_DOCUMENT_TYPE_DEFINITION, "navigation.type_definition"),
    Feature(types.TEXT_DOCUMENT_IMPLEMENTATION, "navigation.implementation", is_async=True),
    Feature(types.TEXT_DOCUMENT_REFERENCES, "navigation.references", is_async=True),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "places.highlight"),
    Feature(types.TEXT_DOCUMENT_SELECTION_RANGE, "places.selection_range"),
    Feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, "places.linked_editing_range"),
    Feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "call_hierarchy.prepare", is_async=True),
    Feature(types.CALL_HIERARCHY_INCOMING_CALLS, "call_hierarchy.incoming", is_async=True),
    Feature(types.CALL_HIERARCHY_OUTGOING_CALLS, "call_hierarchy.outgoing", is_async=True),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, "rename.prepare"),
    Feature(types.TEXT_DOCUMENT_RENAME, "rename.rename", is_async=True),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "symbols.document_symbol", is_async=True),
    Feature(types.TEXT_DOCUMENT_FORMATTING, "formatting.document", is_async=True),
    Feature(types.TEXT_DOCUMENT_RANGE_FORMATTING, "formatting.part", is_async=True),
    Feature(types.TEXT_DOCUMENT_RANGES_FORMATTING, "formatting.parts", is_async=True),
    Feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, "formatting.typed"),
    Feature(types.TEXT_DOCUMENT_WILL_SAVE_WAIT_UNTIL, "formatting.before_save", is_async=True),
    Feature(types.TEXT_DOCUMENT_DID_SAVE, "workspace.did_save"),
    Feature(types.TEXT_DOCUMENT_CODE_ACTION, "code_actions.code_action", is_async=True),
    Feature(types.CODE_ACTION_RESOLVE, "code_actions.resolve", is_async=True),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, "folding.folding", is_async=True),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, "inlay_hints.inlay_hints", is_async=True),
    Feature(types.INLAY_HINT_RESOLVE, "inlay_hints.resolve"),
    Feature(types.TEXT_DOCUMENT_CODE_LENS, "code_lenses.code_lens", is_async=True),
    Feature(types.CODE_LENS_RESOLVE, "code_lenses.resolve", is_async=True),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, "links.document_link", is_async=True),
    Feature(types.DOCUMENT_LINK_RESOLVE, "links.resolve"),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "semantic_tokens.full", is_async=True),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, "semantic_tokens.delta", is_async=True),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, "semantic_tokens.between"),
    Feature(types.WORKSPACE_SYMBOL, "workspace_symbols.symbol", is_async=True),
    Feature(types.WORKSPACE_DIAGNOSTIC, "workspace_diagnostics.pull", is_async=True),
    Feature(types.WORKSPACE_EXECUTE_COMMAND, "commands.execute", is_async=True),
    Feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "workspace.did_change_folders"),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "workspace.did_change_watched"),
    Feature(types.WORKSPACE_DID_CREATE_FILES, "workspace.did_create"),
    Feature(types.WORKSPACE_DID_RENAME_FILES, "workspace.did_rename"),
    Feature(types.WORKSPACE_DID_DELETE_FILES, "workspace.did_delete"),
    Feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, "workspace.did_cancel_progress"),
)
