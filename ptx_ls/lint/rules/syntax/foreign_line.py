"""The rule foreign-line."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.problems.module import BadLine, LineFault

_MESSAGES: Final = {
    LineFault.MARKER: '{text} is no line marker, as in `# 1 "kernel.cu"`; PTX has no preprocessor',
    LineFault.END: "expected a line end after {text}",
    LineFault.REMOVED: "{text} is no longer supported, it needs a version before PTX ISA 2.0, "
    "use `.section`",
    LineFault.BODY: "{text} stands outside of functions only",
    LineFault.DATA: '{text} is no part of a section, as `.section .debug_info, "", @progbits`, '
    "or data, as `.byte 1, 2` or `.4byte label`",
    LineFault.NO_SECTION: "data before the first `@@DWARF .section`",
    LineFault.RANGE: "{text} does not fit into the type of its data",
}


@rule("foreign-line", on=BadLine)
def foreign_line(mismatch: BadLine, surroundings: Surroundings) -> Finding:
    """Reports a line for another tool, such as `#define`, that ptxas cannot read.

    ## Why is this bad?
    The assembler rejects the module. It passes over the line markers that a preprocessor leaves
    behind, if each ends its line, and knows no other line that begins with `#`. `@@DWARF` was how
    PTX held debugging data before version 2.0; a section holds it now.

    ## Example
    ```ptx
    #define THREADS 128
    mov.u32 %r1, 128;
    ```

    Use instead:
    ```ptx
    # 1 "kernel.cu"
    mov.u32 %r1, 128;
    ```
    """
    del surroundings
    return Finding(_MESSAGES[mismatch.fault].format(text=quoted(mismatch.text)))
