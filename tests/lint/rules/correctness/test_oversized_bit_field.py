from tests.support.computation import check_quiet, check_rule

RULE = "oversized-bit-field"


def test_fields_of_a_value() -> None:
    check_rule(
        RULE,
        """
        bfe.u64 %rd1, %rd2, 60, 8;
        //                      ^ oversized-bit-field: at bit 67, but the value has only 64 bits
        bfe.u64 %rd1, %rd2, 60, 4;
        bfe.s32 %r1, %r2, 32, %r3;
        //                ^^ oversized-bit-field: starts at bit 32, but the value has only 32 bits
        bfe.s32 %r1, %r2, %r3, 33;
        //                     ^^ oversized-bit-field: has 33 bits, but the value has only 32
        bfi.b32 %r1, %r2, %r3, 4, 0;
        //                        ^ oversized-bit-field: is empty
        """,
    )


def test_masks_and_extensions() -> None:
    check_rule(
        RULE,
        """
        bmsk.clamp.b32 %r1, 31, 2;
        //                      ^ oversized-bit-field: ends at bit 32
        szext.clamp.u32 %r1, %r2, 33;
        //                        ^^ oversized-bit-field: has 33 bits
        szext.u32.clamp %r1, %r2, 33;
        //                        ^^ oversized-bit-field: has 33 bits
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "bfe.u32 %r1, %r2, 0, 32;",
        "bfe.u32 %r1, %r2, 31, 1;",
        "bfi.b64 %rd1, %rd2, %rd3, 63, 1;",
        "bmsk.clamp.b32 %r1, 16, 16;",
        "szext.wrap.s32 %r1, %r2, 8;",
    )
