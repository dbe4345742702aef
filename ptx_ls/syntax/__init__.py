"""What is written: tokens, statements, records, documents. Never fails, never loses a character."""
