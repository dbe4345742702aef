from tests.support.computation import check_rule_in_module

RULE = "launch-bounds"


HEAD = ".version 8.5\n.target sm_90a\n.address_size 64\n"


def check_bounds(marked: str) -> None:
    check_rule_in_module(RULE, f"{HEAD}.visible .entry kernel()\n{marked}\n{{\nret;\n}}\n")


def test_blocks() -> None:
    check_bounds(
        ".maxntid 1025\n^^^^^^^^ launch-bounds: 1,025 threads, but a block has at most 1,024"
    )
    check_bounds(".reqntid 1, 1, 65\n^^^^^^^^ launch-bounds: 65 threads in dimension z")
    check_bounds(".reqntid 32, 32, 1")
    check_bounds(".maxntid 8, 2, 64")


def test_clusters() -> None:
    check_bounds(
        ".reqnctapercluster 17\n^^^^^^^^^^^^^^^^^^ launch-bounds: a cluster has at most 16"
    )
    check_bounds(
        ".reqnctapercluster 3, 3\n^^^^^^^^^^^^^^^^^^ launch-bounds: a cluster of more than 8"
    )
    check_bounds(".maxclusterrank 32\n^^^^^^^^^^^^^^^ launch-bounds: specifies 32 blocks")
    check_bounds(".reqnctapercluster 2, 4")


def test_registers() -> None:
    check_bounds(
        ".maxnreg 65 .maxntid 1000\n"
        "^^^^^^^^ launch-bounds: threads needs 66,560 registers, but a multiprocessor has 65,536"
    )
    check_bounds(".maxnreg 64 .maxntid 1024")
    check_bounds(".maxnreg 255")


def test_what_another_rule_reports() -> None:
    check_bounds(".maxntid 4096")


def test_functions_have_no_launch() -> None:
    check_rule_in_module(RULE, f"{HEAD}.visible .func f()\n{{\nret;\n}}\n")
