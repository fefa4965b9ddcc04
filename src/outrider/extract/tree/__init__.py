"""The tree of a page: built at a bounded cost, walked once."""
