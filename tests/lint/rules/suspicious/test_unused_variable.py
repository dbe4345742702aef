"""Tests of the rule unused-variable."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "unused-variable"


def test_unused() -> None:
    check_rule(
        RULE,
        """
        .shared .align 8 .b64 slots[32];
    //                        ^^^^^ unused-variable: variable `slots` is never used, but takes 256
        .local .b32 spill;
    //              ^^^^^ unused-variable: variable `spill` is never used
        { .param .b32 argument; }
    //                ^^^^^^^^ unused-variable
        ret;  // slots
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
    .shared .b32 outside;
    .visible .entry kernel()
    {
        .shared .b32 slots[32], more[32];
        .local .b32 spill;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.shared.b32 %r1, [slots+4];
        mov.b64 %rd1, spill;
        st.shared.b32 [more], %r1;
        ret;
    }
    .visible .entry unreadable() { .shared .b32 slots; load slots; }
    """,
    )


def test_variables_of_the_module() -> None:
    check_rule(
        RULE,
        """
    .global .b32 spare;  // spare
    //           ^^^^^ unused-variable: variable `spare` is never used
    .visible .global .b32 seen;
    .extern .shared .b32 outside[];
    .const .b32 limit = 3;
    .global .b32 target;
    .global .u64 table[1] = { target };
    .visible .entry kernel()
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.const.b32 %r1, [limit];
        mov.b64 %rd1, table;
        ret;
    }
    """,
    )
