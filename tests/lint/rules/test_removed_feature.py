from tests.support.lint import check_lint


def test_vote() -> None:
    check_lint("""
    vote.all.pred %p1, %p2;
    ^^^^^^^^^^^^^ removed-feature: `vote.all.pred` is no longer supported, it needs PTX ISA 6.3 or
    """)
