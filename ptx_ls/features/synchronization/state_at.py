"""Says what is known of the synchronisation at the instruction under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features import markup
from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.line_words import on_lines
from ptx_ls.features.synchronization.executing import ALL, executing
from ptx_ls.features.synchronization.statement_words import StatementWords
from ptx_ls.features.threads.recent_uniformity import recent_uniformity
from ptx_ls.protocols.chains.fence_order import proxy_order
from ptx_ls.protocols.chains.first_reads import first_read
from ptx_ls.protocols.chains.function_chains import OPCODES, FunctionChains, chains_of
from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.features.markup import Markdown
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position
    from ptx_ls.threads.events.sites import EventSite

MAX_LINES: Final = 20_000
"""The longest function, in lines, whose statements are followed for a hover."""
_MEETINGS: Final = ("barrier", "mbarrier arrive", "cluster")
"""How the acts begin for which it matters who does them."""


class FollowedFunction(NamedTuple):
    """A function whose synchronisation is known, and a statement of it."""

    located: LocatedFunction
    chains: FunctionChains
    number: int

    def line_of(self, number: int) -> int:
        """Returns the line of a site, from 1."""
        return self.line(self.chains.sites.sites[number])

    def line(self, site: EventSite) -> int:
        """Returns the line of a statement of the function, from 1."""
        return self.located.position(site.found.start).line + 1


def is_about_synchronization(analysis: Analysis, position: Position) -> bool:
    """Whether the opcode at a position synchronises, or begins what completes later."""
    under = cursor(analysis, position)
    if under is None or under.at not in (At.OPCODE, At.MODIFIER):
        return False
    record = under.statement.record
    if not isinstance(record, Shape) or record.name not in OPCODES:
        return False
    known = events_of(record)
    return known is not None and bool(known.events.syncs or known.events.completion)


def followed_at(analysis: Analysis, position: Position) -> FollowedFunction | None:
    """Returns the statement at a position among those that synchronise, with its function."""
    statement = statement_at(analysis.document, position)
    located = analysis.document.functions[analysis.region_at(position)]
    if statement is None or located.n_lines > MAX_LINES:
        return None
    chains = chains_of(recent_uniformity(located.function, module_facts(analysis.document)))
    number = chains.site_at(located.place(statement.start))
    return None if number is None else FollowedFunction(located, chains, number)


def state_at(analysis: Analysis, position: Position) -> Markdown:
    """Says what an instruction begins, commits or waits for, with the lines that belong to it."""
    if not is_about_synchronization(analysis, position):
        return markup.NOTHING
    followed = followed_at(analysis, position)
    if followed is None:
        return markup.NOTHING
    words = StatementWords(followed.chains, followed.line_of)
    number = followed.number
    sentences = [*words.sentences(number), *_more(followed)]
    parts = [markup.joined(" ", map(markup.quoted, sentences))]
    parts += [markup.quoted(each) for each in words.objects(number)]
    return markup.paragraphs(*parts)


def _more(followed: FollowedFunction) -> Iterator[str]:
    """Yields a read of a result, what a fence orders, and who executes a barrier."""
    chains, located = followed.chains, followed.located
    site = chains.sites.sites[followed.number]
    actions = chains.sites.actions(followed.number)
    if chains.sites.completion(followed.number):
        read = first_read(chains.accesses, site.found.start)
        if read is not None:
            yield f"The result is first read on line {located.position(read.start).line + 1}."
    if "proxy fence" in actions:
        before, after = proxy_order(chains.accesses, site.found.start)
        if before and after:
            yield (
                f"Orders the stores to shared memory on {on_lines(map(followed.line, before))} "
                f"before the accesses of the async proxy on {on_lines(map(followed.line, after))}."
            )
    if any(each.startswith(_MEETINGS) for each in actions):
        who = executing(chains.sites.participants, site)
        if who and who != ALL and not who.startswith("some"):
            yield f"Executed only by {who} of each block."
