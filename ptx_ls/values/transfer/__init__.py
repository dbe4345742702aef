"""Transfer functions: facts about results from facts about operands."""
