"""Pages of watched sources: which are lists, and how often those are looked at again."""
