"""Descriptors of matrices and of instructions."""

from itertools import pairwise

import pytest

from ptx_ls.isa import database
from ptx_ls.isa.matrices.descriptor import Descriptor, descriptor_of

WGMMA = ("wgmma", "a-desc", (".mma_async",))
TCGEN05 = ("tcgen05", "b-desc", (".mma", ".kind::f16"))
WIDTH = 64
ALL = (1 << WIDTH) - 1


def layout(opcode: str, operand: str, modifiers: tuple[str, ...]) -> Descriptor:
    """The layout of a descriptor, which there must be."""
    found = descriptor_of(opcode, operand, modifiers)
    assert found is not None
    return found


def check_fields(found: Descriptor, value: int, *expected: str, unknown: int = 0) -> None:
    """Checks the known fields of a value; `unknown` has the bits that are not known."""
    numbers = [
        (each, each.number(~value & ~unknown & ALL, value & ~unknown)) for each in found.fields
    ]
    texts = [each.text(number) for each, number in numbers if number is not None]
    assert list(filter(None, texts)) == list(expected)


def test_descriptor_of_wgmma() -> None:
    value = 1 << 62 | 64 << 32 | 1 << 16 | 0x40
    offsets = "leading dimension offset is 16", "stride dimension offset is 1,024"
    check_fields(
        layout(*WGMMA), value, "start address is `0x400`", *offsets, "swizzling mode is 128 bytes"
    )
    known = (*offsets, "swizzling mode is 128 bytes")
    check_fields(layout(*WGMMA), value, *known, unknown=0x3FFF)
    check_fields(layout(*WGMMA), value, *known, unknown=1 << 13)
    mode = layout(*WGMMA).mode(~value & ALL, value)
    assert mode is not None
    assert mode.repeat == 1024


def test_descriptor_of_a_matrix_of_tcgen05() -> None:
    value = 6 << 61 | 1 << 46 | 32 << 32 | 5 << 49
    shown = (
        "start address is `0x0`",
        "leading dimension offset is 0",
        "stride dimension offset is 512",
    )
    check_fields(layout(*TCGEN05), value, *shown, "base offset is 5", "swizzling mode is 32 bytes")
    value = 3 << 61
    shown = (
        "start address is `0x0`",
        "leading dimension offset is 0",
        "stride dimension offset is 0",
    )
    undefined = (
        "bits 46 to 48 are 0 (not a defined value)",
        "swizzling mode is 3 (not a defined value)",
    )
    check_fields(layout(*TCGEN05), value, *shown, *undefined)
    assert layout(*TCGEN05).mode(~value & ALL, value) is None


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        # As Triton writes it for 64x64 matrices of halves.
        (
            ".kind::f16",
            0x4110010,
            ("M is 64", "N is 64", "A is `.f16`", "B is `.f16`", "D is `.f32`", "B is transposed"),
        ),
        (
            ".kind::i8",
            128 >> 4 << 24 | 8 >> 3 << 17 | 1 << 7 | 2 << 4 | 1 << 3,
            ("M is 128", "N is 8", "A is `.s8`", "B is `.u8`", "D is `.s32`", "integers saturate"),
        ),
        (
            ".kind::mxf4nvf4",
            128 >> 4 << 24 | 256 >> 3 << 17 | 1 << 7 | 1 << 10 | 2 << 29,
            (
                "M is 128",
                "N is 256",
                "A is `.e2m1`",
                "B is `.e2m1`",
                "scale factors are `.ue4m3`",
                "data ID of the scale factors of A is 2",
            ),
        ),
        (
            ".kind::tf32",
            128 >> 4 << 24 | 16 >> 3 << 17 | 2 << 7 | 1 << 4,
            ("M is 128", "N is 16", "A is `.tf32`", "B is 0 (not a defined value)", "D is `.f32`"),
        ),
    ],
)
def test_descriptor_of_an_instruction(kind: str, value: int, expected: tuple[str, ...]) -> None:
    check_fields(layout("tcgen05", "idesc", (".mma", kind)), value, *expected)


def test_what_is_no_descriptor() -> None:
    assert descriptor_of("wgmma", "d", (".mma_async",)) is None
    assert descriptor_of("tcgen05", "idesc", (".mma", ".kind::new")) is None
    assert descriptor_of("tcgen05", "zero-column-mask-desc", (".mma", ".kind::f16")) is None


def test_every_kind_has_a_layout_and_types() -> None:
    found = database().instruction("tcgen05")
    assert found is not None
    slots = [slot for form in found.forms for slot in form.slots]
    kinds = {value for slot in slots for value in slot.values if value.startswith(".kind::")}
    assert kinds
    known = set(database().layouts["descriptor-types"])
    assert kinds - known == {".kind::ti16"}  # its descriptors are not in the data
    assert known <= kinds
    for kind in known:
        layout("tcgen05", "idesc", (".mma", kind))


def test_fields_do_not_overlap() -> None:
    for entry in database().layouts["descriptor"]:
        spans = sorted(each["bits"] for each in entry["fields"])
        for (_, last), (first, _) in pairwise(spans):
            assert last < first, entry
