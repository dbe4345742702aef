"""Prints the CPU seconds of the lint of each file, in one process: `lint_times.py FILE...`.

It is a script and imports only ptx_ls, because other versions of it run this, too. Garbage
collection is off, as in `ptx-ls lint`.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

from ptx_ls.document.document import Document
from ptx_ls.lint import lint

if __name__ == "__main__":
    gc.disable()
    for name in sys.argv[1:]:
        text = Path(name).read_text(encoding="utf-8")
        before = time.process_time()
        lint(Document.read(text))
        print(time.process_time() - before)
