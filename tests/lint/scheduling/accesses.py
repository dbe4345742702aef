"""Executes accesses to memory, asynchronous copies, and what is done with mbarrier objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tests.lint.scheduling.memory import WINDOW, Copy, Mbarrier
from tests.lint.scheduling.operands import Operands
from tests.lint.scheduling.program import NotRunnableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.lint.scheduling.operands import Thread
    from tests.lint.scheduling.program import Statement

_N_PARAMETER: Final = 5
UPDATES: Final[dict[str, Callable[..., int]]] = {
    ".add": lambda old, new: old + new,
    ".and": lambda old, new: old & new,
    ".or": lambda old, new: old | new,
    ".xor": lambda old, new: old ^ new,
    ".min": min,
    ".max": max,
    ".exch": lambda _, new: new,
    ".cas": lambda old, wanted, new: new if old == wanted else old,
    ".inc": lambda old, most: 0 if old >= most else old + 1,
}


class Accesses(Operands):
    """A block whose threads access memory."""

    def _do_ld(self, thread: Thread, statement: Statement) -> None:
        if ".param" in statement.modifiers:
            name = statement.operands[1].strip("[] ").partition("+")[0]
            number = [*self.program.parameters].index(name)
            is_pointer = "64" in self.program.parameters[name]
            value = (number + 1) << 32 if is_pointer else _N_PARAMETER
            self.write(thread, statement.operands[0], value)
            return
        place, size = self.place_of(thread, statement, statement.operands[1]), _size(statement)
        for number, each in enumerate(elements(statement.operands[0])):
            value = self.memory.load((place[0], place[1] + number * size), size)
            self.write(thread, each, value)

    def _do_st(self, thread: Thread, statement: Statement) -> None:
        if ".bulk" in statement.modifiers or ".async" in statement.modifiers:
            raise NotRunnableError("st.bulk")
        place, size = self.place_of(thread, statement, statement.operands[0]), _size(statement)
        for number, each in enumerate(elements(statement.operands[1])):
            value = self.value(thread, each, size * 8)
            self.memory.store((place[0], place[1] + number * size), size, value)
            if not place[0]:
                thread.stored.append((place[1] + number * size, value))

    def _do_atom(self, thread: Thread, statement: Statement) -> None:
        target, where, *sources = statement.operands
        self._update(thread, statement, target, where, sources)

    def _do_red(self, thread: Thread, statement: Statement) -> None:
        where, *sources = statement.operands
        self._update(thread, statement, "_", where, sources)

    def _update(
        self, thread: Thread, statement: Statement, target: str, where: str, sources: Sequence[str]
    ) -> None:
        place, size = self.place_of(thread, statement, where), _size(statement)
        old = self.memory.load(place, size)
        given = [self.value(thread, each, 8 * size) for each in sources]
        action = next((each for each in statement.modifiers if each in UPDATES), "")
        if not action:
            raise NotRunnableError("".join(statement.modifiers))
        self.memory.store(place, size, UPDATES[action](old, *given))
        self.write(thread, target, old)

    def _do_mov(self, thread: Thread, statement: Statement) -> None:
        target, source = statement.operands
        if "{" in target + source:
            raise NotRunnableError("mov of parts")
        self.write(thread, target, self.value(thread, source, 64))

    def _do_cvta(self, thread: Thread, statement: Statement) -> None:
        target, source = statement.operands
        value = self.value(thread, source, 64)
        if any(each.startswith(".shared") for each in statement.modifiers):
            value += -WINDOW if ".to" in statement.modifiers else WINDOW
        self.write(thread, target, value)

    def _do_nanosleep(self, _thread: Thread, _statement: Statement) -> None:
        """Does nothing."""

    _do_fence = _do_membar = _do_prefetch = _do_pragma = _do_nanosleep

    def _do_cp(self, thread: Thread, statement: Statement) -> None:
        modifiers, operands = statement.modifiers, statement.operands
        if ".reduce" in modifiers:
            raise NotRunnableError("cp.reduce.async")
        if modifiers[:2] == (".async", ".bulk"):
            self._bulk(thread, statement)
        elif ".commit_group" in modifiers:
            self._commit(thread, is_bulk=False)
        elif ".wait_all" in modifiers:
            self._commit(thread, is_bulk=False)
            self._wait(thread, 0, is_bulk=False)
        elif ".wait_group" in modifiers:
            self._wait(thread, int(operands[0]), is_bulk=False)
        elif ".mbarrier" in modifiers:
            # Here, the thread has waited for its copies before; a later arrival is not modelled.
            self.memory.complete_all(lambda it: it in thread.open)
            for each in thread.groups[False]:
                self.memory.complete_all(each.__contains__)
            if ".noinc" in modifiers:
                self.memory.object(self.address(thread, operands[0]) & 0xFFFFFF).change(1, 0)
        else:
            source = self.memory.place(self.address(thread, operands[1]), "global")
            target = self.memory.place(self.address(thread, operands[0]), "shared")
            self._issue(thread, Copy(source, target, int(operands[2])))

    def _issue(self, thread: Thread, copy: Copy) -> None:
        self.memory.copies.append(copy)
        thread.open.append(copy)

    def _commit(self, thread: Thread, *, is_bulk: bool) -> None:
        own = [each for each in thread.open if (not each.target[0]) == is_bulk]
        thread.open = [each for each in thread.open if each not in own]
        thread.groups[is_bulk].append(own)

    def _wait(self, thread: Thread, n_left: int, *, is_bulk: bool) -> None:
        groups = thread.groups[is_bulk]
        for each in groups[: max(0, len(groups) - n_left)]:
            self.memory.complete_all(each.__contains__)

    def _bulk(self, thread: Thread, statement: Statement) -> None:
        modifiers, operands = statement.modifiers, statement.operands
        if ".commit_group" in modifiers:
            self._commit(thread, is_bulk=True)
        elif ".wait_group" in modifiers:
            self._wait(thread, int(operands[0]), is_bulk=True)
        elif ".prefetch" in modifiers:
            return
        else:
            to, source, size, *rest = operands
            is_store = modifiers[2] == ".global"
            spaces = ("global", "shared") if is_store else ("shared", "global")
            target, origin = (
                self.memory.place(self.address(thread, each), space)
                for each, space in zip((to, source), spaces, strict=True)
            )
            object_ = None if is_store else self.address(thread, rest[0]) & 0xFFFFFF
            copy = Copy(origin, target, self.value(thread, size, 32), object_)
            if is_store:
                self._issue(thread, copy)
            else:
                self.memory.copies.append(copy)

    def _do_mbarrier(self, thread: Thread, statement: Statement) -> None:
        modifiers, operands = statement.modifiers, statement.operands
        where = next(each for each in operands if each.startswith("["))
        address = self.address(thread, where) & 0xFFFFFF
        after = [self.value(thread, each, 64) for each in operands[operands.index(where) + 1 :]]
        self.memory.n_changes += modifiers[0] not in (".test_wait", ".try_wait")
        if modifiers[0] == ".init":
            self.memory.mbarriers[address] = Mbarrier(after[0], after[0])
            return
        found = self.memory.object(address)
        if modifiers[0] == ".inval":
            del self.memory.mbarriers[address]
        elif modifiers[0] in (".arrive", ".arrive_drop"):
            is_expecting = ".expect_tx" in modifiers
            self.write(thread, operands[0] if operands[0] != where else "_", found.phase)
            count = 1 if is_expecting or not after else after[0]
            found.count -= count if modifiers[0] == ".arrive_drop" else 0
            if is_expecting:
                found.n_bytes += after[0]
            found.change(count, 0)
        elif modifiers[0] == ".expect_tx":
            found.change(0, after[0])
        elif modifiers[0] in (".test_wait", ".try_wait"):
            is_parity = ".parity" in modifiers
            is_done = found.phase & 1 != after[0] & 1 if is_parity else found.phase > after[0]
            self.write(thread, operands[0], int(is_done))
        else:
            raise NotRunnableError("mbarrier" + "".join(modifiers))


def _size(statement: Statement) -> int:
    """Returns the number of bytes of an element."""
    return int("".join(filter(str.isdigit, statement.modifiers[-1])) or 32) // 8


def elements(text: str) -> list[str]:
    """Returns the parts of a vector."""
    return [each.strip() for each in text.strip("{}").split(",")]
