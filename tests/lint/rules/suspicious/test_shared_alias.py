from tests.support.computation import check_rule_in_module

RULE = "shared-alias"


HEAD = ".version 8.5\n.target sm_90a\n.address_size 64\n"


def check_arrays(arrays: str, statements: str) -> None:
    check_rule_in_module(
        RULE,
        f"{HEAD}{arrays}\n.visible .entry kernel()\n{{\n.reg .b32 %r<9>;\n{statements}ret;\n}}\n",
    )


DYNAMIC = ".extern .shared .b8 a[];\n.extern .shared .b32 b[];\n.extern .shared .b8 c[];"


def test_two_arrays() -> None:
    check_arrays(
        DYNAMIC,
        "ld.shared.b32 %r1, [a];\nmov.u32 %r2, b;\n"
        "//           ^ shared-alias: `b` and `a` have no size\n"
        "ld.shared.b32 %r3, [%r2];\n",
    )


def test_one_array_after_the_other() -> None:
    check_arrays(DYNAMIC, "ld.shared.b32 %r1, [a];\nld.shared.b32 %r2, [b+64];\n")
    check_arrays(DYNAMIC, "ld.shared.b32 %r1, [a];\nmov.u32 %r2, b;\nadd.u32 %r3, %r2, 64;\n")


def test_one_array() -> None:
    check_arrays(DYNAMIC, "ld.shared.b32 %r1, [c];\nld.shared.b32 %r2, [c];\n")


def test_arrays_with_sizes() -> None:
    sized = ".extern .shared .b8 a[];\n.shared .b8 b[64];"
    check_arrays(sized, "ld.shared.b32 %r1, [a];\nld.shared.b32 %r2, [b];\n")
