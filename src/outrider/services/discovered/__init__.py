"""Use cases of discovered links and domains."""
