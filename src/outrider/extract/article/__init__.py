"""Is a page an article: by its address, by its signals, by how much there is on it."""
