"""A simulated web on a virtual clock: the real crawler, with only the network and the clock replaced."""
