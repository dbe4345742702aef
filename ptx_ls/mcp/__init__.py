"""The tools that an agent calls, over the Model Context Protocol."""
