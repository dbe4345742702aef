"""Pages about rules and about the instruction set."""

from __future__ import annotations

from ptx_ls.handbook.lookup import UnknownNameError
from ptx_ls.handbook.lookup import describe as described
from ptx_ls.handbook.markdown import pages_markdown
from ptx_ls.lint import rule as registry
from ptx_ls.source.near_names import did_you_mean


def explain(rule: str) -> str:
    """Returns the page of a rule in Markdown: what it reports, why, and what to write instead.

    >>> print(explain("operand-width").splitlines()[0])
    # operand-width

    Raises:
        LookupError: if the rule does not exist; the message may name a similar one.
    """
    found = registry.rules().get(rule)
    if found is None:
        raise LookupError(f"no rule `{rule}`{did_you_mean(rule, registry.rules())}")
    return found.page


def describe(name: str) -> str:
    """Returns the page of a name of the instruction set in Markdown.

    >>> print(describe("%laneid").splitlines()[0])
    # `%laneid`

    Args:
        name: an instruction, perhaps with modifiers (`ld.global`), a special register, a directive,
            a type, a target or a version, as for `ptx-ls isa`.

    Raises:
        LookupError: if the name is unknown; the message may name a similar one.
    """
    try:
        entries = described(name)
    except UnknownNameError as error:
        near = did_you_mean(error.name, error.known)
        raise LookupError(f"{error}{near}") from None
    return pages_markdown(entry.page for entry in entries)
