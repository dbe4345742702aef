"""Sentences that users and developers read are in plain English: see CONTRIBUTING.md."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

import pytest

import ptx_ls

ROOT = Path(ptx_ls.__file__).parents[1]
PAIRS_OF_CONTRIBUTING = re.compile(r"(?ms)^## Writing English\n.*?(?=^## )")
CODE = re.compile(r"(?s)```.*?```|~~~.*?~~~|``.+?``|`[^`\n]*`")
COMMENT = re.compile(r"(?:^\s*(?:--|;|\"|#|\*)|//|/\*|--\s)\W*(.*)")
REMARK = re.compile(r"(?:^ *|  )# (?:noqa: \S+ *)?(.*)")
COMPARATIVE = r"(?:longer|more|less|later|better|worse|one|\w+er than)\b"


class Banned(NamedTuple):
    """Words that a native reader stumbles over.

    Attributes:
        pattern: finds them.
        instead: says what to write.
    """

    pattern: re.Pattern[str]
    instead: str


def banned(pattern: str, instead: str) -> Banned:
    return Banned(re.compile(pattern), instead)


BANNED = (
    banned(
        r"\bWhat\b(?![^.?]*\?)",
        "a noun: `The changes that a run makes`, not `What a run changes`",
    ),
    banned(r"\b[Bb]ehind\b", "`after`; of what is left: nothing"),
    banned(r"\b[Nn]obody\b", "`no one`, or the passive: `is never read`"),
    banned(r"\b[Tt](?:ells?|elling|old) of\b", "`says`, `describes` or `reports`"),
    banned(r"\bstands?\b(?! for\b| in for\b)", "`is`"),
    banned(
        rf"(?<!\bthere )(?<!\bThere )\b(?:is|are) no (?!{COMPARATIVE})",
        "`is not a`, `is not declared`",
    ),
    banned(r"\bc(?:omes?|ame|oming) to (?!an? end\b)", "`reaches`, `executes` or `is`"),
    banned(r"\b[Aa]ll the same\b", "`anyway`, `still`; of equals: `identical`"),
    banned(r"\blooked at\b", "the active: `reads`, `checks` or `considers`"),
    banned(r"\b(?:go|goes|going|went) on\b", "`continues`"),
    banned(r"\bany more\b", "`no longer`: `the file no longer exists`"),
    banned(
        r"(?:[,:]|\b(?:no|not)\b[^.:;]*) comes? (?:before|after)(?=[.:;]|$)",
        "`comes first`, `follows`",
    ),
    banned(r"\bwhich is assumed\b", "`this assumes`"),
    banned(r"\b(?:[Hh]ere|[Tt]here|[Ww]here)(?:by|in|of|upon|with)\b", "`by this`, `in it`"),
    banned(r"\bin vain\b", "`without effect`, `uselessly`"),
    banned(r"\bworth a word\b", "`worth noting`, or nothing"),
    banned(r"\b(?:speaks?|spoke) (?:of|to)\b", "`mentions`, `refers to`, `communicates with`"),
    banned(
        r"\bgives? way\b", "`yields`, or the reason itself: `weak definitions are used only if`"
    ),
    banned(r"\b(?:is|are) said (?:of|about|to)\b", "the active: `the message says`"),
    banned(r"\b(?:makes?|made) no code of\b", "`cannot compile`, `rejects`"),
    banned(r"\b(?:hence|thus|whence|wherefore|lest|upon)\b", "`so`, `because`, `on`"),
    banned(r"\bshall\b", "`must`, `should`"),
    banned(
        r"\bas (?:the|its|their|a) [\w-]+ says?\b", "`according to the …`, `depending on the …`"
    ),
    banned(r"\bas with the modifier\b", "`as if … were written`"),
    banned(r"\bleft as it is\b", "`is not changed`"),
    banned(r"\bamong themselves\b", "`relative to each other`"),
    banned(r"\bin there\b", "`in it`, or the noun: `in the group`"),
    banned(r"\bso many\b", "`that many`, or the noun: `the number of …`"),
    banned(r"\bin spite of\b", "`despite`"),
    banned(r"\bexactly when\b", "`if and only if`"),
    banned(r"\bThis is (?:also )?reported\b", "a noun: `The access is reported`"),
    banned(
        r"\bcover(?:s|ed)? (?:the|its|that|this|an?) (?:copy|group|instruction|operation)\b",
        "`waits for` or `includes`",
    ),
    banned(r", which (?:thread|lane|warp|block) \S+ \w+s\b", "`and thread 1 reads …`"),
    banned(r"\bPtxas\b", "`ptxas`, also at the start of a sentence"),
    banned(
        r"\b(?:go|goes|gone|went) (?:the same|different) ways?\b", "`take the same path`, `diverge`"
    ),
    banned(
        r"\b(?:before|after) what (?:comes|came|follows)\b",
        "a noun: `before a later synchronisation`",
    ),
    banned(r"(?i:\bis(?:reg|imm|vec|name|real|sink)\b)(?: of\b)", "`is a register`, `is a vector`"),
    banned(r"\bsa(?:ys?|id) nothing of\b", "`does not mention`, `omits`"),
    banned(
        r"\b[Ii]n (?:what (?:a |the )?compilers? (?:wrote|writes?)|the output of compilers)\b",
        "`in compiler output`",
    ),
    banned(
        r"\bthis (?:waits|arrives|orders|allocates|copies|reads|writes|overwrites|loads|stores)\b",
        "a noun: `this instruction waits`",
    ),
)


class Sentence(NamedTuple):
    path: Path
    line: int
    text: str


def sentences() -> Iterator[Sentence]:
    """Yields the texts that users and developers read, without the code in them."""
    return chain(
        chain.from_iterable(map(strings, programs())),
        chain.from_iterable(map(docstrings, modules_of_tests())),
        chain.from_iterable(map(remarks, (*programs(), *modules_of_tests()))),
        chain.from_iterable(map(prose_of_data, sorted((ROOT / "ptx_ls").rglob("*.toml")))),
        chain.from_iterable(map(paragraphs, pages())),
        chain.from_iterable(map(comments, files_with_comments())),
        settings(ROOT / "vscode-extension" / "package.json"),
    )


def programs() -> Iterator[Path]:
    """Yields the modules of the package, and of the tools for its development."""
    yield from (ROOT / "dev", ROOT / "hatch_build.py")
    for name in ("ptx_ls", "docs", "certify"):
        yield from sorted((ROOT / name).rglob("*.py"))
    for pattern in ("*.py", "[!.]*/**/*.py"):  # not benchmarks/.cache
        yield from sorted((ROOT / "benchmarks").glob(pattern))


def modules_of_tests() -> Iterator[Path]:
    """Yields the modules of the tests, except this one, which contains banned words."""
    yield from (path for path in sorted((ROOT / "tests").rglob("*.py")) if path != Path(__file__))


def docstrings(path: Path) -> Iterator[Sentence]:
    """Yields the strings of a module that describe it, or a part of it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from (Sentence(path, node.lineno, it) for it in values(node.value.value))


def remarks(path: Path) -> Iterator[Sentence]:
    """Yields the comments of a module."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = REMARK.search(line)
        if match is not None:
            yield Sentence(path, number, match[1])


def strings(path: Path) -> Iterator[Sentence]:
    """Yields the strings of a module; an f-string is one, with `…` for its values."""
    parts: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts.update(map(id, node.values))
            pieces = [it.value if isinstance(it, ast.Constant) else "…" for it in node.values]
            yield Sentence(path, node.lineno, "".join(map(str, pieces)))
        elif isinstance(node, ast.Constant) and id(node) not in parts:
            yield from (Sentence(path, node.lineno, it) for it in values(node.value))


def prose_of_data(path: Path) -> Iterator[Sentence]:
    """Yields the strings and comments of a TOML file, with the line where it can be found."""
    text = path.read_text(encoding="utf-8")
    for value in values(tomllib.loads(text)):
        start = text.find(value.strip().partition("\n")[0])
        yield Sentence(path, text.count("\n", 0, max(start, 0)) + 1, value)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            yield Sentence(path, number, line.lstrip("# "))


def values(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from chain.from_iterable(map(values, data.values()))
    elif isinstance(data, list):
        yield from chain.from_iterable(map(values, data))


def pages() -> Iterator[Path]:
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    yield ROOT / "editors" / "README.md"
    yield from sorted((ROOT / "vscode-extension").glob("*.md"))
    yield from sorted((ROOT / "vscode-extension" / "media").rglob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


def paragraphs(path: Path) -> Iterator[Sentence]:
    """Yields the paragraphs of a Markdown page."""
    text = path.read_text(encoding="utf-8")
    text = blank(CODE, blank(PAIRS_OF_CONTRIBUTING, text))
    numbered = enumerate(text.splitlines(), start=1)
    for is_blank, lines in groupby(numbered, key=lambda it: not it[1].strip()):
        if not is_blank:
            first, *others = lines
            yield Sentence(path, first[0], "\n".join(line for _, line in (first, *others)))


def files_with_comments() -> Iterator[Path]:
    """Yields files for editors, the extension, the examples, and the code in C."""
    files = sorted((ROOT / "editors").rglob("*"))
    yield from (path for path in files if path.suffix in (".el", ".lua", ".rs", ".toml", ".vim"))
    yield from sorted((ROOT / "vscode-extension" / "src").rglob("*.ts"))
    yield from sorted((ROOT / "examples").glob("*.ptx"))
    yield from sorted((ROOT / "ptx_ls" / "syntax" / "inner_loops").glob("*.[ch]"))


def comments(path: Path) -> Iterator[Sentence]:
    """Yields the comments of a file, and the strings at the start of its lines."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = COMMENT.search(line)
        if match is not None:
            yield Sentence(path, number, match[1])


def settings(path: Path) -> Iterator[Sentence]:
    for value in values(json.loads(path.read_text(encoding="utf-8"))):
        yield Sentence(path, 1, value)


def blank(pattern: re.Pattern[str], text: str) -> str:
    """Replaces matches by an ellipsis in as many lines."""
    return pattern.sub(lambda it: "…" + "\n" * it[0].count("\n"), text)


def check_wording(text: str) -> list[str]:
    """Returns the banned words of a text, each with what to write instead."""
    text = blank(CODE, text)
    return [
        f"{match[0].strip()!r}: write {instead}"
        for pattern, instead in BANNED
        for match in pattern.finditer(text)
    ]


def test_sentences_are_in_plain_english() -> None:
    found = [
        f"{it.path.relative_to(ROOT).as_posix()}:{it.line}: {problem}"
        for it in sentences()
        if " " in it.text.strip()
        for problem in check_wording(it.text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "What a run changes in files.",
        "Returns the labels. What is not used is left out.",
        "Returns the labels that it leaves behind.",
        "A kernel of which nobody knows the stack.",
        "The message tells of the cause.",
        "The rule stands in this folder.",
        "`%p` is no register.",
        "The thread comes to the barrier.",
        "ptxas rejects it all the same.",
        "Only the first line is looked at.",
        "The loop goes on.",
        "Other threads go on.",
        "The file does not exist any more.",
        "The object may not exist yet: no barrier comes before",
        "It is set, and thereby used.",
        "It speaks to other threads.",
        "The result is rounded, as the modifier says.",
        "A file that cannot be parsed is left as it is.",
        "The slots keep their order among themselves.",
        "Returns the functions with their numbers in there.",
        "Shows at most so many lines.",
        "The exit status is 0 in spite of findings.",
        "The operand is given exactly when the modifier is given.",
        "This is reported only if the address is known.",
        "No wait covers the copy.",
        "Thread 0 writes the byte, which thread 1 reads.",
        "Ptxas accepts it.",
        "Isreg of the operand must be 1.",
        "The hover says nothing of the value.",
        "All lanes of the warp go the same way.",
        "It orders operations before what follows a barrier.",
        "In what compilers wrote, the rule is off.",
        "Thread 1 has not arrived, so this waits forever.",
    ],
)
def test_stilted_words_are_found(text: str) -> None:
    assert check_wording(text)


@pytest.mark.parametrize(
    "text",
    [
        "What does a kernel need? It depends.",
        "Returns what a run changes.",
        "There is no register.",
        "It is no longer used, and is no larger than a word.",
        "`EVERY` stands for all rules.",
        "The loop comes to an end.",
        "Names, of which there may be many more.",
        "The barrier comes before the access.",
        "Prints `nobody`.",
        "The access is reported only if the address is known.",
        "It shows which thread waits.",
        "The thread that executes this instruction waits.",
    ],
)
def test_plain_words_are_not_found(text: str) -> None:
    assert not check_wording(text)
