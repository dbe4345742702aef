"""Says which threads agree on a value or run code together, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.line_words import on_lines
from ptx_ls.threads.uniformity.levels import CauseKind, Level

if TYPE_CHECKING:
    from ptx_ls.features.markup import Markdown
    from ptx_ls.threads.uniformity.function_uniformity import Agreement, FunctionUniformity
    from ptx_ls.threads.uniformity.levels import Cause

_VALUES: Final = {
    Level.GRID: "is the same in all threads",
    Level.CLUSTER: "is the same in all threads of a cluster",
    Level.CTA: "is the same in all threads of a block",
    Level.WARPGROUP: "is the same in all threads of a warpgroup",
    Level.WARP: "is the same in all lanes of a warp",
}
_BLOCKS: Final = {
    Level.GRID: "All live threads reach this point",
    Level.CLUSTER: "Either all live threads of a cluster reach this point, or none do",
    Level.CTA: "Either all live threads of a block reach this point, or none do",
    Level.WARPGROUP: "Either all live threads of a warpgroup reach this point, or none do",
    Level.WARP: "Either all live lanes of a warp reach this point, or none do",
}
_BRANCHES: Final = {
    Level.GRID: "All threads take the same path",
    Level.CLUSTER: "All threads of a cluster take the same path",
    Level.CTA: "All threads of a block take the same path",
    Level.WARPGROUP: "All threads of a warpgroup take the same path",
    Level.WARP: "All lanes of a warp take the same path",
}


_OF_SUBJECT: Final = "; it depends on"
"""Joins a cause to words whose subject is the value."""
_OF_CLAUSE: Final = ", depending on"
"""Joins a cause to words whose subject are the threads."""
_END: Final = markup.own(".")


def of_value(
    uniformity: FunctionUniformity, name: str, said: Agreement, first_line: int
) -> Markdown:
    """Says which threads agree on the value with a name; `first_line` of the function is from 0."""
    divided = "differs between lanes of a warp", "may differ between lanes of a warp"
    words = _said(uniformity, said, _VALUES, divided, first_line, _OF_SUBJECT)
    return markup.filled("{} {}", markup.code(name), words)


def of_block(uniformity: FunctionUniformity, said: Agreement, first_line: int) -> Markdown:
    """Says which threads run a block together."""
    divided = (
        "Only some lanes of a warp reach this point",
        "Some lanes of a warp may not reach this point",
    )
    return _said(uniformity, said, _BLOCKS, divided, first_line, _OF_CLAUSE)


def of_branch(uniformity: FunctionUniformity, said: Agreement, first_line: int) -> Markdown:
    """Says which threads take the same path after a branch."""
    divided = "Lanes of a warp take different paths", "Lanes of a warp may take different paths"
    return _said(uniformity, said, _BRANCHES, divided, first_line, _OF_CLAUSE)


def _said(
    uniformity: FunctionUniformity,
    said: Agreement,
    words: dict[Level, str],
    divided: tuple[str, str],
    first_line: int,
    depends: str,
) -> Markdown:
    if said.surely is Level.GRID:
        return markup.joined("", [markup.own(words[Level.GRID]), _END])
    text = words.get(said.surely) or divided[not said.is_surely_divergent]
    chain = uniformity.chain(said.cause)
    reason = _reason(uniformity, chain, first_line, depends) if chain else markup.NOTHING
    return markup.joined("", [markup.own(text), reason, _END])


def _reason(
    uniformity: FunctionUniformity, chain: list[Cause], first_line: int, depends: str
) -> Markdown:
    """Returns the source of a chain of causes, the first branch in it, and the lines between."""
    last = chain[-1]
    branch = next((each for each in chain if each.kind is CauseKind.BRANCH), None)
    line = _line(uniformity, last, first_line)
    source = markup.joined("", [markup.code(last.name), f" (line {line})" if line else ""])
    match last.kind:
        case CauseKind.UNSET:
            return markup.filled("; {} may have no value here", markup.code(last.name))
        case CauseKind.PROMISE:
            place = f" (line {line})" if line else ""
            return markup.filled(", as {} promises{}", markup.code(".uni"), place)
        case CauseKind.PARAMETER:
            source = markup.filled("the parameter {}", markup.code(last.name))
        case CauseKind.INSTRUCTION:
            source = markup.joined("", [markup.own("the result of "), source])
        case CauseKind.SPECIAL:
            pass
        case _:
            return markup.NOTHING
    branch_line = ""
    if branch is not None and branch is not last:
        branch_line = _line(uniformity, branch, first_line)
    links = (each for each in chain if each.kind is not CauseKind.PROMISE)
    lines = {_line(uniformity, each, first_line) for each in links} - {"", line, branch_line}
    through = markup.NOTHING
    if lines:
        through = markup.filled(", through {}", on_lines(map(int, lines)))
    if branch_line:
        return markup.filled(
            ": the branch on line {} depends on {}{}", branch_line, source, through
        )
    return markup.filled("{} {}{}", markup.own(depends), source, through)


def _line(uniformity: FunctionUniformity, cause: Cause, first_line: int) -> str:
    if cause.use < 0:
        return ""
    return str(first_line + uniformity.flow.uses.rows[cause.use] + 1)
