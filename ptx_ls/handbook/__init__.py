"""The ISA database as pages: each instruction, register, directive and type in words.

`lookup.describe` returns entries for a name: facts with stable keys for tools (`Entry.as_data`),
and a page of headings, texts and tables that `markdown` and the terminal show. Nothing here uses
documents, and nothing is imported before it is needed.
"""
