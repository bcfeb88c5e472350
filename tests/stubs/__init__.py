"""Small servers that speak as the real ones do, for tests."""
