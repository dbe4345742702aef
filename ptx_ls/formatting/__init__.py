"""Layout of PTX text: white space changes, and nothing else.

`style` says what can be chosen, `formatter` lays out texts and documents. Importing this imports
nothing that can read PTX.
"""

from ptx_ls.formatting.style import OPTIONS, FormatStyle, Option

__all__ = ("OPTIONS", "FormatStyle", "Option")
