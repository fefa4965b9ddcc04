"""Politeness: the delay between two requests to a host, and its circuit breaker.

The functions of `politeness.py` and `breaker.py` take a `HostState` and the outcome of a request and
return the next state. The state is part of the host's lease, so only one worker changes it at a time;
the release stores it.
"""
