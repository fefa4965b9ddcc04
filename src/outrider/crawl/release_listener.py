"""Who works on hosts while results are written: a worker, or nobody in particular."""

from collections.abc import Collection, Mapping


class ReleaseListener:
    """Nobody: holds no host, wants none back and needs no word of them."""

    def held(self) -> Collection[int]:
        """Hosts whose lease is surely still ours while a flush runs."""
        return ()

    def wants_back(self, giving: int) -> float:
        """How many of so many hosts that are given back now will be taken again as soon as they may be?"""
        return 0

    def released(self, due_in_s: Mapping[int, float], woken: Collection[int]) -> None:
        """Hosts went back, due in so many seconds, and others have something to do."""
