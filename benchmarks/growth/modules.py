"""Series in a correct module: functions, calls, variables, debug information."""

from __future__ import annotations

from benchmarks.growth.series import (
    END,
    HEADER,
    KERNEL,
    Series,
    in_kernel,
    in_module,
    listed,
    plain,
)

_CALL = "\t{\n\t.param .b32 a;\n\tst.param.b32 [a], %r1;\n\tcall ${name}, (a);\n\t}\n"
_FUNCTION = "(.param .b32 x)\n{\n\t.reg .b32 %r<3>;\n\tld.param.b32 %r1, [x];\n"
_EXTERN = ".extern .func taken(.param .b32 x);\n"


def _calls(name: str) -> str:
    return _CALL.replace("${name}", name)


def _function(name: str, body: str) -> str:
    return f".func {name}{_FUNCTION}{body}{END}"


def _chain(n: int) -> str:
    """Makes functions that each call the one before."""
    first = HEADER + _function("f0", "")
    return first + "".join([_function(f"f{i}", _calls(f"f{i - 1}")) for i in range(1, n)])


def _chain_forward(n: int) -> str:
    """Makes functions that each call the next one, which is declared before."""
    heads = "".join([f".func f{i}(.param .b32 x);\n" for i in range(n + 1)])
    bodies = "".join([_function(f"f{i}", _calls(f"f{i + 1}")) for i in range(n)])
    return HEADER + heads + bodies + _function(f"f{n}", "")


def _ring(n: int) -> str:
    """Makes functions that call each other in a ring."""
    heads = "".join([f".func f{i}(.param .b32 x);\n" for i in range(n)])
    bodies = "".join([_function(f"f{i}", _calls(f"f{(i + 1) % n}")) for i in range(n)])
    return HEADER + heads + bodies


def _fan(n: int) -> str:
    """Makes a kernel that calls every function of the module."""
    functions = "".join([_function(f"f{i}", "") for i in range(n)])
    return HEADER + functions + KERNEL + "".join([_calls(f"f{i}") for i in range(n)]) + END


def _diamonds(n: int) -> str:
    """Makes functions that each call the two before."""
    bodies = [
        _function(f"f{i}", _calls(f"f{i - 1}") + _calls(f"f{i - 2}")) for i in range(2, n + 2)
    ]
    return HEADER + _function("f0", "") + _function("f1", "") + "".join(bodies)


def _call_with_arguments(n: int) -> str:
    """Makes a call of a function with n parameters."""
    parameters = ", ".join([f".param .b32 a{i}" for i in range(n)])
    declared = "".join([f"\t.param .b32 b{i};\n\tst.param.b32 [b{i}], %r1;\n" for i in range(n)])
    arguments = ", ".join([f"b{i}" for i in range(n)])
    call = f"\tcall many, ({arguments});\n"
    return f"{HEADER}.extern .func many({parameters});\n{KERNEL}{declared}{call}{END}"


def _aliases(n: int) -> str:
    """Makes aliases of one function, with their declarations."""
    names = "".join([f".func g{i}(.param .b32 x);\n" for i in range(n)])
    return HEADER + _function("f", "") + names + "".join([f".alias g{i}, f;\n" for i in range(n)])


def _pointers(n: int) -> str:
    """Makes a table of the addresses of n variables."""
    variables = "".join([f".global .b32 v{i};\n" for i in range(n)])
    names = ", ".join([f"v{i}" for i in range(n)])
    return f"{HEADER}{variables}.global .u64 table[{n}] = {{{names}}};\n"


_INDEPENDENT = HEADER.replace("sm_90", "sm_90, texmode_independent")
_SECTION = "\t.section .debug_info\n\t{\n"
_FILE = '.file 1 "kernel.cu"\n'
_NAMED = '.file 1 "kernel.cu"\n\t.section .debug_str\n\t{\ninlined:\n.b8 107, 0\n\t}\n'

SERIES: tuple[Series, ...] = (
    in_module("functions", ".func f#()\n{\n\tret;\n}\n"),
    in_module("one-line functions", ".func f#() { ret; }\n"),
    in_module(
        "kernels with a shared variable each",
        ".shared .b8 s#[1000];\n.entry k#() { .reg .b32 %r<2>; mov.u32 %r1, s#; }\n",
    ),
    in_module("functions with a constant each", ".const .b8 c#[100];\n.func f#() { ret; }\n"),
    in_module(
        "kernels",
        ".visible .entry k#(.param .u64 k#_p)\n{\n\t.reg .b64 %rd<3>;\n"
        "\tld.param.u64 %rd1, [k#_p];\n\tst.global.u64 [%rd1], %rd1;\n\tret;\n}\n",
    ),
    in_module("prototypes", ".extern .func f#(.param .b32 x);\n"),
    in_module("repeated declarations of a function", ".extern .func f(.param .b32 x);\n"),
    in_module("weak functions", ".weak .func f#()\n{\n\tret;\n}\n"),
    Series("call chain", _chain),
    Series("call chain with forward calls", _chain_forward),
    Series("call ring", _ring),
    Series("calls to many functions", _fan),
    Series("functions that call two others each", _diamonds),
    in_module(
        "functions that call the same function", _function("f#", _calls("taken")), before=_EXTERN
    ),
    in_module("functions that call themselves", _function("f#", _calls("f#"))),
    in_kernel("calls to one function", _calls("taken"), module=_EXTERN),
    Series("arguments of a call", _call_with_arguments),
    listed("parameters of a function", ".param .b32 x#", f"{HEADER}.func f(", ")\n{\n\tret;\n}\n"),
    listed(
        "parameters of a kernel, one per line",
        "\t.param .u32 x#",
        f"{HEADER}.entry k(\n",
        "\n)\n{\n\tret;\n}\n",
        ",\n",
    ),
    in_module(
        "performance directives", ".entry k#() .maxntid 128, 1, 1 .minnctapersm 2 { ret; }\n"
    ),
    in_module("global variables", ".visible .global .align 4 .b32 v#;\n"),
    in_module("initialised variables", ".global .align 4 .u32 v# = #;\n"),
    in_module("constants", ".const .align 4 .f32 v# = 0f3F800000;\n"),
    in_module("shared variables", ".shared .align 4 .b8 v#[1];\n"),
    in_module("external variables", ".extern .global .b32 v#;\n"),
    in_module("weak variables", ".weak .global .b32 v#;\n"),
    in_module("common variables", ".common .global .b32 v#;\n"),
    in_module("managed variables", ".global .attribute(.managed) .b32 v#;\n"),
    in_module("textures", ".global .texref t#;\n"),
    plain("samplers", ".global .samplerref t#;\n", _INDEPENDENT),
    in_module("pointers to one variable", ".global .u64 v# = base;\n", ".global .u64 base;\n"),
    Series("pointers in a table", _pointers),
    listed("numbers in an array", "#", f"{HEADER}.global .u32 table[##] = {{", "};\n"),
    listed(
        "numbers in an array, one per line",
        "#",
        f"{HEADER}.global .u32 table[##] = {{\n",
        "};\n",
        ",\n",
    ),
    listed(
        "rows in an array", "{#, 2}", f"{HEADER}.global .u32 table[##][2] = {{\n", "};\n", ",\n"
    ),
    in_module("arrays", ".global .align 1 .b8 s#[4] = {1, 2, 3, 0};\n"),
    listed("variables in one declaration", "v#", f"{HEADER}.global .b32 ", ";\n"),
    Series("aliases", _aliases),
    in_module("`.file` directives", '.file # "source#.cu"\n'),
    in_kernel("locations", "\t.loc 1 # 3\n\tadd.u32 %r1, %r2, %r3;\n", module=_FILE),
    in_kernel(
        "inlined locations",
        "\t.loc 1 # 3, function_name inlined, inlined_at 1 4 5\n\tadd.u32 %r1, %r2, %r3;\n",
        before="\t.loc 1 4 5\n",
        module=_NAMED,
    ),
    in_module("section data", ".b8 1, 2, 3\n", before=_SECTION, after="\t}\n"),
    in_module("section labels", "l#:\n.b32 l#\n", before=_SECTION, after="\t}\n"),
    in_module("sections", "\t.section .debug_x#\n\t{\n.b8 1\n\t}\n"),
    in_module("pragmas in a module", '.pragma "nounroll";\n'),
    in_kernel("pragmas", '\t.pragma "nounroll";\n'),
)
