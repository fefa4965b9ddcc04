"""Detect equal and nearly equal texts."""
