"""Backups of the database: when one is due, how it is written and verified, and how it is restored.

A backup is two files: the dump of pg_dump, and a manifest that says what the dump holds.
"""
