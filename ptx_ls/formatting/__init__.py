"""Formats PTX text: changes white space, and nothing else.

`style` has the options, `formatter` formats texts and documents. Importing this imports
nothing that can read PTX.
"""

from ptx_ls.formatting.style import OPTIONS, FormatStyle, Option

__all__ = ("OPTIONS", "FormatStyle", "Option")
