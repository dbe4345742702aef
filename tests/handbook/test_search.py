"""The line of a page that a search shows."""

import pytest

from ptx_ls.handbook.search import Searched, found

PAGE = """\
# `copy`
A bulk copy reads shared
memory later. Wait for it before the
memory is reused.

- An item may be
  wrapped, too.

| fence | orders memory |

```ptx
mov.b32 %r1, memory; // wait. done
```
"""


def check_line(words: str, expected: str) -> None:
    (hit,) = found(words, [Searched("copy", "data movement", PAGE)])
    assert hit.line == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("shared memory", "A bulk copy reads shared memory later."),
        ("wait memory", "Wait for it before the memory is reused."),
        ("wrapped", "An item may be wrapped, too."),
        ("fence", "fence | orders memory"),
        ("done", "mov.b32 %r1, memory; // wait. done"),
        ("copy", "`copy`"),
    ],
)
def test_whole_sentences(words: str, expected: str) -> None:
    check_line(words, expected)
