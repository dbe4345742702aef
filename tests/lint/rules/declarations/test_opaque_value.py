from tests.support.lint import check_declarations, check_module


def test_fields() -> None:
    check_declarations("""
    .global .texref a = {width = 64, filter_mode = nearest, addr_mode_0 = 1};
    .global .texref b[2] = {{width = 1}, {height = WARP_SZ}};
    .global .texref c = {with = 64};
    //                   ^^^^ opaque-value: `.texref` has no field `with`; did you mean `width`?
    .global .surfref d = {filter_mode = linear};
    //                    ^^^^^^^^^^^ opaque-value: `.surfref` has no field `filter_mode`, expected
    .global .surfref e = {memory_layout = foo};
    //                                    ^^^ opaque-value: unknown mode `foo`, expected
    .global .texref f = 1;
    //                  ^ opaque-value: `1` cannot be a `.texref` value, expected fields in braces
    .global .texref g = {1};
    //                   ^ opaque-value: `1` has no name, expected a field such as `width = 1`
    """)


def test_samplers() -> None:
    check_module("""
    .version 8.0
    .target sm_90, texmode_independent
    .address_size 64
    .global .samplerref a = {addr_mode_0 = wrap, force_unnormalized_coords = 1};
    .global .samplerref b = {width = 64};
    //                       ^^^^^ opaque-value: `.samplerref` has no field `width`, expected
    """)


def test_arrays() -> None:
    check_declarations("""
    .global .texref a[2] = {{width = 1}, width = 2};
    .global .texref b[2] = {any = 1, {any = 1}};
    //                                ^^^ opaque-value: `.texref` has no field `any`
    .global .texref c[2][2] = {{any = 1}, {{width = 1}}};
    .global .texref d[1] = {{width = 1}, {width = 2}};
    //                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ initial-value: too many initial values
    .global .texref e = {{width = 1}};
    //                   ^^^^^^^^^^^ opaque-value: `{width=1}` has no name, expected a field such as
    .global .texref f[2] = {1};
    //                      ^ opaque-value
    .global .texref g[2] = {any = other};
    //                            ^^^^^ opaque-value: unknown mode `other`
    """)


def test_values() -> None:
    check_declarations("""
    .global .texref a = {width = (1 + 2) * -3, height = 1.0, filter_mode = 1 ? 2 : 3};
    .global .texref b = {width = {1}};
    //                           ^^^ opaque-value
    .global .texref c = {width = linear + 1};
    //                           ^^^^^^^^^^ opaque-value
    .global .texref d = {width = 0xff(linear)};
    //                           ^^^^^^^^^^^^ opaque-value
    .global .texref e = {width = "linear"};
    //                           ^^^^^^^^ opaque-value
    """)


def test_versions() -> None:
    check_module("""
    .version 2.0
    .target sm_20
    .global .surfref a = {channel_order = 1, array_size = 2};
    //                    ^^^^^^^^^^^^^ unsupported-version: `channel_order` needs PTX ISA 2.1
    .global .texref b = {channel_data_type = 1};
    //                   ^^^^^^^^^^^^^^^^^ unsupported-version
    """)
    check_module("""
    .version 2.1
    .target sm_20
    .global .surfref a = {channel_order = 1, channel_data_type = 2};
    """)
