"""Use cases of users, their tokens and sessions, and the audit log."""
