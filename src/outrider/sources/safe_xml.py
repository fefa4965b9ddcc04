"""Untrusted XML as a stream of start, text and end events. Refuses entities and deep nesting."""

from collections.abc import Callable, Iterable, Mapping
from xml.parsers import expat

from outrider.errors import InvalidInput

DEEPEST = 100

Start = Callable[[str, Mapping[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


def walk(chunks: Iterable[bytes], start: Start, end: End, text: Text, what: str) -> None:
    """Call back for each element by its local name; raises InvalidInput for broken or unsafe XML."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise InvalidInput(f"{what} is nested more than {DEEPEST} deep")
        start(_local(name), {_local(key): value for key, value in attributes.items()})

    def closed(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(_local(name))

    def declared(*_: object) -> None:
        raise InvalidInput(f"{what} declares XML entities, which are refused: remove its DOCTYPE")

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = declared
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise InvalidInput(f"{what} is not well-formed XML: {error}") from error


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
