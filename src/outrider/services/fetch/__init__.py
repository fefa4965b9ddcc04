"""Use cases that fetch one URL."""
