"""Pages of accounts, brains and operations. Views are functions: a request in, one call, a response out."""
