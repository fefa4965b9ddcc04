"""Use cases of watched sources, their feeds and their sitemaps."""
