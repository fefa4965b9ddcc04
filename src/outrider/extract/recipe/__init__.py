"""Pages read as somebody says: by the selectors of their source, or of the system that made them."""
