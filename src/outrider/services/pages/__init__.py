"""Use cases of stored pages and their versions."""
