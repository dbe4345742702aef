"""Cases that are whole modules: headers, debug data, aliases, lists of targets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from certify.modules import Case, Frame
from certify.oracle import Configuration
from certify.reference_directives import NUMBERS
from ptx_ls import isa
from ptx_ls.isa.version import parse_target

NEWEST = Configuration("9.5", "sm_107a")
_HEAD = ".version 9.5\\n.target sm_107a\\n.address_size 64\\n"
_KERNEL = ".entry k () {\\nret;\\n}"
_VERSIONS = (
    "0.9", "1.6", "2.4", "3.3", "4.4", "5.1", "6.6", "7.9", "8.9", "9", "9.", ".5", "9.5.1", "9,5",
    '"9.5"', "-9.5", "+9.5", "9.05", "09.5", "9.50", "0x9.5", "9.5e0", "nine", "", "9 5", "9.5f",
)  # fmt: skip
_TARGETS = (
    "", "sm_14", "sm_85", "sm_91", "sm_90b", "sm_75a", "sm_80f", "sm_107b", "SM_90", "sm90", "sm_",
    "sm_090", "90", "compute_90", "compute_107a", "compute_90a", "compute_14", "sm_90 sm_100",
    "sm_90, sm_100", "sm_90,", ",sm_90", "sm_90;", '"sm_90"', "sm_90, nosuch", "debug", "sm_90a",
    "sm_90, debug", "debug, sm_90", "sm_90, texmode_unified", "sm_90, texmode_independent",
    "texmode_unified", "sm_90, texmode_unified, texmode_independent",
    "sm_90, texmode_unified, texmode_unified", "texmode_independent, sm_90",
    "sm_90, map_f64_to_f32", "sm_13, map_f64_to_f32", "sm_10, map_f64_to_f32", "sm_12, debug",
    "sm_90x", "compute_90x", "compute_090", "compute_90_a", "sm_90fa", "sm_90af", "compute_75f",
    "sm_90_", "sm_90_100", "compute_", "compute_x", "sm_9", "compute_999", "lto_90",
    "sm_10, texmode_unified, map_f64_to_f32", "sm_90, sm_90", "sm_90 debug", "{sm_90}",
)  # fmt: skip
_OPTIONS = ("texmode_unified", "texmode_independent", "debug", "map_f64_to_f32")
_SIZES = (
    "64", "32", "0", "16", "128", "48", "-64", "+64", "64.0", "0x40", "0100", '"64"', "",
    "sixty", "64, 32", "64 32", "64;", "1e2", "32U", "64U", "0b1000000",
)  # fmt: skip
_FILES = (
    '1 "a"', '0 "a"', '-1 "a"', '4294967295 "a"', '4294967296 "a"', "1", '"a"', '1 "a" 2', '1, "a"',
    '1 "a", 2', '1 "a", 2, 3', '1 "a", 2, 3, 4', '1 "a", -2, 3', '1 "a", 2.5, 3', "1 a", '0x1 "a"',
    '1.0 "a"', '1 "a" "b"', '1 ""', '1 "a";', '1 "a", 4294967296, 99999999999', "",
)  # fmt: skip
_LOCATIONS = (
    "1 1 1", "1 1", "1", "", "1 1 1 1", "0 1 1", "2 1 1", "1 0 0", "-1 1 1", "1 -1 1", "1 1 -1",
    "1, 1, 1", "1 1.5 1", "1 1 1;", "1 4294967295 1", "1 4294967296 1", "1 1 99999999999", "x 1 1",
    "0x1 0x2 0x3", '"a" 1 1', "1 1 1, function_name f, inlined_at 1 1 1",
    "1 1 1, function_name f, inlined_at 1 2 3", "1 1 1, function_name f", "1 1 1, inlined_at 1 1 1",
    "1 1 1, inlined_at 1 1 1, function_name f", "1 1 1 function_name f inlined_at 1 1 1",
    "1 1 1, function_name f+4, inlined_at 1 1 1", "1 1 1, function_name 4, inlined_at 1 1 1",
    "1 1 1, function_name f, inlined_at 1 1", "1 1 1, bogus f",
)  # fmt: skip
_DATA = (
    ".b8 1", ".b8 255", ".b8 256", ".b8 -1", ".b8 -128", ".b8 -129", ".b8 1, 2, 3", ".b8 1 2",
    ".b8 1,", ".b8", ".b8 1.5", '.b8 "a"', ".b8 x", ".b16 65535", ".b16 65536", ".b16 -32768",
    ".b16 x", ".b32 1", ".b32 4294967295", ".b32 4294967296", ".b32 x", ".b32 x+4", ".b32 x-4",
    ".b32 .debug_info", ".b32 .debug_info+8", ".b64 1", ".b64 18446744073709551615", ".b64 x",
    ".b64 x - y", ".b64 x-y", ".b64 k", ".b64 v", ".u8 1", ".s32 1", ".f32 1", ".b128 1", ".byte 1",
    ".4byte 1", ".quad 1", "lab: .b8 1", ".b8 0x1F", ".b8 017", ".b8 0b1", ".b8 1;", "lab:", "",
    ".b8 1 .b8 2", ".b32 k, v", ".b64 k+4, 5", ".pred 1", ".align 4 .b8 1", ".b64 nosuch",
)  # fmt: skip
_SECTIONS = (
    ".debug_info", ".debug_abbrev", ".debug_str", ".debug_line", ".debug_loc", ".debug_pubnames",
    ".debug_macinfo", ".debug_frame", ".debug_nosuch", ".text", "debug_info", '".debug_info"', "",
    ".nv_debug", ".b8", "a.b", ".section",
)  # fmt: skip
_ALIASES = (
    ".alias a, f;", ".alias a, f", ".alias a f;", ".alias a;", ".alias f, f;", ".alias a, k;",
    ".alias a, nosuch;", ".alias nosuch, f;", ".alias f, a;", ".alias a, f; .alias a, f;",
    ".alias a, f; .alias b, f;", ".alias a, g;", ".alias a, w;", ".alias k, f;", ".alias b, a;",
    ".alias a, v;", '.alias "a", "f";', ".alias a, f, g;", ".alias 1, f;", ".visible .alias a, f;",
)  # fmt: skip
_BRANCHES = (
    "t: .branchtargets L0, L1;", "t: .branchtargets L0;", "t: .branchtargets L<2>;",
    "t: .branchtargets L<3>;", "t: .branchtargets;", ".branchtargets L0;",
    "t: .branchtargets L0, L0;",
    "t: .branchtargets L0 L1;", "t: .branchtargets nosuch;", "t: .branchtargets f;",
    "t: .branchtargets r1;", "t: .branchtargets t;", "t: .branchtargets L0", "t: .branchtargets 1;",
    "t: .branchtargets L<0>;", "t: .branchtargets L<1>;", "t: .branchtargets {L0};",
    "t: .calltargets f;", "t: .calltargets f, g;", "t: .calltargets f, h;", "t: .calltargets;",
    ".calltargets f;", "t: .calltargets k;", "t: .calltargets nosuch;", "t: .calltargets L0;",
    "t: .calltargets f f;", "t: .calltargets f, f;", "t: .calltargets f", "t: .calltargets (f);",
    "t: .callprototype _ ();", "t: .callprototype _;", ".callprototype _ ();",
    "t: .callprototype (.param .b32 _) _ ();", "t: .callprototype (.reg .b32 x) _ (.reg .b32 y);",
    "t: .callprototype x ();", "t: .callprototype ();", "t: .callprototype () _ ();",
    "t: .callprototype _ (.param .b8 _[8]);", "t: .callprototype _ (.param .align 8 .b8 _[8]);",
    "t: .callprototype _ () .noreturn;", "t: .callprototype (.param .b32 _) _ () .noreturn;",
    "t: .callprototype _ () .abi_preserve 4;", "t: .callprototype _ () .abi_preserve_control 4;",
    "t: .callprototype _ () .maxntid 4;", "t: .callprototype _ (.param .u32);",
    "t: .callprototype _ (.global .u32 _);", "t: .callprototype _ (.param .b8 _[]);",
    "t: .callprototype _ (.param .b8 _[], .param .u32 _);", "t: .callprototype _ (_);",
    "t: .callprototype (.param .b32 _, .param .b32 _) _ ();",
    "t: .callprototype (.reg .b32 _, .reg .b32 _) _ ();", "t: .callprototype _ ()",
)  # fmt: skip
_ATTRIBUTES = (
    ".managed", ".unified(1, 2)", ".unified(1)", ".unified", ".unified(1, 2, 3)", ".unified(-1, 2)",
    ".unified(a, b)", ".unified(18446744073709551615, 2)", ".unified(18446744073709551616, 2)",
    ".unified(1.5, 2)", ".managed, .unified(1, 2)", ".managed .unified(1, 2)", ".managed, .managed",
    "", "managed", ".nosuch", ".managed()", ".managed(1)", ".visible", ".unified(0, 0)",
)  # fmt: skip
_ATTRIBUTED = (
    ".global .attribute({0}) .u32 v;", ".shared .attribute({0}) .u32 v;",
    ".const .attribute({0}) .u32 v;", ".visible .global .attribute({0}) .align 8 .b8 v[8];",
    ".global .align 8 .attribute({0}) .b8 v[8];", ".extern .global .attribute({0}) .u32 v;",
    ".global .u32 .attribute({0}) v;", ".func .attribute({0}) f () {{ ret; }}",
    ".entry .attribute({0}) f () {{ ret; }}", ".global .attribute({0}) .u32 v = 4;",
    ".entry e () {{ .global .attribute({0}) .u32 v; ret; }}", ".global .attribute({0}) .texref v;",
    ".entry e (.param .attribute({0}) .u32 v) {{ ret; }}", ".weak .global .attribute({0}) .u32 v;",
    ".common .global .attribute({0}) .u32 v;",
)  # fmt: skip
_LANGUAGES = (
    '"cuda c++"', '"CUDA C++"', '"unknown"', '"ptx"', '"nvvm"', '"cuda c++ tile"', '"tile ir"',
    '"python-cutile"', '"fortran"', '"optix"', '"nosuch"', '""', '" nvvm"', "0", "1", "2", "3", "4",
    "5", "6", "7", "8", "9", "10", "11", "-1", "255", "256", "4294967296", "1.5", "nvvm", "",
    '"nvvm", "ptx"', '"nvvm", 3', "3, 4", '"nvvm" "ptx"', '"nvvm",', '"nvvm", "nvvm"', "(3)",
)  # fmt: skip


def module_cases() -> Iterator[Case]:
    """Modules that differ in one thing from one that ptxas takes."""
    for text, cause in (
        *_headers(),
        *_orders(),
        *_debugging(),
        *_lists(),
        *_attributes(),
    ):
        yield Case(Frame.WHOLE, NEWEST, text, cause)
    for name, text in _targets():
        yield Case(Frame.WHOLE, Configuration("9.5", name), text, "target list")


def _headers() -> Iterator[tuple[str, str]]:
    for version in _VERSIONS:
        yield f".version {version}\\n.target sm_75\\n.address_size 64\\n{_KERNEL}", "version"
    for size in _SIZES:
        yield f".version 9.5\\n.target sm_75\\n.address_size {size}\\n{_KERNEL}", "address size"
        text = f".version 9.5\\n.target sm_75\\n.address_size {size}\\n.global .u32 v;\\n{_KERNEL}"
        yield text, "address size and a variable"


def _targets() -> Iterator[tuple[str, str]]:
    for names in _TARGETS:
        for version in ("9.5", "1.0", "1.4", "2.3"):
            text = f".version {version}\\n.target {names}\\n{_KERNEL}"
            yield "sm_107a" if "107" in names else "sm_90a", text
    for options in permutations(_OPTIONS, 2):
        text = f".version 9.5\\n.target sm_75, {', '.join(options)}\\n{_KERNEL}"
        yield "sm_75", text
        yield "sm_75", text.replace("sm_75", "sm_10").replace("9.5", "1.5")
        yield "sm_75", f"{text}\\n.section .debug_info {{\\n.b8 1\\n}}"


def _orders() -> Iterator[tuple[str, str]]:
    lines = (
        ".version 9.5",
        ".target sm_107a",
        ".address_size 64",
        ".global .u32 v;",
        '.file 1 "a"',
    )
    for count in range(5):
        for chosen in permutations(lines, count):
            yield "\\n".join((*chosen, _KERNEL)), "order of the header"
    for name, before in product(lines[:3], ("", ".global .u32 w;\\n", f"{_KERNEL}\\n")):
        yield f"{_HEAD}{before}{name}\\n.entry e () {{\\nret;\\n}}", "header again"
        yield f"{_HEAD}{before}.entry e () {{\\n{name}\\nret;\\n}}", "header in a body"
    for text in ("", "\\n", "// nothing", ".version 9.5", _HEAD, _HEAD + ";", _HEAD + "ret;"):
        yield text, "nothing in it"


def _debugging() -> Iterator[tuple[str, str]]:
    debug = ".version 9.5\\n.target sm_107a, debug\\n.address_size 64\\n"
    info = ".section .debug_info {\\n.b8 1\\n}\\n"
    names = ".section .debug_str {\\nf: .b8 97, 0\\n}\\n"
    for file in _FILES:
        yield f"{_HEAD}.file {file}\\n{_KERNEL}", ".file"
        yield f"{_HEAD}{_KERNEL}\\n.file {file}", ".file at the end"
    yield f'{_HEAD}.file 1 "a"\\n.file 1 "b"\\n{_KERNEL}', ".file twice"
    for place in _LOCATIONS:
        for name in (".loc", ".loc_intermediate"):
            body = f".loc 1 1 1\\n{name} {place}\\nret;"
            yield f'{_HEAD}.file 1 "a"\\n.entry k () {{\\n{body}\\n}}\\n{names}', name
            yield f"{_HEAD}{name} {place}\\n{_KERNEL}", f"{name} outside"
    for data in _DATA:
        text = f".global .u32 v;\\n{_KERNEL}\\n.section .debug_info {{\\nx: y: .b8 1\\n{data}\\n}}"
        yield f"{_HEAD}{text}", f"data {data}"
        yield f"{debug}{text}", f"data {data} with debug"
        text = f".version 1.4\\n.target sm_13\\n{_KERNEL}\\n@@DWARF {data}"
        yield text, f"@@DWARF {data} in 1.4"
    for section in _SECTIONS:
        yield f"{_HEAD}{_KERNEL}\\n.section {section} {{\\n.b8 1\\n}}", f"section {section}"
        yield f"{debug}{_KERNEL}\\n{info}.section {section} {{\\n.b8 1\\n}}", f"section {section}"
        yield f"{_HEAD}.section {section}\\n{_KERNEL}", f"section {section} without data"
    yield f"{debug}{_KERNEL}", "debug without data"
    yield f"{debug}{info}{info}{_KERNEL}", "section twice"


def _lists() -> Iterator[tuple[str, str]]:
    names = (
        ".func f () { ret; }\\n.func g (.param .u32 x) { ret; }\\n.func h () { ret; }\\n.func a ();"
        "\\n.func b ();\\n.weak .func w () { ret; }\\n.global .u32 v;\\n"
    )
    for alias in _ALIASES:
        yield f"{_HEAD}{names}{_KERNEL}\\n{alias}", f"alias {alias}"
        yield f"{_HEAD}{names}{alias}\\n{_KERNEL}", f"alias {alias}"
    for listed in _BRANCHES:
        body = f".reg .b32 r<4>;\\n{listed}\\nL0: L1:\\nret;"
        yield f"{_HEAD}{names}.entry k () {{\\n{body}\\n}}", f"list {listed}"
        yield f"{_HEAD}{names}{listed}\\n{_KERNEL}", f"list {listed} outside"
        body = f".reg .b32 r<4>;\\nL0: L1:\\n{listed}\\nret;"
        yield f"{_HEAD}{names}.func z () {{\\n{body}\\n}}", f"list {listed} after its labels"
    for language in _LANGUAGES:
        yield f"{_HEAD}.entry k () .language {language} {{\\nret;\\n}}", f"language {language}"
        yield f"{_HEAD}.func k () .language {language} {{\\nret;\\n}}", f"language {language}"


def _attributes() -> Iterator[tuple[str, str]]:
    for place, attribute in product(_ATTRIBUTED, _ATTRIBUTES):
        yield f"{_HEAD}{place.format(attribute)}", f"{attribute} in {place}"


def target_cases() -> Iterator[Case]:
    """Every target in every version, each a module."""
    database = isa.database()
    for version in database.versions.values():
        for name in database.targets:
            if parse_target(name) is not None:
                text = f".version {version.name}\\n.target {name}\\n{_KERNEL}"
                yield Case(Frame.WHOLE, Configuration(version.name, name), text, f"gate of {name}")


def pragma_cases() -> Iterator[Case]:
    """Every pragma in every place, with right and wrong arguments."""
    for pragma in isa.database().pragmas.values():
        good = _PRAGMA_ARGUMENTS.get(pragma.name, "")
        for frame, place in _PRAGMA_PLACES:
            whole = f"{pragma.name} {good}".strip()
            for text in (f'"{whole}"', f'"{whole}", "{whole}"', pragma.name, f'"{whole}" 4'):
                yield Case(frame, NEWEST, place.format(text), f"pragma {text} in {place}")
        for argument in ("", *NUMBERS, "0xffff", "4 5", "0xFFFFFFFFF", "x y z"):
            plain = argument.replace('"', "")
            for text in (f"{pragma.name} {plain}".strip(), f"{pragma.name}{plain}"):
                for frame, place in _PRAGMA_PLACES[2], _PRAGMA_PLACES[5]:
                    yield Case(frame, NEWEST, place.format(f'"{text}"'), f"pragma {text}")
    for frame, place in _PRAGMA_PLACES:
        for text in (
            '"nosuch"',
            '""',
            "",
            '"a" "b"',
            "1",
            '"a",',
            '"a";',
            "('a')",
            '"unterminated',
        ):
            yield Case(frame, NEWEST, place.format(text), f"pragma {text} in {place}")


_PRAGMA_ARGUMENTS = {"used_bytes_mask": "0xff", "frequency": "4"}
_PRAGMA_PLACES = (
    (Frame.MODULE, ".pragma {0};"),
    (Frame.MODULE, ".pragma {0}"),
    (Frame.MODULE, ".entry NAME () .pragma {0}; {{ ret; }}"),
    (Frame.MODULE, ".entry NAME () .pragma {0} {{ ret; }}"),
    (Frame.MODULE, ".entry NAME () .maxntid 32 .pragma {0}; .maxnreg 32 {{ ret; }}"),
    (Frame.MODULE, ".entry NAME () {{ .pragma {0}; ret; }}"),
    (Frame.MODULE, ".entry NAME () {{ ret; .pragma {0}; }}"),
    (Frame.MODULE, ".entry NAME () {{ .pragma {0}; .pragma {0}; ret; }}"),
    (Frame.MODULE, ".func NAME () {{ .pragma {0}; ret; }}"),
    (Frame.MODULE, ".func NAME () .pragma {0}; {{ ret; }}"),
    (Frame.MODULE, ".func NAME () .pragma {0};"),
    (Frame.MODULE, ".global .pragma {0}; .u32 NAME;"),
)
