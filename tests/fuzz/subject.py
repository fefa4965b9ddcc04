"""What a subject of fuzzing does with an input."""

from collections.abc import Callable

Check = Callable[[bytes], None]  # raises when a promise is broken
