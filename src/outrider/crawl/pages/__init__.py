"""Settle a fetched page: decide whether to keep it, extract its text, queue its links."""
