"""Makes large PTX texts from the output of compilers, which is regular in its layout."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAME_OF_MODULE = re.compile(r"(?<![\w.%$])_\w+")
"""The names of all functions and variables of CUDA C++, parameters included, begin like this."""
_LABEL = re.compile(r"\$L_")
_USES_EACH = 100


def cut(text: str, lines: int) -> str:
    """Returns the beginning of a module up to the first function that ends on `lines` or later.

    Returns the whole text if it is shorter. Only for compiler output, where a brace in the first
    column closes a function.
    """
    for line, end in _function_ends(text):
        if line >= lines:
            return text[:end]
    return text


def _function_ends(text: str) -> Iterator[tuple[int, int]]:
    line, counted = 1, 0
    for brace in re.finditer(r"^}[^\n]*\n", text, re.MULTILINE):
        line += text.count("\n", counted, brace.start())
        counted = brace.start()
        yield line, brace.end()


def repeated(text: str, n_bytes: int) -> str:
    """Returns a module of at least this size in bytes: a module and copies with other names."""
    contents = text[text.index("\n", text.index(".address_size")) :]
    parts = [text]
    while sum(map(len, parts)) < n_bytes:
        prefix = f"_copy{len(parts)}"
        parts.append(_NAME_OF_MODULE.sub(lambda name: prefix + name[0], contents))  # noqa: B023
    return "".join(parts)


def one_kernel(text: str, lines: int) -> str:
    """Returns a module with one kernel of about this number of lines.

    Its body is that of the longest kernel without calls of a module, again and again with other
    labels. Only the last copy returns for certain.
    """
    first = re.search(r"^(?:\.visible |\.weak )?\.(?:entry|func)", text, re.MULTILINE)
    kernels = re.finditer(r"^\.visible \.entry [^{]*^\{\n.*?^\}\n", text, re.MULTILINE | re.DOTALL)
    longest = max((kernel[0] for kernel in kernels if "\tcall" not in kernel[0]), key=len)
    if first is None:
        raise ValueError("no function in the text")
    head, body = longest.removesuffix("}\n").split("{\n", 1)
    declarations, code = _declarations(body)
    guarded = code.replace("\tret;", "\t@%p1 ret;")
    n_copies = max(1, lines // code.count("\n"))
    copies = [_LABEL.sub(f"$L{number}_", guarded) for number in range(n_copies)]
    return "".join([text[: first.start()], head, "{\n", declarations, *copies, "\tret;\n}\n"])


def _declarations(body: str) -> tuple[str, str]:
    """Returns the declarations at the start of a body, and the rest."""
    end = re.search(r"^\t(?!\.(?:reg|local|shared))\S|^[^\t\n]", body, re.MULTILINE)
    start = end.start() if end is not None else len(body)
    return body[:start], body[start:]


def uses_of_a_global(n_uses: int) -> str:
    """Returns a module in which functions load a variable `n` times: `counter`, on line 4."""
    uses = "".join([f"\tld.global.u32 \t%r{it + 1}, [counter];\n" for it in range(_USES_EACH)])
    body = f"{{\n\t.reg .b32 \t%r<{_USES_EACH + 1}>;\n{uses}\tret;\n}}\n"
    functions = [f".visible .func load{it}()\n{body}" for it in range(n_uses // _USES_EACH)]
    header = ".version 8.5\n.target sm_90\n.address_size 64\n.global .align 4 .u32 counter;\n"
    return header + "".join(functions)
