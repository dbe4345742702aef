"""The ISA database as pages: what each instruction, register, directive and type is, in words.

`lookup.describe` answers a name with entries: facts with stable keys for tools (`Entry.as_data`),
and a page of headings, texts and tables that `markdown` and the terminal show. Nothing here knows
of documents, and nothing is imported before it is needed.
"""
