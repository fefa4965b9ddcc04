"""How many alerts of one kind are told one by one: the rest is one alert, so a storm stays small. Pure."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from outrider.alerts.model import AlertKind, Condition


def folded(conditions: Sequence[Condition], known: Collection[str], most: int) -> list[Condition]:
    """At most `most` conditions of each kind, and one for all others of the kind.

    `known` are the keys of alerts that are not closed. They keep their place, so that no subject moves
    between its own alert and the alert of the rest. What the rest stands for gets alerts of its own only
    when there is a place for all of it.
    """
    by_kind = sorted(conditions, key=lambda each: each.kind)  # stable: the most important stays first
    return [
        condition
        for kind, group in groupby(by_kind, lambda each: each.kind)
        for condition in _of_kind(kind, list(group), known, most)
    ]


def _of_kind(
    kind: AlertKind, conditions: Sequence[Condition], known: Collection[str], most: int
) -> Iterator[Condition]:
    rest_key = Condition(kind, is_rest=True).key
    yield from (each for each in conditions if each.key in known)
    new = [each for each in conditions if each.key not in known]
    taken = sum(key.startswith(f"{kind}:") and key != rest_key for key in known)
    free = max(most - taken, 0)
    if len(new) > free and rest_key in known:
        free = 0
    yield from new[:free]
    if rest := new[free:]:
        yield Condition(kind, {"more": len(rest)}, is_rest=True)
