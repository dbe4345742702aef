from tests.support.lint import check_module

HEADER = """\
.version 8.6
.target sm_100a
.address_size 64
.entry k() {
.reg .b64 %rd<2>;
"""


def check_body(marked: str) -> None:
    """Fails unless exactly the marked diagnostics are reported of statements in a kernel."""
    lines = "\n".join(line.strip() for line in marked.strip().split("\n"))
    check_module(f"{HEADER}{lines}\nret;\n}}\n")


def test_mixed() -> None:
    check_body("""
    tcgen05.commit.cta_group::2.mbarrier::arrive::one.b64 [%rd1];
    tcgen05.commit.cta_group::2.mbarrier::arrive::one.b64 [%rd1];
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];
    //            ^^^^^^^^^^^^^ mixed-groups: `.cta_group::1` cannot be combined with
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];
    """)


def test_functions_by_themselves() -> None:
    check_body("""
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];
    ret;
    }
    .entry l() {
    .reg .b64 %rd<2>;
    tcgen05.commit.cta_group::2.mbarrier::arrive::one.b64 [%rd1];
    """)
