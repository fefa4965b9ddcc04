"""Child processes that are kept alive: workers, schedulers and the processes of the API.

`ChildGroup` runs a number of processes of one kind. A process that ends on its own is started again, after a
pause that grows while it keeps failing. `child.py` is what every such process does at its start and end.
"""
