"""When two pages have the same text."""

from hashlib import sha256


def content_hash(text: str) -> str:
    """SHA-256, in hexadecimal, of the text with every run of white space folded to one space."""
    return sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()
