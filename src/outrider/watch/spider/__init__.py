"""Pages of watched sources: which pages are lists of links, and how often lists are visited."""
