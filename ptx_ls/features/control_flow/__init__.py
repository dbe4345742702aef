"""Pictures of control flow and unreachable code."""
