"""The interface between the flusher and the worker for released hosts."""

from collections.abc import Collection, Mapping


class ReleaseListener:
    """The default without a worker: holds no host, reserves none and ignores releases."""

    def held(self) -> Collection[int]:
        """Hosts whose leases outlast a flush."""
        return ()

    def hosts_to_reserve(self, giving: int) -> float:
        """How many of the hosts released now this worker reserves for its next claims."""
        return 0

    def released(self, due_in_s: Mapping[int, float], woken: Collection[int]) -> None:
        """Hosts were released, each due in `due_in_s` seconds; the `woken` hosts have new URLs."""
