"""The numbers that threads and iterations surely reach, despite conditions and masks."""
