"""The abilities of three kinds of editors; the server has to work with each."""

from __future__ import annotations

from typing import Final

from tests.server.client import Message

_KINDS: Final = {"valueSet": list(range(1, 27))}
_LAZY: Final = {"dynamicRegistration": True}
_TOKENS: Final = {
    "requests": {"range": True, "full": {"delta": True}},
    "tokenTypes": "namespace type enumMember parameter variable function keyword modifier comment "
    "string number macro".split(),
    "tokenModifiers": "declaration definition readonly deprecated modification".split(),
    "formats": ["relative"],
}

VSCODE: Final[Message] = {
    "general": {
        "positionEncodings": ["utf-16"],
        "staleRequestSupport": {"cancel": True, "retryOnContentModified": []},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "didChangeConfiguration": _LAZY,
        "didChangeWatchedFiles": {**_LAZY, "relativePatternSupport": True},
        "workspaceFolders": True,
        "workspaceEdit": {
            "documentChanges": True,
            "changeAnnotationSupport": {"groupsOnLabel": True},
        },
        "symbol": {**_LAZY, "symbolKind": _KINDS, "resolveSupport": {"properties": ["location"]}},
        **{
            ability: {"refreshSupport": True}
            for ability in ("semanticTokens codeLens inlayHint").split()
        },
    },
    "textDocument": {
        "synchronization": {"willSaveWaitUntil": True, "didSave": True},
        "completion": {
            "contextSupport": True,
            "completionItem": {
                "snippetSupport": True,
                "commitCharactersSupport": True,
                "documentationFormat": ["markdown", "plaintext"],
                "deprecatedSupport": True,
                "labelDetailsSupport": True,
                "insertReplaceSupport": True,
                "tagSupport": {"valueSet": [1]},
                "resolveSupport": {"properties": ["documentation", "detail"]},
            },
            "completionList": {"itemDefaults": ["commitCharacters", "editRange", "data"]},
        },
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "signatureHelp": {
            "contextSupport": True,
            "signatureInformation": {
                "documentationFormat": ["markdown", "plaintext"],
                "parameterInformation": {"labelOffsetSupport": True},
                "activeParameterSupport": True,
            },
        },
        **{
            f"{way}": {"linkSupport": True}
            for way in ("definition", "declaration", "typeDefinition", "implementation")
        },
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True, "symbolKind": _KINDS},
        "codeAction": {
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}
            },
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
        "rename": {"prepareSupport": True, "honorsChangeAnnotations": True},
        "publishDiagnostics": {
            "relatedInformation": True,
            "tagSupport": {"valueSet": [1, 2]},
            "codeDescriptionSupport": True,
            "dataSupport": True,
        },
        "diagnostic": {"relatedDocumentSupport": False},
        "foldingRange": {"foldingRangeKind": {"valueSet": ["comment", "imports", "region"]}},
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
        "semanticTokens": _TOKENS,
        "documentLink": {"tooltipSupport": True},
        "linkedEditingRange": {},
        "callHierarchy": {},
        "onTypeFormatting": {},
        "rangeFormatting": {"rangesSupport": True},
    },
}
"""All that there is, counted in UTF-16, diagnostics pulled."""

NEOVIM: Final[Message] = {
    "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
    "window": {"workDoneProgress": True},
    "workspace": {"configuration": True, "workspaceFolders": True, "applyEdit": True},
    "textDocument": {
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "documentationFormat": ["markdown", "plaintext"],
                "resolveSupport": {"properties": ["documentation"]},
            },
        },
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "definition": {"linkSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
        "rename": {"prepareSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        "semanticTokens": {**_TOKENS, "requests": {"range": False, "full": {"delta": True}}},
        "inlayHint": {},
    },
}
"""Most of it, counted in UTF-8, diagnostics pushed."""

MINIMAL: Final[Message] = {
    "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
    "workspace": {"symbol": {}},
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": False}},
        "hover": {"contentFormat": ["plaintext"]},
        "signatureHelp": {"signatureInformation": {"documentationFormat": ["plaintext"]}},
        "documentSymbol": {},
        "rename": {},
        "publishDiagnostics": {},
    },
}
"""Plain text without snippets, counted in UTF-32, as Emacs' eglot can be."""

PROFILES: Final = {"vscode": VSCODE, "neovim": NEOVIM, "minimal": MINIMAL}
