"""The number of diagnostics of each rule, in place of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.cli.reports.choice import OutputFormat

if TYPE_CHECKING:
    from collections import Counter

_IN_JSON = (OutputFormat.JSON, OutputFormat.JSONL)


def statistics(counts: Counter[str], output_format: OutputFormat) -> str:
    """Returns a line for each rule, the most frequent first; JSON in the formats that are JSON."""
    ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    if output_format not in _IN_JSON:
        width = max((len(str(count)) for _, count in ranked), default=0)
        return "".join(f"{count:>{width}}  {rule}\n" for rule, count in ranked)
    import json

    rows = [json.dumps({"rule": rule, "count": count}) for rule, count in ranked]
    if output_format is OutputFormat.JSONL:
        return "".join(f"{row}\n" for row in rows)
    return "[\n" + ",\n".join(rows) + "\n]\n"
