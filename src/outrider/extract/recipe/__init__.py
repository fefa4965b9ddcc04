"""Extraction with selectors: of a source, or of the template of a known system."""
