from tests.support.lint import check_declarations, check_module


def test_fields() -> None:
    check_declarations("""
    .global .texref a = {width = 64, filter_mode = nearest, addr_mode_0 = 1};
    .global .texref b[2] = {{width = 1}, {height = WARP_SZ}};
    .global .texref c = {with = 64};
    //                   ^^^^ opaque-value: .texref has no field `with`; did you mean `width`?
    .global .surfref d = {filter_mode = linear};
    //                    ^^^^^^^^^^^ opaque-value: .surfref has no field `filter_mode`, expected
    .global .surfref e = {memory_layout = foo};
    //                                    ^^^ opaque-value: there is no mode `foo`, expected
    .global .texref f = 1;
    //                  ^ opaque-value: `1` cannot be a value of .texref, expected fields in braces
    .global .texref g = {1};
    //                   ^ opaque-value: `1` has no name, expected a field as `width = 1`
    """)


def test_samplers() -> None:
    check_module("""
    .version 8.0
    .target sm_90, texmode_independent
    .address_size 64
    .global .samplerref a = {addr_mode_0 = wrap, force_unnormalized_coords = 1};
    .global .samplerref b = {width = 64};
    //                       ^^^^^ opaque-value: .samplerref has no field `width`, expected
    """)
