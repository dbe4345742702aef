"""The rule separate-compilation."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.module import NeedsLinking
from ptx_ls.source import Severity


@rule("separate-compilation", on=NeedsLinking, severity=Severity.WARNING)
def separate_compilation(mismatch: NeedsLinking, _: RuleContext) -> Finding:
    """Reports features that ptxas accepts only in a module that will be linked with others.

    ## Why is this bad?
    These features are correct if the modules are linked (`ptxas -c`, `nvcc -rdc=true`). In a whole
    program, ptxas rejects `.unified` variables and functions. The linker unifies variables and
    functions of several modules that have the same `.unified` numbers.

    ## Example
    ```ptx
    .global .attribute(.unified(19, 95)) .u32 shared_by_all;
    ```

    Use instead:
    ```ptx
    .global .attribute(.managed) .u32 shared_by_all;
    ```
    """
    return Finding(
        f"`{mismatch.name}` is allowed only in a module that is linked with others (`ptxas -c`)"
    )
