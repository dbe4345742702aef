from tests.support.lint import check_declarations, check_module


def test_shared() -> None:
    check_declarations("""
    .entry k() {
    .shared .b8 a[40000];
    .shared .b32 b[2000];
    .shared .b32 c[1000];
    //           ^ memory-limit: with `c`, the variables in `.shared` take 52,000 bytes, expected at
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
    //          ^ memory-limit: with `b`, the variables in `.shared` take 400,000 bytes, expected at
    }
    """)


def test_constants() -> None:
    check_declarations("""
    .const .b8 a[65536];
    .entry k() { ret; }
    .const .b8 b;
    //         ^ memory-limit: with `b`, the variables in `.const` take 65,537 bytes, expected at
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
        //          ^ memory-limit: expected at most {limit:,}
        ret;
        }}
        """)


def test_shared_variables_of_the_module_count_in_the_kernels_that_name_them() -> None:
    check_declarations("""
    .shared .b8 a[30000];
    .shared .b32 b[5000];
    .extern .shared .b8 launched[];
    .entry both() { .reg .b32 %r; ld.shared.u32 %r, [a]; st.shared.u32 [b+4], %r; ret; }
    //     ^^^^ memory-limit: with `b`, the variables in `.shared` take 50,000 bytes, expected at
    .entry one() { .reg .b32 %r; ld.shared.u32 %r, [a]; // b
        ret; }
    .entry none() { .shared .b8 own[49152]; ret; }
    .entry own() { .shared .b8 own[20000]; .reg .b32 %r; ld.shared.u32 %r, [a]; ret; }
    //     ^^^ memory-limit: with `a`, the variables in `.shared` take 50,000 bytes, expected at
    .func f() { .reg .b32 %r; ld.shared.u32 %r, [a]; st.shared.u32 [b], %r; ret; }
    """)


def test_a_module_variable_that_is_too_large_by_itself() -> None:
    check_declarations("""
    .shared .align 16 .b8 a[60000];
    .entry unused() { ret; }
    .entry hidden() { .reg .b32 a; mov.u32 a, 1; ret; }
    .entry used() { .reg .b64 %d; mov.u64 %d, a; ret; }
    //     ^^^^ memory-limit: with `a`, the variables in `.shared` take 60,000 bytes, expected at
    """)


def test_shared_variables_of_the_functions_that_a_kernel_calls() -> None:
    check_declarations("""
    .shared .b8 a[30000];
    .func f() { .shared .b8 own[10000]; ret; }
    .func g() { .reg .b32 %r; ld.shared.u32 %r, [a]; call f, (); ret; }
    .func unused() { .shared .b8 own[49152]; ret; }
    .entry fits() { .shared .b8 own[9152]; call g, (); ret; }
    .entry k() { .shared .b8 own[9153]; call g, (); ret; }
    //     ^ memory-limit: `k` and the functions that it calls need 49,153 bytes in `.shared`
    """)
