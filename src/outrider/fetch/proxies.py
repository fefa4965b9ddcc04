"""Choose the proxy of a request: round-robin, without proxies that failed, one per domain if sticky."""

from collections import OrderedDict

_MOST_DOMAINS = 10_000


class Rotation:
    """Round-robin over one or more proxies. `now` is any clock that only goes forward, in seconds."""

    def __init__(self, proxies: tuple[str, ...], *, rest_s: float, sticky_s: float = 0.0) -> None:
        self._proxies = proxies
        self._rest_s = rest_s
        self._sticky_s = sticky_s
        self._next = 0
        self._rests_until: dict[str, float] = {}
        self._kept: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def choose(self, domain: str, now: float) -> str:
        """The proxy for a request to `domain`.

        When every proxy rests, the one that has rested longest is tried: a direct request would
        reveal the address that the proxy hides.
        """
        kept, until = self._kept.get(domain, ("", 0.0))
        if now < until and not self._is_resting(kept, now):
            return kept
        chosen = self._take_turn(now)
        if self._sticky_s > 0:
            self._keep(domain, chosen, now + self._sticky_s)
        return chosen

    def failed(self, proxy: str, now: float) -> None:
        """Let a proxy rest that did not carry a request."""
        self._rests_until[proxy] = now + self._rest_s

    def _take_turn(self, now: float) -> str:
        for _ in self._proxies:
            proxy = self._proxies[self._next]
            self._next = (self._next + 1) % len(self._proxies)
            if not self._is_resting(proxy, now):
                return proxy
        return min(self._proxies, key=self._rests_until.__getitem__)

    def _is_resting(self, proxy: str, now: float) -> bool:
        return now < self._rests_until.get(proxy, 0.0)

    def _keep(self, domain: str, proxy: str, until: float) -> None:
        self._kept[domain] = (proxy, until)
        self._kept.move_to_end(domain)
        if len(self._kept) > _MOST_DOMAINS:
            self._kept.popitem(last=False)
