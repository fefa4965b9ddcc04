"""The robots.txt of a host on the way of a visit: asked for, at hand, and what it allows."""
