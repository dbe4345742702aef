"""The rule unknown-version."""

from __future__ import annotations

from ptx_ls import isa
from ptx_ls.lint.fixes.text import replaced
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.declarations import UnknownVersion
from ptx_ls.source import Severity


@rule("unknown-version", on=UnknownVersion)
def unknown_version(mismatch: UnknownVersion, _: RuleContext) -> Finding:
    """Reports a PTX ISA version that does not exist, or that is too new.

    ## Why is this bad?
    ptxas rejects a version that it does not support. A version that is newer than ptx-ls supports
    causes only a warning, because a later version of ptxas may support it. Unknown opcodes are
    then not reported.

    With `--max-version`, `--toolkit` or `--driver`, a version that exceeds the given limit is an
    error.

    ## Example
    ```ptx
    .version 8.9
    .target sm_90
    .address_size 64
    ```

    Use instead:
    ```ptx
    .version 8.8
    .target sm_90
    .address_size 64
    ```
    """
    version, newest = (f"{major}.{minor}" for major, minor in (mismatch.version, mismatch.newest))
    if mismatch.is_newer:
        message = (
            f"PTX ISA {version} is newer than {newest}, the latest version that ptx-ls supports"
        )
        return Finding(message, severity=Severity.WARNING)
    known = isa.database().versions
    near = max((each for each in known if each < mismatch.version), default=min(known))
    name = f"{near[0]}.{near[1]}"
    message = f"PTX ISA {version} does not exist; the last version before it is {name}"
    return Finding(message, repairs=replaced(mismatch, name))
