"""Makes random edits and requests, and compares all answers with those of a new server."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks import inputs
from benchmarks.figures import Figure
from tests.server.profiles import PROFILES
from tests.server.random_session import Outcome, RandomSession

_N_STEPS = 10_000
_SEED = 5
_COMPARE_EVERY = 1  # step
_MANY_LINES = 100  # documents with more are edited less often, as all answers take longer
_PATIENCE = 7200
_CORPUS = Path(__file__).parents[1] / "tests" / "corpus"
_HOSTILE = (
    '\ufeff\r\n{ /* 😀 */ } é "\0\u2028" .reg .b32 %r<\n\r@%p bra ' + "{" * 200 + "(" * 200,
    ".version 8.0\n.target sm_80\n.entry é😀()\n{\n" + "\tadd.s32 %r1, %r2, %r3; // 😀é\r" * 300,
    "// 日本語\n" + "\t.reg .b32 /*€*/ %r<9>;" * 50 + "\n" + 'x"' * 100,
    "",
)


def measure(arguments: Sequence[str] = ()) -> Iterator[Figure]:
    """Yields how much went wrong in sessions with each kind of editor.

    `arguments`: the seed, the number of steps, and after how many steps all answers are compared.
    """
    defaults = _SEED, _N_STEPS, _COMPARE_EVERY
    seed, n_steps, n_between = (*map(int, arguments), *defaults[len(arguments) :])
    outcomes = []
    for name, capabilities in PROFILES.items():
        share = n_steps // len(PROFILES) + (name == "vscode") * (n_steps % len(PROFILES))
        texts = _texts(name, seed)
        with RandomSession(texts, seed, capabilities, _PATIENCE) as session:
            random = Random(seed)  # noqa: S311  # the same in every run
            _run(session, texts, share, random, n_between)
            outcomes.append(session.finish())
        for problem in (*outcomes[-1].errors, *outcomes[-1].differences):
            print(f"{name}: {problem}", file=sys.stderr)
    yield from _figures(outcomes)


def _run(
    session: RandomSession, texts: dict[str, str], n_steps: int, random: Random, n_between: int
) -> None:
    weights = [1 / (_MANY_LINES + text.count("\n")) for text in texts.values()]
    while session.outcome.n_steps < n_steps:
        (uri,) = random.choices(list(texts), weights)
        for _ in range(n_between):
            session.step(uri)
        session.compare(uri)
        if random.random() < 0.05:  # noqa: PLR2004
            session.close(uri)


def _texts(profile: str, seed: int) -> dict[str, str]:
    """Returns documents of all sorts, different ones for each profile."""
    random = Random(f"{seed} {profile}")  # noqa: S311  # as above
    corpus = sorted([*_CORPUS.glob("handwritten/*.ptx"), *_CORPUS.glob("rejected/*.ptx")])
    compiled = sorted(_CORPUS.glob("ptx/**/*.ptx"))
    paths = [*random.sample(corpus, 8), *random.sample(compiled, 3)]
    names = {"vscode": ["lines1k", "lines100k"], "neovim": ["lines1k"], "minimal": ["small"]}
    paths += [inputs.make(name) for name in names[profile]]
    texts = {f"file:///{path.name}": path.read_bytes().decode(errors="replace") for path in paths}
    return texts | {f"untitled:{number}": text for number, text in enumerate(_HOSTILE)}


def _figures(outcomes: list[Outcome]) -> Iterator[Figure]:
    n_edits = sum(it.n_edits for it in outcomes)
    n_compared = sum(it.n_compared for it in outcomes)
    steps = sum(it.n_steps for it in outcomes)
    yield Figure("random edits and requests", steps, "", remark=f"{n_edits:,} edits")
    n_errors = sum(len(it.errors) for it in outcomes)
    refusals = sum((it.refusals for it in outcomes), outcomes[0].refusals.__class__())
    kinds = ", ".join(f"{count} {what}" for what, count in refusals.most_common(3))
    yield Figure("errors", n_errors, "", 0, f"refused with reason: {refusals.total()} ({kinds})")
    n_different = sum(len(it.differences) for it in outcomes)
    remark = f"{n_compared:,} answers compared"
    yield Figure("answers unlike those from scratch", n_different, "", 0, remark)
