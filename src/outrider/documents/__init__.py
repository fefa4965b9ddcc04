"""What we kept: a page once, under its final address.

Texts that another document already holds are not kept twice; a text that changed moves the old one
into the versions. Near-duplicates are found by a pass of its own (`likeness.py`), through an index
of signature bands. Text and links are stored packed (`packing.py`); links as the page wrote them,
to be resolved when somebody asks.
"""
