"""Redirect tables as files for other programs, and read from them. A module for each format."""
