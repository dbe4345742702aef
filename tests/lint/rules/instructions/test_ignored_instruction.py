from tests.support.lint import check_module

HEADER = """\
.version 8.0
.target sm_90a
.address_size 64
"""
SETS = "setmaxnreg.dec.sync.aligned.u32 24;"


IGNORED = "^^^^^^^^^^ ignored-instruction: `setmaxnreg` has no effect: the kernel needs `.maxnreg`"


def check_kernel(directives: str, marks: str = "", header: str = HEADER) -> None:
    """Fails unless what is marked is reported of a kernel with directives."""
    check_module(f"{header}.entry k() {directives} {{\n{SETS}\n{marks}\nret;\n}}\n")


def test_without_a_number_of_registers() -> None:
    for directives in ("", ".reqntid 128", ".maxntid 128"):
        check_kernel(directives, "^^^^^^^^^^ ignored-instruction: `setmaxnreg` has no effect: the")


def test_with_one() -> None:
    check_kernel(".maxnreg 128")
    check_kernel(".reqntid 384 .minnctapersm 1")
    check_kernel(".minnctapersm 2 .maxntid 128")


def test_more_registers_than_a_thread_has() -> None:
    mark = "^^^^^^^^ ignored-directive: `.maxnreg` has no effect: 256 registers exceed"
    for directives in (".maxnreg 256", ".maxnreg 256 .reqntid 256", ".maxnreg 256 .maxntid 128"):
        check_module(f"{HEADER}.entry k() \n{directives}\n{mark}\n{{\n{SETS}\nret;\n}}\n")


def test_block_beside_which_a_multiprocessor_has_no_room_for_another() -> None:
    check_kernel(".maxntid 1024", IGNORED)
    check_kernel(".maxntid 1025")
    newer = HEADER.replace("8.0", "9.0").replace("sm_90a", "sm_110a")
    check_kernel(".reqntid 768", IGNORED, newer)
    check_kernel(".reqntid 769", header=newer)
    check_kernel(".maxntid 32, 32", header=newer)


def test_in_a_function() -> None:
    check_module(f"""\
{HEADER}.func f() {{ {SETS} ret; }}
.entry k() {{ call f; ret; }}
                  ^ ignored-instruction: `setmaxnreg` in `f` has no effect: the kernel needs
.entry l() .maxnreg 128 {{ call f; ret; }}
""")


def test_beside_a_call_through_a_register() -> None:
    check_module(f"""\
{HEADER}.entry k() .maxnreg 128 {{
.reg .b64 %rd<2>;
{SETS}
^^^^^^^^^^ ignored-instruction: `setmaxnreg` has no effect: the kernel calls an unknown
P: .callprototype _ ();
call %rd1, P;
ret;
}}
""")


def test_to_debug() -> None:
    check_module(f"""\
{HEADER.replace("sm_90a", "sm_90a, debug")}.entry k() .maxnreg 128 {{
{SETS}
^^^^^^^^^^ ignored-instruction: `setmaxnreg` has no effect: `debug` in `.target`
ret;
}}
.section .debug_str {{
.b8 0
}}
""")
