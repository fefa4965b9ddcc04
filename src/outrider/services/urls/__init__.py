"""Use cases of the entries of the frontier, and everything that is known about one URL."""
