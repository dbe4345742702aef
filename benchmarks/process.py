"""Reads how much CPU time and memory another process uses, and keeps this one from disturbing."""

import gc
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MOMENT = 0.7  # seconds without any work
_NOTHING = 0.005  # CPU seconds that a timer may use


def cpu_seconds(process_id: int) -> float:
    """Returns the CPU time of all threads of a running process. Linux only."""
    return time.clock_gettime((~process_id << 3) | 2)  # the ID is that of clock_getcpuclockid(3)


def resident_bytes(process_id: int) -> int:
    """Returns how many bytes of a running process are in RAM. Linux only."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii")
    match = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    if match is None:
        raise ValueError(f"no VmRSS in the status of process {process_id}")
    return int(match[1]) * 1024


def wait_for_rest(process_id: int) -> None:
    """Waits until a running process does nothing for a moment. Linux only."""
    used = -1.0
    while used + _NOTHING < (used := cpu_seconds(process_id)):
        time.sleep(_MOMENT)


@contextmanager
def no_litter() -> Iterator[None]:
    """Turns off Python's garbage collection among a million lines while waiting for answers."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
