"""Near-duplicates by MinHash: a text becomes 256 bytes, two of them compare in microseconds.

The signature estimates how many three-word shingles two texts share (their Jaccard similarity): 128 values
of 16 bits, each the trace of a minimum. Four in a row make a band. Texts that are alike share a whole band
nearly always and unrelated ones hardly ever, so a btree over `bands` finds the candidates and
`are_alike` confirms them (`text_signatures.py`). Nothing here depends on the process or the machine.

The compiled library makes signatures. Without it, `reference_signature.py` does, which says how.
"""

from outrider.extract.native.choice import loaded
from outrider.extract.similarity.letters import letter_table
from outrider.text_signatures import BYTES, are_alike


def signature(text: str | bytes) -> bytes:
    """The signature of a text, given as str or as UTF-8; empty for a text that is too short to compare."""
    library = loaded()
    if library is not None:
        encoded = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        letters = letter_table(is_ascii=encoded.isascii())
        signed = library.signature(encoded, letters.address, letters.length, BYTES)
        if signed is not None:
            return signed
    # It imports numpy, which is not needed where the library is.
    from outrider.extract.similarity.reference_signature import reference_signature

    return reference_signature(text)


def near_duplicates(a: bytes | str, b: bytes | str) -> bool:
    """Whether two texts, or the signatures of two texts, say nearly the same."""
    return are_alike(
        signature(a) if isinstance(a, str) else a,
        signature(b) if isinstance(b, str) else b,
    )
