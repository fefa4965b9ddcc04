"""The scheduler process: the loop around the passes of `jobs/scheduler.py`."""
