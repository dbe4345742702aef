"""Memory events in words: those of one instruction, and those that a form may have."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.wording.expression_words import BIT_WIDTH
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.phrases import capitalised, code, quantity
from ptx_ls.isa.event_words import ACTIONS, COMMITS, COMPLETIONS, EXECUTED_BY, GROUP_ACTIONS
from ptx_ls.isa.memory_events import AccessEvent, MemoryEvents, SyncEvent
from ptx_ls.source.english import inflected, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ptx_ls.isa.notation.table import ConditionalWord, EventRow, EventRows, Node, SlotText

TOLD: Final = frozenset(
    {"reads memory", "writes memory", "orders memory", "synchronises", "asynchronous", "waits",
     "allocates", "changes state"}
)  # fmt: skip
"""Words of effects that the memory events of a form say more exactly."""
_DOES: Final = "does"
_PLAIN: Final = "generic"
_WEAK: Final = "weak"
_KINDS: Final = {_WEAK: "a weak", "volatile": "a volatile", "mmio": "an mmio"}
"""The orders that name a kind of access, each after its article."""
_ADDRESS: Final = "address"
_THREAD: Final = "thread"
_ORDERS: Final = {"sc": "sequentially consistent", "acq_rel": "acquire-release"}
_PROXIES: Final = {"readonly": "read-only"}
_MEMORY: Final = {
    "tensor": "Tensor Memory",
    "texture": "a texture",
    "surface": "a surface",
    "fabric": "memory across the fabric",
}
_THROUGH: Final = {"descriptor": " through a descriptor", "tensor map": " through a tensor map"}
_MAP: Final = "tensor map"
_COORDINATES: Final = "coordinates"
_COMPLETE: Final = "mbarrier complete"
_OBJECT: Final = "an mbarrier object"
_COMMIT: Final = "commit"
_PROXY_FENCE: Final = "proxy fence"
_PREPOSITIONS: Final = {"reads": "from ", "writes": "to "}
"""The words between an access and the surface or texture."""
_IN_BYTES: Final = " / 8"
_NUMBER_IN: Final = "the number in "
_EACH: Final = " for each in "
_GROUPS: Final = {"bulk": "cp.async.bulk"}
"""Instructions of a group, where its name in the data differs from them."""


def event_sentences(events: MemoryEvents, texts: Mapping[str, str]) -> list[str]:
    """Describes what an instruction does, in at most three short sentences.

    `texts`: the operands as they are written, by name. Omits acts that only repeat the purpose of
    the instruction, and accesses that are part of an act. Of a single act, which the purpose of the
    instruction names, only gives the order and the scope. Says nothing of ordinary weak accesses of
    a thread, which the purpose of the instruction names completely.
    """
    acts = [each for each in events.syncs if each.order and each.action != _COMPLETE]
    objects = {each.operand for each in acts if each.operand}
    accesses = [each for each in events.accesses if each.operand not in objects]
    if not acts and not events.completion and events.executed_by == _THREAD:
        accesses = [each for each in accesses if not _is_ordinary(each)]
    clauses = [_accesses(list(it), how, texts) for how, it in groupby(accesses, _manner)]
    if clauses or len(acts) > 1:
        clauses += [_act(acts, number) for number in range(len(acts))]
    else:
        clauses += [_manner(each).replace(" with ", "has ") for each in acts]
    found = [f"{capitalised('; '.join(dict.fromkeys(clauses)))}."] if clauses else []
    if events.completion:
        found.append(f"Asynchronous: {COMPLETIONS[events.completion]}.")
    if events.executed_by != _THREAD:
        found.append(EXECUTED_BY[events.executed_by])
    return found


def _act(acts: Sequence[SyncEvent], number: int) -> str:
    """Returns an act with its manner; an object that the act before it names is "the object"."""
    act = acts[number]
    if act.action == _PROXY_FENCE and act.proxy not in ("", _PLAIN):
        proxy = _PROXIES.get(act.proxy, act.proxy)
        start = f"orders accesses through the {proxy} proxy relative to other accesses"
        return start + _manner(act._replace(proxy=""))
    words = ACTIONS[act.action]
    is_same = number > 0 and act.operand == acts[number - 1].operand != ""
    return (words.replace(_OBJECT, "the object") if is_same else words) + _manner(act)


def _is_ordinary(access: AccessEvent) -> bool:
    """Whether an access is weak, through the generic proxy, at an address."""
    return (access.order, access.proxy, access.by) == (_WEAK, _PLAIN, _ADDRESS)


def _accesses(accesses: list[AccessEvent], manner: str, texts: Mapping[str, str]) -> str:
    """Returns "reads 16 bytes of `.shared::cta` memory with a weak access", or several."""
    found = dict.fromkeys(_access(each, texts) for each in accesses)
    kinds: dict[str, list[str]] = {}
    for kind, memory in found:
        kinds.setdefault(memory, []).append(kind)
    clauses = [f"{' and '.join(those)} {memory}" for memory, those in kinds.items()]
    if len(found) > 1:
        for kind in _KINDS:
            manner = manner.replace(f"with {_KINDS[kind]} access", f"with {kind} accesses")
    return " and ".join(clauses) + ("," if len(clauses) > 1 and manner else "") + manner


def _access(access: AccessEvent, texts: Mapping[str, str]) -> tuple[str, str]:
    """Returns "reads", and "16 bytes of `.shared::cta` memory"."""
    size = texts.get(access.size, "") or access.size
    number = f"{access.n_bytes:,}" if access.n_bytes else quantity(size) if size else ""
    amount = f"{number} byte{'' if number == '1' else 's'} " if number else ""
    if access.lanes:
        amount = f"{access.lanes} rows of {amount}" if amount else f"{access.lanes} rows "
    memory = _MEMORY.get(access.space, f"{_modifier(access.space)} memory")
    where = f"{amount}of {memory}" if amount else memory
    if access.space == _PLAIN:
        where = f"{amount or 'memory '}at a generic address"
    through = _THROUGH.get(access.by, "")
    return access.kind, f"{where}{through}"


def _modifier(word: str) -> str:
    """Returns a state space or a scope as it is written, such as "`.gpu`"."""
    return code(word if word == _PLAIN else f".{word}")


def _manner(event: AccessEvent | SyncEvent) -> str:
    """Returns the order, the scope and the proxy of an event in words."""
    if event.order in _KINDS:
        found = f" with {_KINDS[event.order]} access"
    else:
        found = f" with {_ORDERS.get(event.order, event.order)} order" if event.order else ""
    if event.scope and found:
        found += f" at {_modifier(event.scope)} scope"
    if event.proxy not in ("", _PLAIN):
        word = " through" if isinstance(event, AccessEvent) else ", for"
        found += f"{word} the {_PROXIES.get(event.proxy, event.proxy)} proxy"
    return found


def _on_groups(action: str, row: EventRow) -> str:
    """Returns "waits until at most `N` `cp.async` groups are pending"."""
    of = row.texts["of"].default
    if action == _COMMIT and of in COMMITS:
        return COMMITS[of]
    words = GROUP_ACTIONS[action][bool(row.argument)]
    return words.format(of=code(_GROUPS.get(of, of)), number=code(row.argument))


def form_sentences(rows: EventRows, wording: Wording) -> tuple[str, ...]:
    """Describes the events that instructions of a form may have, each in one sentence."""
    words = _FormWords(wording)
    found = [text for row in rows.events for text in words.event(row)]
    found += words.cases(rows.completion, COMPLETIONS, "Asynchronous: ")
    found += words.cases(rows.executed_by, EXECUTED_BY)
    return tuple(dict.fromkeys(found))


def _per_element(number: str) -> str:
    """Returns "4 for each in `.vec`" for the product of such a number and bits."""
    count, times, bits = number.partition(" × ")
    bits = bits.removesuffix(_IN_BYTES)
    if not times or not bits.isdecimal() or not count.startswith(_NUMBER_IN):
        return number
    return f"{int(bits) // 8}{_EACH}{count.removeprefix(_NUMBER_IN)}"


def _type_of_size(number: str) -> str:
    """Returns the type whose size in bytes a number is, such as "`.vec.type`"; "" for others."""
    is_size = number.startswith(BIT_WIDTH) and number.endswith(_IN_BYTES)
    return number.removeprefix(BIT_WIDTH).removesuffix(_IN_BYTES) if is_size else ""


class _FormWords:
    """Describes the events of a form, whose modifiers may be known."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def event(self, row: EventRow) -> Iterable[str]:
        """Yields the sentence on an event, if it is possible."""
        condition = self._condition(row.condition)
        if condition is not False:
            prefix = f"if {condition}, the instruction " if isinstance(condition, str) else ""
            yield f"{capitalised(prefix + self._clause(row))}."

    def cases(
        self, words: Iterable[ConditionalWord], meanings: Mapping[str, str], prefix: str = ""
    ) -> Iterable[str]:
        """Yields a sentence on the words that may hold, up to the first that surely does."""
        cases: list[str] = []
        for each in words:
            condition = self._condition(each.condition)
            if condition is not False and each.word != _THREAD:
                text = meanings[each.word].rstrip(".")
                text = text[:1].lower() + text[1:]
                otherwise = "otherwise, " * bool(cases)
                when = f"if {condition}, " if isinstance(condition, str) else otherwise
                cases.append(when + text)
            if condition is True:
                break
        if cases:
            yield f"{capitalised(prefix + '; '.join(cases))}."

    def _condition(self, node: Node | None) -> str | bool:
        return True if node is None else self._wording.condition(node)

    def _clause(self, row: EventRow) -> str:
        """Returns what an instruction does, such as "writes 4 bytes at `a` in `.global` memory"."""
        action = row.texts["action"].default if row.kind == _DOES else ""
        if action in GROUP_ACTIONS:
            return _on_groups(action, row)
        number = code(row.argument) if row.argument else ""
        if row.amount is not None and not row.argument:
            number = _per_element(self._wording.number(row.amount))
        if action == _PROXY_FENCE and "proxy" in row.texts:
            proxy = self._word(row.texts["proxy"])
            start = f"orders accesses through the {proxy} proxy relative to other accesses"
            return start + self._named(row, number) + self._space(row) + self._manner(row, "")
        if row.kind == _DOES:
            start = ACTIONS[action] + self._named(row, number)
        else:
            start = f"{row.kind} {self._accessed(row, number)}"
        return start + self._space(row) + self._manner(row, "for" if action else "through")

    def _accessed(self, row: EventRow, number: str) -> str:
        """Returns what an access reads or writes, such as "4 bytes at `a`"."""
        operand, space = code(row.operand), row.texts["space"].default
        if self._means(row) == _COORDINATES:
            preposition = _PREPOSITIONS.get(row.kind, "")
            return f"{preposition}the {space} {operand} at the given coordinates"
        type_ = _type_of_size(number)
        count, each, slot = number.partition(_EACH)
        number = f"({number})" if " " in number else number
        amount = f"{number} byte{'s' * (number != '1')}" if number else _MEMORY.get(space, "memory")
        amount = f"{count} bytes for each element of {slot}" if each else amount
        amount = f"data of type {type_}" if type_ else amount
        of = f" of {_MEMORY[space]}" if number and space in _MEMORY else ""
        how = _THROUGH.get(self._means(row), " at").replace(" a ", " the ")
        return f"{amount}{of}{how} {operand}"

    def _named(self, row: EventRow, number: str) -> str:
        """Returns the operands of an act in parentheses, or ""."""
        operands = [code(row.operand)] if row.operand else []
        if number and row.argument:
            operands.append(number)
        noun = inflected("operand", len(operands))
        parts = [f"{noun} {listed(operands, 'and')}"] if operands else []
        if number not in ("", "1") and not row.argument:
            type_ = _type_of_size(number)
            parts.append(f"amount: {f'the size of {type_}' if type_ else number}")
        if parts and self._means(row) == _MAP:
            return f" through the tensor map {code(row.operand)}"
        return f" ({'; '.join(parts)})" if parts else ""

    @staticmethod
    def _means(row: EventRow) -> str:
        """Returns how the operand names what is accessed."""
        return row.texts["by"].default if "by" in row.texts else ""

    def _space(self, row: EventRow) -> str:
        """Returns the state space of an event, if its operand does not already say it."""
        text = row.texts.get("space")
        if text is None or (text.slot is None and text.default in _MEMORY):
            return ""
        word = self._word(text, _modifier)
        if word == code(_PLAIN):
            return "" if row.kind == _DOES else ", a generic address"
        return f" in the state space {word}"

    def _manner(self, row: EventRow, preposition: str) -> str:
        """Returns the order, the scope and the proxy of an event, each with its default.

        Without a preposition, omits the proxy.
        """
        texts = row.texts
        found = f", with the memory order {self._word(texts['order'])}" if "order" in texts else ""
        if "scope" in texts:
            found += (
                f" {'and' if found else 'with'} the scope {self._word(texts['scope'], _modifier)}"
            )
        if "proxy" in texts and preposition:
            found += f", {preposition} the {self._word(texts['proxy'])} proxy"
        return found

    def _word(self, text: SlotText, shown: Callable[[str], str] = code) -> str:
        """Returns the word that a slot gives, or the slot with its default."""
        if text.slot is None:
            return shown(text.default)
        node = self._wording.known.value(text.slot)
        if node[0] == "constant":
            written = str(node[1]).removeprefix(".") or text.default
            return shown(written) if written else "none"
        names = self._slot(node)
        return f"{names} (default: {shown(text.default)})" if text.default else names

    def _slot(self, node: Node) -> str:
        return self._wording.slot(node[1]) if node[0] == "slot" else code(str(node[1]))
