"""Output of `cuobjdump` 13.4, as `cuobjdump -ptx` prints it for a fat binary and an archive."""

KERNEL = """\
.version 9.0
.target {target}
.address_size 64
.visible .entry k()
{{
.reg .b32 %r<3>;
{statement}
ret;
}}


"""
PTX_HEAD = """\

Fatbin ptx code:
================
arch = {target}
code version = [9,0]
host = linux
compile_size = 64bit
compressed
identifier = m.cu
ptxasOptions =  --generate-line-info 
"""  # noqa: W291  the program prints a blank there
ELF = """\

Fatbin elf code:
================
arch = sm_90a
code version = [1,8]
host = linux
compile_size = 64bit
"""


def module(target: str, statement: str = "add.s32 %r1, %r2, 1;") -> str:
    """Returns a module below its head; it begins on the line after `ptxasOptions`."""
    head = PTX_HEAD.format(target=target)
    return head + KERNEL.format(target=target, statement=statement)
