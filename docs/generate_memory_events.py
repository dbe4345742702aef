"""Makes docs/isa/memory-events.md: what each instruction does to memory and to other threads."""

from __future__ import annotations

from ptx_ls.handbook.instructions import instruction_facts
from ptx_ls.handbook.page import Block, Heading, Page, Table, Text
from ptx_ls.handbook.phrases import code
from ptx_ls.isa import database

TITLE = "Memory events"
FILE = "memory-events"
_INTRODUCTION = """\
Instructions as data: which memory they read and write, in which order other threads may see it, how
asynchronous operations complete, and which threads must execute an instruction. All other
instructions do not access memory. Unless its row says otherwise, an instruction with `.aligned`
must be executed by all threads of the warp, none of which may have exited, and any other by each
thread alone. A weak access needs synchronisation by other means. An update reads and writes; those
of `atom`, `red` and mbarrier objects are atomic. A vector is accessed element by element, in no
given order."""


def memory_events_page() -> Page:
    """Returns the page."""
    blocks: list[Block] = [Text(_INTRODUCTION)]
    for opcode in sorted(database().opcodes):
        instruction = database().instruction(opcode)
        facts = instruction_facts(instruction, ()) if instruction is not None else None
        if facts is None:
            continue
        rows: dict[str, set[str]] = {}
        for form in facts.forms:
            if form.memory:
                rows.setdefault(" ".join(form.memory), set()).add(form.syntax.partition(" ")[0])
        if rows:
            blocks.append(Heading(2, f"[{code(opcode)}]({opcode})"))
            table = tuple(
                (" or ".join(map(code, sorted(heads))), text) for text, heads in rows.items()
            )
            blocks.append(Table(("form", "what it does"), table))
    return Page(TITLE, tuple(blocks))
