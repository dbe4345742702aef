"""The interface for programs; `import ptx_ls` offers all of it, and loads it on first use.

Functions take the text of a module and return immutable values. Lines and columns start at 1;
columns are in code points. Any text is accepted unless a function says otherwise.
"""

from ptx_ls.api.comparing import (
    FunctionChange,
    ModuleChanges,
    PropertyChange,
    StatementChange,
    compare,
    normalize,
)
from ptx_ls.api.formatting import FormatStyle, format  # noqa: A004  `ptx_ls.format` reads best
from ptx_ls.api.linting import Problem, ProblemFix, TextEditAt, TextNote, TextSpan, check
from ptx_ls.api.modules import (
    ModuleFunction,
    ModuleInstruction,
    PtxModule,
    parse,
)
from ptx_ls.api.needs import ModuleNeeds, NeedReason, requirements
from ptx_ls.api.pages import describe, explain

__all__ = [
    "FormatStyle",
    "FunctionChange",
    "ModuleChanges",
    "ModuleFunction",
    "ModuleInstruction",
    "ModuleNeeds",
    "NeedReason",
    "Problem",
    "ProblemFix",
    "PropertyChange",
    "PtxModule",
    "StatementChange",
    "TextEditAt",
    "TextNote",
    "TextSpan",
    "check",
    "compare",
    "describe",
    "explain",
    "format",
    "normalize",
    "parse",
    "requirements",
]
