"""The features that the server offers: methods of LSP, their handlers, and their options.

Importing this imports nothing that can read PTX: a handler is imported when it is first called.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from lsprotocol import types

from ptx_ls.server.client_state.file_watchers import FILE_OPERATIONS


class Feature(NamedTuple):
    """A method of LSP and its handler.

    `handler` names a module of `ptx_ls.server.handlers` and a function in it that takes the
    session, the open document if the parameters name one, and the parameters. A request about
    a document that is not open is answered with null. `options`: for the server capability.
    `is_async`: whether the handler is a coroutine function, for work that may take long; see
    `background.run`. Other handlers may return a coroutine. `is_early`: whether the handler is
    called before a large document has been read.
    """

    method: str
    handler: str
    options: object = None
    is_async: bool = False
    is_early: bool = False


# `.` begins a modifier, `%` a register, `@` a guard, `!` a negated guard, `$` a label, `[` an
# address, `{` a vector, `"` a pragma. With a space, a list would pop up after every comma.
_COMPLETION: Final = types.CompletionOptions(
    trigger_characters=[".", "%", "@", "!", "$", "[", "{", '"'], resolve_provider=True
)

# After a space, help is only given if an opcode or directive precedes it, or if help is shown.
_SIGNATURE_HELP: Final = types.SignatureHelpOptions(
    trigger_characters=[" ", ",", "(", "[", "{"], retrigger_characters=["|", ")", "]", "}"]
)

_RENAME: Final = types.RenameOptions(prepare_provider=True)

_RANGES: Final = types.DocumentRangeFormattingOptions(ranges_support=True)

_ON_TYPE: Final = types.DocumentOnTypeFormattingOptions(
    first_trigger_character=";", more_trigger_character=["}", "\n"]
)

_SAVE: Final = types.SaveOptions(include_text=False)

_ACTIONS: Final = types.CodeActionOptions(
    code_action_kinds=["quickfix", "refactor.rewrite", "refactor.extract",
                       "source.fixAll.ptx", "source.organize.ptx"],
    resolve_provider=True,
)  # fmt: skip

COMMANDS: Final = (
    "ptx.requirements",
    "ptx.minTarget",
    "ptx.explainRule",
    "ptx.showInstruction",
    "ptx.openSource",
    "ptx.showCfg",
    "ptx.showSass",
    "ptx.assemble",
    "ptx.lintWorkspace",
    "ptx.applyCodeAction",
)
"""Names of the commands; docs/commands.md describes their arguments and results."""

FEATURES: Final = (
    Feature(types.TEXT_DOCUMENT_HOVER, "hover.hover", is_async=True, is_early=True),
    Feature(types.TEXT_DOCUMENT_COMPLETION, "completion.completion", _COMPLETION),
    Feature(types.COMPLETION_ITEM_RESOLVE, "completion_item.resolve"),
    Feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, "signature_help.signature_help", _SIGNATURE_HELP),
    Feature(types.TEXT_DOCUMENT_DEFINITION, "navigation.definition", is_async=True),
    Feature(types.TEXT_DOCUMENT_DECLARATION, "navigation.declaration"),
    Feature(types.TEXT_DOCUMENT_TYPE_DEFINITION, "navigation.type_definition"),
    Feature(types.TEXT_DOCUMENT_IMPLEMENTATION, "navigation.implementation", is_async=True),
    Feature(
        types.TEXT_DOCUMENT_REFERENCES,
        "navigation.references",
        types.ReferenceOptions(work_done_progress=True),
        is_async=True,
    ),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "places.highlight"),
    Feature(types.TEXT_DOCUMENT_SELECTION_RANGE, "places.selection_range"),
    Feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, "places.linked_editing_range"),
    Feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "call_hierarchy.prepare", is_async=True),
    Feature(types.CALL_HIERARCHY_INCOMING_CALLS, "call_hierarchy.incoming", is_async=True),
    Feature(types.CALL_HIERARCHY_OUTGOING_CALLS, "call_hierarchy.outgoing", is_async=True),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, "rename.prepare"),
    Feature(types.TEXT_DOCUMENT_RENAME, "rename.rename", _RENAME, is_async=True),
    Feature(
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
        "symbols.document_symbol",
        types.DocumentSymbolOptions(work_done_progress=True),
        is_async=True,
    ),
    Feature(
        types.TEXT_DOCUMENT_FORMATTING,
        "formatting.document",
        types.DocumentFormattingOptions(work_done_progress=True),
        is_async=True,
    ),
    Feature(types.TEXT_DOCUMENT_RANGE_FORMATTING, "formatting.part", _RANGES, is_async=True),
    Feature(types.TEXT_DOCUMENT_RANGES_FORMATTING, "formatting.parts", is_async=True),
    Feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, "formatting.typed", _ON_TYPE),
    Feature(types.TEXT_DOCUMENT_WILL_SAVE_WAIT_UNTIL, "formatting.before_save", is_async=True),
    Feature(types.TEXT_DOCUMENT_DID_SAVE, "workspace.did_save", _SAVE),
    Feature(types.TEXT_DOCUMENT_CODE_ACTION, "code_actions.code_action", _ACTIONS, is_async=True),
    Feature(types.CODE_ACTION_RESOLVE, "code_actions.resolve", is_async=True),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, "folding.folding", is_async=True),
    Feature(
        types.TEXT_DOCUMENT_INLAY_HINT,
        "inlay_hints.inlay_hints",
        types.InlayHintOptions(resolve_provider=True),
        is_async=True,
    ),
    Feature(types.INLAY_HINT_RESOLVE, "inlay_hints.resolve"),
    Feature(
        types.TEXT_DOCUMENT_CODE_LENS,
        "code_lenses.code_lens",
        types.CodeLensOptions(work_done_progress=True, resolve_provider=True),
        is_async=True,
    ),
    Feature(types.CODE_LENS_RESOLVE, "code_lenses.resolve", is_async=True),
    Feature(
        types.TEXT_DOCUMENT_DOCUMENT_LINK,
        "links.document_link",
        types.DocumentLinkOptions(resolve_provider=True),
        is_async=True,
    ),
    Feature(types.DOCUMENT_LINK_RESOLVE, "links.resolve"),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "semantic_tokens.full", is_async=True),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, "semantic_tokens.delta", is_async=True),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, "semantic_tokens.between"),
    Feature(types.WORKSPACE_SYMBOL, "workspace_symbols.symbol", is_async=True),
    Feature(types.WORKSPACE_DIAGNOSTIC, "workspace_diagnostics.pull", is_async=True),
    Feature(types.WORKSPACE_EXECUTE_COMMAND, "commands.execute", is_async=True),
    Feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "workspace.did_change_folders"),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "workspace.did_change_watched"),
    Feature(types.WORKSPACE_DID_CREATE_FILES, "workspace.did_create", FILE_OPERATIONS),
    Feature(types.WORKSPACE_DID_RENAME_FILES, "workspace.did_rename", FILE_OPERATIONS),
    Feature(types.WORKSPACE_DID_DELETE_FILES, "workspace.did_delete", FILE_OPERATIONS),
    Feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, "workspace.did_cancel_progress"),
)
