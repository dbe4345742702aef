import pytest

from ptx_ls.comparison.generated_names import without_generated_parts


def check_same(*names: str) -> None:
    """The names differ only in parts that compilers choose."""
    assert len({without_generated_parts(name) for name in names}) == 1
    stable = without_generated_parts(names[0])
    assert without_generated_parts(stable) == stable


def test_source_files() -> None:
    check_same(
        "_ZN46_INTERNAL_6a85cd87_15_tensor_cores_cu_57291bbf24__cvta_generic_to_sharedEPKv",
        "_ZN41_INTERNAL_0123abcd_10_another_cu_0000000124__cvta_generic_to_sharedEPKv",
    )
    check_same(
        "_ZN57_INTERNAL_39_tmpxft_0000a1b2_00000000_6_k_cpp1_ii_17b5a7b83fooEv",
        "_ZN57_INTERNAL_39_tmpxft_00003c4d_00000000_6_k_cpp1_ii_17b5a7b83fooEv",
    )
    check_same(
        "_ZN47_GLOBAL__N__d242d047_14_cooperative_cu_ed0795266ignoreE",
        "_ZN47_GLOBAL__N__11111111_14_cooperative_cu_222222226ignoreE",
    )


def test_counters() -> None:
    check_same("__unnamed_1", "__unnamed_22")
    check_same("$str", "$str$1", "$str$33")
    check_same("_ZN1k1fEv.llvm.123", "_ZN1k1fEv.llvm.9")


def test_crates_and_libraries() -> None:
    check_same("_ZN4core3fmt17h0123456789abcdefE", "_ZN4core3fmt17hfedcba9876543210E")
    check_same("_RNvCs1234_4core3fmt", "_RNvCsabCD_4core3fmt")
    check_same("_ZN3cub16_V_300500_SM_9006detail1fEv", "_ZN3cub17_V_200700_SM_12006detail1fEv")


@pytest.mark.parametrize(
    "name",
    [
        "k",
        "k1",
        "_Z1fILi1EEvv",
        "_Z1fILi12345678EEvv",
        "$L__BB0_1",
        "deadbeef",
        "str$1",
        "_SM_",
        "",
    ],
)
def test_other_names_are_kept(name: str) -> None:
    assert without_generated_parts(name) == name
