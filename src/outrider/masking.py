"""Secrets made unreadable before anything is printed, logged or put into an error."""

import re

MASK = "***"

_USERINFO = re.compile(r"://[^\s,]*@")
_ADDRESS = re.compile(r"(?:postgres(?:ql)?|https?|socks5|rediss?|unix)://")  # of what settings may hold
_NAMED = re.compile(r"(?i)\b((?:password|passwd|secret|token|api_?key)=)[^&\s,]+")


def mask_urls(text: str) -> str:
    """`text` with the credentials of every URL in it replaced."""
    return _NAMED.sub(rf"\1{MASK}", _USERINFO.sub(f"://{MASK}@", text))


def mask_secret(text: str) -> str:
    """A secret value as people may see it: a URL keeps its place, anything else is hidden whole."""
    if not text:
        return text
    return mask_urls(text) if _ADDRESS.match(text) else MASK
