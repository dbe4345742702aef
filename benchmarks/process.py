"""What another process has used so far."""

import re
import time
from pathlib import Path


def cpu_seconds(process_id: int) -> float:
    """CPU time of all threads of a running process. Linux only."""
    return time.clock_gettime((~process_id << 3) | 2)  # as clock_getcpuclockid(3) makes it


def resident_bytes(process_id: int) -> int:
    """Memory of a running process that is in RAM. Linux only."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii")
    match = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    if match is None:
        raise ValueError(f"no VmRSS in the status of process {process_id}")
    return int(match[1]) * 1024
