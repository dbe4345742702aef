from ptx_ls.syntax.record import Record
from ptx_ls.syntax.scanner import Key, Read

source: str

def scan(lines: list[str], known: dict[Key, Record], read: Read) -> list[Record]: ...
def may_overflow(lines: list[str], ranges: tuple[tuple[str, int], ...]) -> bool: ...
