"""Names, comments and strings that want to be more than text, in each answer of each feature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.server.client import Client, Message, ServerError
from tests.server.probes import PROBES, REQUESTS, Ask, Scene
from tests.server.profiles import VSCODE
from tests.support.markdown import things_that_act

pytestmark = pytest.mark.slow

IMAGE: Final = "![x](http://evil.example/x.png)"
HOSTILE: Final = {
    "image": IMAGE,
    "code": f"` {IMAGE} `",
    "fence": f"``` {IMAGE} ````",
    "bar": f"a \\| ` {IMAGE} | b",
    "command": "[x](command:workbench.action.terminal.new)",
    "html": "<img src=http://evil.example/x.png> <!-- <script>alert(1)</script>",
    "address": "<http://evil.example> http://evil.example www.evil.example",
    "entities": "&lt;img&gt; &#33;&#91;x&#93;(http://evil.example)",
    "control": "\x1b]0;x\x07 \u202e\u2066 \x9b31m",
}
NAME: Final = "%21%5Bx%5D%28http%3A%2F%2Fevil.example%29.ptx"
"""Of a file."""
ALLOWED: Final = ("https://docs.nvidia.com/cuda/", "https://ptx-ls.readthedocs.io/")
"""How the only addresses begin that the server gives: the manual, and our own documentation."""

UNASKED: Final = frozenset({"workspace/willRenameFiles", "textDocument/documentColor"})


def rust_name(text: str) -> str:
    """A mangled name that its source spells as the text, as Rust compilers write it."""
    escape = {"<": "$LT$", ">": "$GT$", "(": "$LP$", ")": "$RP$", "&": "$RF$", "*": "$BP$"}
    spelled = "".join(
        it if it.isalnum() else escape.get(it, f"$u{ord(it):x}$") for it in f"_{text}"
    )
    return f"_ZN{len(spelled)}{spelled}17h0123456789abcdefE"


def document(text: str) -> str:
    """A module with a text wherever PTX takes any."""
    name, data = rust_name(text), ", ".join(map(str, f"{text}\0".encode()))
    quoted = text.replace('"', "")
    return f"""// {text}
.version 8.5
.target sm_90, {quoted}
.address_size 64
/* {text} */
.file 1 "{quoted}"
.file 2 "{quoted}.cu", 1700000000, 42
# 1 "{quoted}"
#include "{quoted}"
.pragma "{quoted}";
.global .align 1 .b8 text[] = {{{data}}}; // {text}
.extern .func (.param .b32 {name}_result) {name}_callee (.param .b64 {name}_param_0)
;
.visible .entry {name}( // {text}
    .param .u64 .ptr .global .align 16 {name}_param_0 /* {text} */
)
.reqntid 128 // {text}
{{
    .reg .b32 %r<4>; // {text}
    .pragma "{quoted}";
    .loc 1 3 4 // {text}
    .loc 2 5 6, function_name $L_string, inlined_at 1 7 8
    mov.u32 %r1, %tid.x; // {text}
    add /* {text} */ .u32 %r2, %r1, 0x1F; // {text}
    shfl.sync.bfly.b32 %r3, /* {text} */ %r2, 16, 31, -1;
    ld.param.u64 %missing, [{name}_param_0];
$L_here: // {text}
    @%p1 bra $L_here; // {text}
    mov.b32 %r3, "{quoted}";
    {quoted}
    ret;
}}
.section .debug_str {{
$L_string: // {text}
.b8 {data}
}}
.section .debug_{quoted} {{ .b8 1 }}
@@DWARF .string "{quoted}"
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client with the capabilities of VS Code."""
    with Client(patience=600) as client:
        client.initialize(VSCODE, clientInfo={"name": "Visual Studio Code"})
        yield client


@pytest.mark.parametrize("kind", HOSTILE)
def test_each_answer_of_each_feature(client: Client, kind: str) -> None:
    text = document(HOSTILE[kind])
    uri = f"file:///{kind}/{NAME}"
    client.open(text, uri)
    answered = set()

    def ask(method: str, params: Message) -> Any:  # noqa: ANN401
        answered.add(method)
        try:
            answer = client.request(method, params)
        except ServerError as error:
            check_message(error.args[0]["message"])
            return None
        check_answer(answer)
        return answer

    ask_everywhere(ask, text.split("\n"), uri)
    assert set(REQUESTS) - answered <= UNASKED
    for message in client.unread:
        check_answer(message.get("params"))
        if message["method"].startswith("window/showMessage"):
            check_message(message["params"]["message"])
    client.unread.clear()
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def ask_everywhere(ask: Ask, lines: list[str], uri: str) -> None:
    """Asks for explanations at many columns, and for everything else in some places."""
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    for number, line in enumerate(lines):
        for column in columns(line):
            scene = Scene(uri, {"line": number, "character": column}, whole, pick=column)
            for name in ("hover", "signatureHelp" if column % 2 else "completion"):
                PROBES[name](ask, scene)
        scene = Scene(uri, {"line": number, "character": len(line) // 3}, whole, pick=number)
        for name in ("definition", "callHierarchy", "rename", "inlayHint", "codeLens"):
            PROBES[name](ask, scene)
        ask("workspace/executeCommand", {"command": "ptx.openSource", "arguments": [uri, number]})
    for pick in range(8):
        scene = Scene(uri, {"line": 22, "character": 8}, whole, pick=pick)
        for probe in PROBES.values():
            probe(ask, scene)


def columns(line: str) -> list[int]:
    """Columns of a line in some of its words."""
    return sorted({0, *range(4, min(len(line), 60), 7), max(0, len(line) - 2)})


def check_answer(answer: object) -> None:
    """Checks that Markdown does nothing, and that no address leads elsewhere."""
    for path, value in parts_of(answer):
        key = path[-1] if path else ""
        if isinstance(value, dict) and value.get("kind") == "markdown":
            acting = [it for it in things_that_act(value["value"]) if not is_ours(it)]
            assert not acting, value["value"]
        elif isinstance(value, str) and key in ("uri", "target", "targetUri") and "://" in value:
            assert value.startswith("file:///"), path
            assert value.endswith(NAME), path
        elif isinstance(value, str) and key == "href":
            assert value.startswith(ALLOWED), value


def is_ours(thing: str) -> bool:
    """Whether it is a picture or a link that the server itself makes."""
    kind, _, target = thing.partition(": ")
    is_picture = kind == "image" and target.startswith("data:image/svg+xml;base64,")
    return is_picture or (kind == "link_open" and target.startswith(ALLOWED))


def check_message(message: str) -> None:
    """Checks a message that pops up: VS Code makes links in it, and notices control characters."""
    assert "](" not in message
    assert all(it.isprintable() or it == "\n" for it in message), message


def parts_of(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Each part of an answer, with the keys that lead to it."""
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from parts_of(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from parts_of(inner, path)


def test_the_names_are_demangled_to_what_they_are_to_be() -> None:
    """Otherwise the test above would not cover demangled names."""
    from ptx_ls.semantics.demangle import demangled  # noqa: PLC0415

    assert IMAGE in (demangled(rust_name(IMAGE)) or "")
