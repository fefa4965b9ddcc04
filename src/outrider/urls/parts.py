"""Parts of a normalised URL, by slicing: the normaliser guarantees its form."""


def origin_of(normalized: str) -> str:
    """Scheme and authority: `https://example.com:8443`."""
    return normalized[: normalized.index("/", 8)]


def path_of(normalized: str) -> str:
    """Path and query, as a request line or a robots rule has them: `/a?b=c`."""
    return normalized[normalized.index("/", 8) :]


def host_of(normalized: str) -> str:
    """Host name without port. An IPv6 address keeps its brackets, as in the URL it came from."""
    authority = normalized.split("/", 3)[2]
    if ":" not in authority:
        return authority
    name, _, port = authority.rpartition(":")
    return authority if port[-1:] == "]" else name
