"""Read the text of an element that should be short, with a bound on its length."""

from selectolax.lexbor import LexborNode

MAX_NODES = 200


def short_text(node: LexborNode, limit: int) -> str | None:
    """The text in `node`, folded to one line, or None where it is longer than `limit` characters."""
    words: list[str] = []
    size = 0
    for count, part in enumerate(node.traverse(include_text=True, skip_empty=True)):
        text = part.text_content
        if text:
            words += text[: limit + 1].split()
            size += len(text)
        if size > limit * 4 or count > MAX_NODES:
            return None
    line = " ".join(words)
    return line if len(line) <= limit else None
