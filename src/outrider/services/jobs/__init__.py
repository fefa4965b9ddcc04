"""Use cases of jobs and of the scheduler."""
