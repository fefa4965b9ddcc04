"""Runs: crawls that a job, an operator or a command started.

A run is a row of the table `run` and the frontier entries that carry its number. It is over when none of its
entries waits: the flush counts entries as added and as settled, and `ending.py` compares the two numbers.
`metrics.py` makes the figures of a run from its counters. `cancel.py` withdraws what still waits.
"""
