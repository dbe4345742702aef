"""`ptx-ls explain` and `ptx-ls rules`: what the linter reports."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, UsageError
from ptx_ls.cli.output import JSON, add_output_options, json_text, write_output
from ptx_ls.cli.pages import add_colour_option, hit_lines, show
from ptx_ls.cli.reports.tables import table
from ptx_ls.cli.status import ExitStatus
from ptx_ls.lint import rule as registry
from ptx_ls.lint.rule_names import rule_url
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from ptx_ls.handbook.search import Hit
    from ptx_ls.lint.rule import Rule


def explain(arguments: list[str]) -> int:
    """Prints the page of a rule, as in docs/rules."""
    parser = ArgumentParser(
        prog="ptx-ls explain",
        description="Prints the page of a rule: what it reports, why, and what to write instead.",
    )
    parser.add_argument(
        "rule",
        metavar="RULE",
        nargs="+",
        help=(
            "the name of a rule, the name of a group to list its rules, or words to search for in "
            "the pages of all rules"
        ),
    )
    add_output_options(parser, ("markdown", JSON))
    add_colour_option(parser)
    options = parser.parse(arguments)
    name = " ".join(options.rule)
    rules = registry.rules()
    rule = rules.get(name.casefold())
    if rule is None:
        _show_hits(name, rules, options)
        return ExitStatus.CLEAN
    if options.output_format == JSON:
        write_output(options.output, [json_text({**_facts(rule), "page": rule.doc.strip()})])
        return ExitStatus.CLEAN
    show(rule.page, options)
    return ExitStatus.CLEAN


def _show_hits(words: str, rules: Mapping[str, Rule], options: Namespace) -> None:
    """Lists the rules of a group, or those whose pages have some words.

    Raises:
        UsageError: if no page has them, or the name of one rule is near.
    """
    from ptx_ls.handbook.search import Hit

    group = [each for each in rules.values() if each.group == words.casefold()]
    if group:
        hits = [Hit(each.name, each.group, each.summary) for each in group]
        about = f"`{words}` is a group with these rules:"
    else:
        near = _near(words, rules)
        hits = [] if near and " " not in words else _found(words, rules)
        no_rule = f"no rule `{console.escaped(words)}`"
        if not hits:
            raise UsageError(f"{no_rule}{near}; `ptx-ls rules` lists them")
        about = f"{no_rule}; the pages of these rules contain the words:"
    console.complain(about, prefix="")
    is_json = options.output_format == JSON
    text = json_text([hit._asdict() for hit in hits]) if is_json else hit_lines(hits)
    write_output(options.output, [text])


def _found(words: str, rules: Mapping[str, Rule]) -> list[Hit]:
    """Returns the rules whose pages have some words; with the summary if their names have them."""
    from ptx_ls.handbook.search import Searched, found

    pages = (
        Searched(each.name, each.group, f"# {each.name}\n{each.doc}") for each in rules.values()
    )
    return [
        hit._replace(line=rules[hit.name].summary) if hit.line == hit.name else hit
        for hit in found(words, pages)
    ]


def _near(words: str, rules: Mapping[str, Rule]) -> str:
    """Proposes a rule; "" if none is near, or if several have the words in their names."""
    n_names = sum(words.casefold() in name for name in rules)
    return "" if n_names > 1 else did_you_mean(words, rules)


def list_rules(arguments: list[str]) -> int:
    """Prints the name, severities and summary of every rule, sorted by name.

    The second severity is that in compiler output, if it differs.
    """
    parser = ArgumentParser(
        prog="ptx-ls rules",
        description=(
            "Lists the linter rules with their severity, their severity in compiler output if it "
            "differs, and a summary."
        ),
    )
    add_output_options(parser, ("concise", JSON))
    options = parser.parse(arguments)
    text = _as_json() if options.output_format == JSON else _as_table()
    write_output(options.output, [text])
    return ExitStatus.CLEAN


def _as_table() -> str:
    rules = registry.rules()
    rows = [
        (name, each.severity.value, each.severity_in_compiler_output, each.summary)
        for name, each in sorted(rules.items())
    ]
    return table(rows, sys.stdout)


def _as_json() -> str:
    rules = registry.rules()
    return json_text([_facts(rules[name]) for name in sorted(rules)])


def _facts(rule: Rule) -> dict[str, str]:
    """Returns what is known about a rule, except its page."""
    return {
        "rule": rule.name,
        "severity": rule.severity.value,
        "in_compiler_output": rule.severity_in_compiler_output or rule.severity.value,
        "group": rule.group,
        "summary": rule.summary,
        "url": rule_url(rule.name),
    }
