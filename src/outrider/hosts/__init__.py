"""How gently: the pause between two requests to a host, and when it is left alone altogether.

`politeness.py` and `breaker.py` are functions from a `HostState` and what happened to the next one.
The state travels with the host's lease, so only one worker changes it at a time, and it is stored
when the lease is given back.
"""
