"""When two pages have the same text: white space and lines make no difference (EXT-17)."""

from hashlib import sha256


def content_hash(text: str) -> str:
    """SHA-256, in hexadecimal, of the text with every run of white space folded to one space."""
    return sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()


def hash_of_lines(encoded: bytes) -> bytes:
    """The bytes of `content_hash` of a text in UTF-8 whose only white space is single spaces and line breaks.

    Such are the texts of `scan`. To fold them again would take ten times as long.
    """
    return sha256(encoded.replace(b"\n", b" ")).digest()
