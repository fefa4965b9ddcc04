"""The elements beside an element."""

from collections.abc import Iterator

from selectolax.lexbor import LexborNode


def next_elements(node: LexborNode) -> Iterator[LexborNode]:
    """The elements after `node` with the same parent, the nearest first."""
    sibling = node.next
    while sibling is not None:
        if sibling.is_element_node:
            yield sibling
        sibling = sibling.next


def previous_elements(node: LexborNode) -> Iterator[LexborNode]:
    """The elements before `node` with the same parent, the nearest first."""
    sibling = node.prev
    while sibling is not None:
        if sibling.is_element_node:
            yield sibling
        sibling = sibling.prev
