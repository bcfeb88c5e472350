"""Whether the passages found hold an answer, and what of them the model is shown."""
