"""The robots.txt of a host: how it is requested, cached and applied to visits."""
