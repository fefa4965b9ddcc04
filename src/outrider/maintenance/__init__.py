"""Maintenance tasks that operators ask for: which there are, and the history of each.

The row of a task is written before the work begins. The process that carries the task out renews the row;
a row that is not renewed any more belongs to a process that died, and is closed as failed.
"""
