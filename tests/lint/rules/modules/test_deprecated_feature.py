from tests.support.lint import check_module


def test_vote() -> None:
    check_module("""
    .version 6.0
    .target sm_60
    .address_size 64
    .entry k() {
    .reg .pred %p<3>;
    vote.all.pred %p1, %p2;
    ^^^^^^^^^^^^^ deprecated-feature: `vote.all.pred` has been deprecated since PTX ISA 6.0; use
    }
    """)
