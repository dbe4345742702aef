"""Random edits and requests: no error, and no answer that the same text read anew does not get."""

from pathlib import Path

import pytest

from tests.server.probes import PROBES, REQUESTS, Scene
from tests.server.profiles import PROFILES
from tests.server.random_session import RandomSession

HANDWRITTEN = Path(__file__).parents[1] / "corpus" / "handwritten"
NAMES = (
    "ptx23-sm20-functions",
    "ptx71-sm80-comments",
    "ptx76-sm87-mixed-line-ends",
    "ptx82-sm90a-hopper",
)


def check_session(profile: str, seed: int, n_steps: int) -> None:
    """Checks a session with some documents."""
    texts = {
        f"file:///{name}.ptx": (HANDWRITTEN / f"{name}.ptx").read_bytes().decode() for name in NAMES
    }
    texts["untitled:hostile"] = '\r\n{ /* 😀 */ } é "\0\u2028" .reg .b32 %r<\n\r@%p bra'
    with RandomSession(texts, seed, PROFILES[profile]) as session:
        for uri in texts:
            for step in range(n_steps // len(texts)):
                session.step(uri)
                if step % 20 == 19:
                    session.compare(uri)
        outcome = session.finish()
    assert outcome.errors == []
    assert outcome.differences == []
    assert outcome.n_compared > n_steps
    assert outcome.n_steps > n_steps


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_random_edits_and_requests(profile: str) -> None:
    check_session(profile, seed=5, n_steps=100)


def test_every_method_that_is_offered_is_asked() -> None:
    asked: set[str] = set()
    place = {"line": 0, "character": 0}
    area = {"start": place, "end": place}

    def ask(method: str, _params: object) -> object:
        asked.add(method)
        return {"items": [{"range": area}]} if method.endswith(("iagnostic", "ompletion")) else [{}]

    for probe in PROBES.values():
        probe(ask, Scene("file:///a.ptx", place, area))
    assert set(REQUESTS) <= asked
