"""Mask secrets before a text is printed, logged or put into an error."""

import re

MASK = "***"

_USERINFO = re.compile(r"://[^\s,]*@")
_ADDRESS = re.compile(r"(?:postgres(?:ql)?|https?|socks5|rediss?|unix)://")  # URLs that settings may hold
_NAMED = re.compile(r"(?i)\b((?:password|passwd|secret|token|api_?key)=)[^&\s,]+")


def mask_urls(text: str) -> str:
    """`text` with the credentials of every URL masked."""
    return _NAMED.sub(rf"\1{MASK}", _USERINFO.sub(f"://{MASK}@", text))


def mask_secret(text: str) -> str:
    """A secret value for display: a URL keeps everything but its credentials, any other value is masked."""
    if not text:
        return text
    return mask_urls(text) if _ADDRESS.match(text) else MASK
