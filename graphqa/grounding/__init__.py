"""Whether an answer says what its passages say: names, numbers, units, dates, who did it to whom, "not", meaning."""
