"""What a statement changed in the counters. The frontier owns them and adds these numbers."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

CountChanges = Counter[tuple[int, str]]  # by source and name of the counter


def count_changes(rows: Iterable[Any]) -> CountChanges:
    """Rows with a source, a name and a number, as one sum for each counter."""
    changes: CountChanges = Counter()
    for row in rows:
        changes[row["source_id"], row["name"]] += row["delta"]
    return changes
