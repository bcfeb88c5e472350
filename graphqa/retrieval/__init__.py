"""From a plan to ranked passages: lists fused by rank, a walk over the graph, a cap for each source."""
