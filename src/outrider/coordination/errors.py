"""The errors of locks and leadership."""

from outrider.errors import Conflict


class LockHeld(Conflict):
    """Another process holds the lock."""


class StaleLeader(Conflict):
    """Another process leads now. The caller drops its write and stops its duties."""
