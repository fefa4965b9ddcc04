"""Stored pages: one document for each final URL.

A text that another document holds is not stored twice. A changed text moves the old one into the
versions. A separate pass (`near_duplicates.py`) finds near-duplicates through an index of signature
bands. Text and links are stored compressed (`packing.py`); links are stored as the page wrote them and
resolved when they are read.
"""
