"""What the flusher asks and tells the worker when it releases hosts."""

from collections.abc import Collection, Mapping


class ReleaseListener:
    """The default without a worker: holds no host, reserves none and ignores releases."""

    def held(self) -> Collection[int]:
        """Hosts whose leases outlast a flush."""
        return ()

    def wants_back(self, giving: int) -> float:
        """How many of the hosts released now this worker reserves for its next claims."""
        return 0

    def released(self, due_in_s: Mapping[int, float], woken: Collection[int]) -> None:
        """Hosts were released, each due in so many seconds; the `woken` hosts have new URLs."""
