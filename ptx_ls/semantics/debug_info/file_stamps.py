"""The time stamp and the size of a source in `.file`, which came with a later version.

Source: PTX ISA, "Debugging Directives: .file".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.versions import too_old
from ptx_ls.syntax.tokens import NUMBER, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.region import RegionFacts

_SINCE: Final = (3, 2)
_NOTE: Final = "time stamps and sizes of sources came with it"


def check_file_stamps(facts: RegionFacts, context: Context) -> Iterator[Unavailable]:
    """The first number after the name in each `.file` that the module's version is too old for."""
    if context.version is None or context.version >= _SINCE:
        return
    violation = too_old(context.version, _SINCE, _NOTE)
    for directive in facts.directives:
        if directive.name != ".file" or "," not in directive.text:
            continue
        tokens = list(tokenize(directive.text))
        comma = next((index for index, it in enumerate(tokens) if it.string == ","), len(tokens))
        for token in tokens[comma + 1 : comma + 2]:
            if token.type is NUMBER:
                yield Unavailable(token.string, violation, *token.placed(directive.start))
