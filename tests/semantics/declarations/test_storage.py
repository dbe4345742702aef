import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.declarations.storage import alignment_of, bytes_of
from ptx_ls.semantics.symbols.module import region_facts


def check_storage(declaration: str, n_bytes: int | None, alignment: int) -> None:
    """Fails unless the first symbol of a declaration has this size and alignment."""
    symbol = region_facts(Document.read(declaration).leaf(0)).symbols[0]
    assert (bytes_of(symbol), alignment_of(symbol)) == (n_bytes, alignment)


@pytest.mark.parametrize(
    ("declaration", "n_bytes", "alignment"),
    [
        (".global .u32 x;", 4, 4),
        (".shared .align 16 .b8 x[40];", 40, 16),
        (".shared .f64 x[2][3];", 48, 8),
        (".const .v4.f32 x[2];", 32, 16),
        (".extern .shared .align 16 .b8 x[];", None, 16),
        (".global .u16 x[] = {1, 2, 3};", 6, 2),
        (".global .u8 x[][2] = {{1, 2}, {3, 4}};", 4, 1),
        (".global .u32 x[2] = {1};", 8, 4),
        (".common .global .u32 x[2];", None, 4),
        (".shared .b8 x[0];", None, 1),
        (".global .u16 x[] = {" + "1, " * 99 + "1};", None, 2),
        (".global .u32 x[] = 5;", None, 4),
    ],
)
def test_variable(declaration: str, n_bytes: int | None, alignment: int) -> None:
    check_storage(declaration, n_bytes, alignment)
