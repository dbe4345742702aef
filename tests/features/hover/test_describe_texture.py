"""Fields of textures, samplers and surfaces in initial values, and their values."""

import pytest

from ptx_ls.isa import database
from ptx_ls.semantics.declarations.opaque_values import FIELDS, VALUES
from tests.features.hover.test_hover import check_hover


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (
            ".global .samplerref s = { addr_mode_0 = clamp_to_<|>border };",
            "`clamp_to_border`: Coordinates out of range read the border colour.",
        ),
        (
            ".global .samplerref s = { filter_<|>mode = nearest };",
            "`filter_mode`: field of `.texref` and `.samplerref`. How coordinates between elements",
        ),
        (
            ".global .texref t = { channel_order = 0x10<|>B5 };",
            "`CL_RGBA` in OpenCL. Value of `channel_order`: The components",
        ),
        (
            ".global .texref t[2] = { { width = 6<|>4, height = 8 }, { width = 4 } };",
            "Value of `width`: The number of elements in the first dimension.",
        ),
    ],
)
def test_fields_and_values(marked: str, expected: str) -> None:
    check_hover(f".version 8.5\n.target sm_90\n{marked}", expected, whole=True)


def test_names_of_other_declarations() -> None:
    head = ".version 8.5\n.target sm_90\n.global .u32 width;\n"
    shown = check_hover(f"{head}.global .u64 a[] = {{ wi<|>dth }};", "variable", whole=True)
    assert "dimension" not in shown


def test_every_field_and_value_is_explained() -> None:
    table = database().texture_fields
    types = {each["name"]: set(each["of"]) for each in table["field"]}
    assert types == {
        name: {kind for kind, fields in FIELDS.items() if name in fields}
        for fields in FIELDS.values()
        for name in fields
    }
    assert set(table["values"]) == set(VALUES)
