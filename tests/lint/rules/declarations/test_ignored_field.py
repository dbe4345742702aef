from tests.support.lint import check_module

HEAD = """
.version 8.0
.target sm_90{option}
.address_size 64
"""


def test_independent_textures() -> None:
    check_module(
        HEAD.format(option=", texmode_independent")
        + """.global .texref one = { width = 4, filter_mode = linear };
//                                 ^^^^^^^^^^^ ignored-field: `filter_mode` of a texture is ignored
.global .texref two[2] = {
  { addr_mode_0 = wrap },
//  ^^^^^^^^^^^ ignored-field: `addr_mode_0` of a texture
  { }
};
.global .samplerref three = { filter_mode = linear };
"""
    )


def test_unified_textures() -> None:
    check_module(
        HEAD.format(option="")
        + """.global .texref one = { width = 4, filter_mode = linear };
"""
    )
