# The types of `import ptx_ls`; at run time, its names are loaded from `ptx_ls.api`.

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

__version__: str
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
    "__version__",
    "check",
    "compare",
    "describe",
    "explain",
    "format",
    "normalize",
    "parse",
    "requirements",
]
