"""Pages about questions and the graph."""
