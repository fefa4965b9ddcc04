"""Use cases of runs and of their logs."""
