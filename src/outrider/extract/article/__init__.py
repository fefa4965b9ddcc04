"""Decide whether a page is an article: by its URL, its signals and its length."""
