"""Talk to people at a terminal: each command has a file or a folder of its name here.

In a folder `command.py` holds what people type, `run.py` does it and `report.py` puts it into words. What all
commands share lies beside them, and in `show` how numbers, facts and reasons are put.
"""
