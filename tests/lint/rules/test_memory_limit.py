from tests.support.lint import check_declarations, check_module


def test_shared() -> None:
    check_declarations("""
    .entry k() {
    .shared .b8 a[40000];
    .shared .b32 b[2000];
    .shared .b32 c[1000];
    //           ^ memory-limit: with `c` there are 52000 bytes in .shared, expected 49152 at most
    .shared .b32 d[1000];
    }
    """)
    check_module("""
    .version 8.0
    .target sm_90a
    .address_size 64
    .entry k() {
    .shared .b8 a[200000];
    .shared .b8 b[200000];
    //          ^ memory-limit: with `b` there are 400000 bytes in .shared, expected 232448 at most
    }
    """)


def test_constants() -> None:
    check_declarations("""
    .const .b8 a[65536];
    .entry k() { ret; }
    .const .b8 b;
    //         ^ memory-limit: with `b` there are 65537 bytes in .const, expected 65536 at most
    """)


def test_each_target_has_its_own_limit() -> None:
    for target, version, limit in (("sm_100f", "8.8", 49152), ("sm_120a", "8.7", 101376)):
        check_module(f"""
        .version {version}
        .target {target}
        .address_size 64
        .entry k() {{
        .shared .b8 a[{limit}];
        .shared .b8 b;
        //          ^ memory-limit: expected {limit} at most
        ret;
        }}
        """)
