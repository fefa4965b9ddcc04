"""Formatting that several commands share."""
