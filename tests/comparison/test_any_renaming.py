"""A renamed program is the same one, and a program with any other change is not."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.comparison.comparison import compare
from ptx_ls.comparison.result import ChangeKind, ModuleDifference
from ptx_ls.document.document import Document

CORPUS = Path(__file__).parents[1] / "corpus"
TEXTS = {
    path.stem: path.read_text("utf-8")
    for path in sorted(CORPUS.glob("ptx/*.ptx"))
    if path.stat().st_size < 60_000
}
BANK = re.compile(r"(\.reg\s+\.\w+\s+)(%\w*[A-Za-z])<(\d+)>")
INSTRUCTION = re.compile(r"^\s+(?:@!?%p\d+\s+)?[a-z]\w*\.[\w.:]+\s[^{}\"/]*;$")
DECLARATIONS = re.compile(r"(?:^\s+\.reg[^\n]*;\n)+", re.MULTILINE)
SEEDS = st.integers(0, 1 << 32)
FUNCTION = re.compile(r"^\{\n(.*?)^\}$", re.MULTILINE | re.DOTALL)


def check_compare(old: str, new: str) -> ModuleDifference:
    return compare(Document.read(old), Document.read(new))


def renamed(text: str, chance: random.Random) -> str:
    """Renumbers registers and labels, and adds comments, debug data and other noise."""
    banks = {match[2] for match in BANK.finditer(text)}
    numbers: dict[str, str] = {}
    drawn = list(range(50_000))
    chance.shuffle(drawn)

    def register(match: re.Match[str]) -> str:
        if match[1] not in banks:
            return match[0]
        return numbers.setdefault(match[0], f"{match[1]}{drawn.pop()}")

    def label(match: re.Match[str]) -> str:
        return numbers.setdefault(match[0], f"$L_any{drawn.pop()}")

    text = BANK.sub(r"\1\2<50000>", text)
    text = re.sub(r"(%\w*[A-Za-z])\d+\b", register, text)
    text = re.sub(r"\$L_\w+", label, text)
    text = re.sub(
        r"((?:^\s+\.reg[^\n]*;\n)+)", lambda it: shuffled(it[0], chance), text, flags=re.MULTILINE
    )
    lines = text.splitlines()
    for number in chance.choices(range(len(lines)), k=20):
        if INSTRUCTION.match(lines[number]):
            noise = ("// a comment", "/* another */", "", f"$L_unused{drawn.pop()}:")
            lines[number] += f"\n{chance.choice(noise)}\n  "
    return "\n".join(lines) + "\n"


def dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  not for secrets


def shuffled(lines: str, chance: random.Random) -> str:
    parts = lines.splitlines(keepends=True)
    chance.shuffle(parts)
    return "".join(parts)


def changed(text: str, chance: random.Random) -> tuple[int, str] | None:
    """Changes one operand, constant or modifier; returns the number of its line from 0."""
    body = chance.choice([*FUNCTION.finditer(text)])
    first = text.count("\n", 0, body.start(1))
    lines, whole = body[1].split("\n"), text.split("\n")
    rows = [row for row, line in enumerate(lines) if INSTRUCTION.match(line)]
    if not rows:
        return None
    row = chance.choice(rows)
    line, rest = lines[row], "\n".join(lines[:row] + lines[row + 1 :])
    numbers = re.finditer(r"(?<![\w.%$])\d+\b(?!\.)", line)
    options = [(match.span(), str(int(match[0], 0) + 1)) for match in numbers]
    types = re.finditer(r"\.(?:s32|u32|b32|f32|u64|b64)\b", line)
    options += [(match.span(), ".s16") for match in types]
    for match in re.finditer(r"(%[a-z]+)(\d+)\b", line):
        others = {it for it in re.findall(rf"{match[1]}\d+\b", rest) if it not in line}
        options += [(match.span(), other) for other in sorted(others)[:3]]
    if not options:
        return None
    (start, end), instead = chance.choice(options)
    whole[first + row] = line[:start] + instead + line[end:]
    return first + row, "\n".join(whole)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(TEXTS)), SEEDS)
def test_a_renamed_program_is_the_same(name: str, seed: int) -> None:
    found = check_compare(TEXTS[name], renamed(TEXTS[name], dice(seed)))
    assert [*found.facts, *found.differing] == []


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(TEXTS)), SEEDS)
def test_any_change_is_found_on_its_line(name: str, seed: int) -> None:
    made = changed(TEXTS[name], dice(seed))
    if made is None:
        return
    line, text = made
    [function] = check_compare(TEXTS[name], text).differing
    assert line in {row.new_line for row in function.rows if row.kind is not ChangeKind.SAME}
    assert sum(row.kind is not ChangeKind.SAME for row in function.rows) <= 3


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(TEXTS)), SEEDS)
def test_any_change_of_a_renamed_program_is_found(name: str, seed: int) -> None:
    chance = dice(seed)
    made = changed(TEXTS[name], chance)
    if made is not None:
        assert len(check_compare(TEXTS[name], renamed(made[1], chance)).differing) == 1
