"""Pages about sources."""
