"""Makes docs/isa/memory-events.md: what each instruction does to memory and to other threads."""

from __future__ import annotations

from ptx_ls.handbook.instructions import instruction_facts
from ptx_ls.handbook.page import Block, Heading, Page, Table, Text
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa import database

TITLE = "Memory events"
FILE = "memory-events"
_INTRODUCTION = """\
This page lists the instructions that access memory or synchronise threads. Each row says which
memory an instruction reads and writes, in what order other threads may see the accesses, how an
asynchronous operation completes, and which threads must execute the instruction. Unless the row
says otherwise, all threads of the warp must execute an instruction with `.aligned`, and none of
them may have exited; each thread executes any other instruction alone. A weak access needs
synchronisation by other means. An update is a read and a write of the same memory. `atom`, `red`
and operations on mbarrier objects update memory atomically. The elements of a vector are accessed
one by one, in no particular order."""


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
                (", ".join(map(code, sorted(heads))), text) for text, heads in rows.items()
            )
            blocks.append(Table(("form", "what it does"), table))
    return Page(TITLE, tuple(blocks))
