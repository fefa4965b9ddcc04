"""Call the compiled library through ctypes, which needs no headers of Python and no build of its own."""

import ctypes
import os
import weakref
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

VERSION: Final = 3  # of the interface in source/scan.h

_Function = Callable[..., Any]
_ROOM: Final = 16 << 10  # bytes; few pages have more in their links


class MarkupBounds(IntEnum):
    """What is known of the markup of a page, as in source/scan.h."""

    UNCHECKED = 0
    TRIMMED = 1  # markup that costs too much was taken out
    MANY_TAGS = 2  # the same, and it had tags enough to nest too deep


class Outcome(IntEnum):
    """How a scan ended, as in source/scan.h."""

    SCANNED = 0
    UNUSUAL = 1  # the reference has to read this page
    CHECK_BOUNDS = 2  # the page may have to lose markup first
    OUT_OF_MEMORY = 3


class Reason(IntEnum):
    """Why a page is unusual, as in source/scan.h."""

    USUAL = 0
    HAS_NUL = 1
    NOT_UTF8 = 2
    TOO_LARGE = 3
    TOO_DEEP = 4
    TOO_MANY_FORMATS = 5
    FOSTERED = 6  # text or elements that a parser moves out of a table
    FRAMES = 7
    MATH = 8
    FOREIGN = 9  # HTML inside of a drawing, and the like
    PLAIN_TEXT = 10
    REMOVED_BLOCK = 11  # a block that is closed while elements inside stay open
    REFERENCE_BETWEEN = 12  # a character reference where only white space may stand
    OLD_DOCTYPE = 13
    TEMPLATE_CONTENT = 14
    INSTRUCTION = 15  # <?…> in the text
    CROWDED = 16  # a tag may have too many attributes; only with CHECK_BOUNDS


class RawScan(NamedTuple):
    """The answer of the library; only after `SCANNED` does it hold anything."""

    outcome: int
    reason: int = 0
    words: int = 0
    links_count: int = 0
    text: bytes = b""
    links: bytes = b""  # each with a zero behind it
    nofollow: bytes = b""  # a byte for each link, if any is nofollow
    fields: bytes = b""


class _Result(ctypes.Structure):
    """`struct result` of source/scan.h. A piece is two fields here: reading a nested one makes an object."""

    _fields_ = (
        ("outcome", ctypes.c_int32),
        ("reason", ctypes.c_int32),
        ("words", ctypes.c_int64),
        ("links_count", ctypes.c_int64),
        ("nofollow_count", ctypes.c_int64),
        ("text", ctypes.c_void_p),
        ("text_length", ctypes.c_int64),
        ("links", ctypes.c_void_p),
        ("links_length", ctypes.c_int64),
        ("nofollow", ctypes.c_void_p),
        ("nofollow_length", ctypes.c_int64),
        ("fields", ctypes.c_void_p),
        ("fields_length", ctypes.c_int64),
        ("memory", ctypes.c_void_p),
    )


class Library:
    """The loaded library. Any number of threads may use it, and it lets go of the interpreter meanwhile."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where the file is no library of this machine, or of another version."""
        library = ctypes.CDLL(str(path))
        try:
            self._scan, self._free = library.outrider_scan, library.outrider_free
            self._signature = library.outrider_signature
            self._spellings, self._free_spellings = (
                library.outrider_spellings,
                library.outrider_free_spellings,
            )
            self._recognise, self._unrecognised = library.outrider_recognise, library.outrider_unrecognised
            version = library.outrider_version
            seed, source = library.outrider_seed, library.outrider_source
        except AttributeError as error:
            raise OSError(f"{path} is no library of Outrider: {error}") from error
        self._scan.argtypes = (
            ctypes.c_char_p,
            ctypes.c_int64,
            ctypes.c_int32,
            ctypes.c_int32,
            ctypes.POINTER(_Result),
        )
        self._free.argtypes = (ctypes.POINTER(_Result),)
        self._scan.restype = self._free.restype = None
        self._signature.argtypes = (
            ctypes.c_char_p,
            ctypes.c_int64,
            ctypes.c_void_p,
            ctypes.c_int64,
            ctypes.c_char_p,
        )
        self._spellings.argtypes = (ctypes.c_uint64, ctypes.c_uint64)
        self._spellings.restype = ctypes.c_void_p
        self._free_spellings.argtypes = (ctypes.c_void_p,)
        self._free_spellings.restype = None
        self._recognise.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_uint64)
        self._unrecognised.argtypes = (
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_int64,
            ctypes.c_uint64,
            ctypes.c_uint64,
            ctypes.c_char_p,
        )
        self._recognise.restype = self._unrecognised.restype = ctypes.c_int64
        if (found := version()) != VERSION:
            raise OSError(f"{path} is version {found} of the library, and {VERSION} is wanted")
        source.restype = ctypes.c_char_p
        self.source: str = source().decode()  # the hash of what it was built from
        seed.argtypes = (ctypes.c_uint64,)
        seed(int.from_bytes(os.urandom(8)))

    def scan(self, html: bytes, max_links: int, bounds: MarkupBounds = MarkupBounds.UNCHECKED) -> RawScan:
        """Scan a page in UTF-8."""
        result = _Result()
        pointer = ctypes.byref(result)
        self._scan(html, len(html), max_links, bounds, pointer)
        try:
            if result.outcome != Outcome.SCANNED:
                return RawScan(result.outcome, result.reason)
            read = ctypes.string_at
            return RawScan(
                Outcome.SCANNED,
                0,
                result.words,
                result.links_count,
                read(result.text, result.text_length),
                read(result.links, result.links_length),
                read(result.nofollow, result.nofollow_length) if result.nofollow_count else b"",
                read(result.fields, result.fields_length),
            )
        finally:
            self._free(pointer)

    def signature(self, text: bytes, letters: int, letters_count: int, size: int) -> bytes | None:
        """The signature of a text in UTF-8, with the table of letters at an address; None: no memory."""
        signature = (ctypes.c_char * size)()
        written = self._signature(text, len(text), letters, letters_count, signature)
        return signature.raw[:written] if written >= 0 else None

    def spellings(self) -> "NativeSpellings":
        """A new set of links. Raises MemoryError."""
        known = self._spellings(int.from_bytes(os.urandom(8)), int.from_bytes(os.urandom(8)))
        if known is None:
            raise MemoryError
        return NativeSpellings(known, self._recognise, self._unrecognised, self._free_spellings)


class NativeSpellings:
    """A set of links as pages spell them, see source/spellings.c. It belongs to one thread.

    A place is any number; of a negative or large one, the lowest 64 bits count.
    """

    def __init__(self, known: int, recognise: _Function, unrecognised: _Function, free: _Function) -> None:
        self._known = known
        self._recognise = recognise
        self._unrecognised = unrecognised
        self._free = weakref.finalize(self, free, known)
        self._room = ctypes.create_string_buffer(_ROOM)  # for the unknown links of a page

    def recognise(self, encoded: bytes, place: int) -> int:
        """Add links, each with a zero behind it, to a place; returns how many links the set has."""
        count: int = self._recognise(self._known, encoded, len(encoded), place)
        return count

    def unrecognised(self, encoded: bytes, site: int, everywhere: int) -> bytes:
        """The links that are unknown: of those that begin with a slash on the site, of others everywhere."""
        if len(encoded) > len(self._room):
            self._room = ctypes.create_string_buffer(2 * len(encoded))
        written = self._unrecognised(self._known, encoded, len(encoded), site, everywhere, self._room)
        return ctypes.string_at(self._room, written) if written else b""
