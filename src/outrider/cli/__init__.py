"""The command line: each command has a file or a folder of its name here.

In a folder, `command.py` declares the options, `run.py` does the work and `report.py` prints the result. Code
that all commands share is beside the folders; `show` formats facts and reasons.
"""
