"""The ledger at work: what changes rows, and what follows from them."""
