"""Code that never runs, and results that nothing reads, are marked so that editors fade them."""

import pytest
from lsprotocol.types import DiagnosticTag

from tests.server.client import Client

pytestmark = pytest.mark.slow

TEXT = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    add.u32 %r2, %r1, 1;
    bra done;
    st.global.u32 [%rd1], %r1;
done:
    st.global.u32 [%rd1], %r1;
    ret;
}
"""


def test_faded_lines() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        found = client.notification("textDocument/publishDiagnostics")["diagnostics"]
        faded = [it for it in found if DiagnosticTag.Unnecessary in it.get("tags", ())]
        lines = {(it["range"]["start"]["line"], it["range"]["end"]["line"]) for it in faded}
        assert {(9, 9), (11, 11)} <= lines
