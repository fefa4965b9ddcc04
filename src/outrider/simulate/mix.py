"""How many sites of each kind there are: the usual mix, or one from a file."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from outrider.errors import InvalidInput
from outrider.simulate.kinds import PROFILES, SiteKind

Mix = Mapping[SiteKind, float]

USUAL: Mix = {kind: nature.share for kind, nature in PROFILES.items()}


def read_mix(path: Path) -> Mix:
    """Read a TOML file of lines like `news = 20`; shares are relative, and missing kinds have no sites."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(f"the mix in {path} cannot be read: {why}") from error
    mix: dict[SiteKind, float] = {}
    for name, share in said.items():
        try:
            kind = SiteKind(name.replace("_", " "))
        except ValueError:
            known = ", ".join(each.replace(" ", "_") for each in SiteKind)
            raise InvalidInput(f"{path}: there are no {name!r} sites, only {known}") from None
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1e6:
            raise InvalidInput(f"{path}: the share of {name} is {share!r}: write a number from 0 on")
        mix[kind] = float(share)
    if not any(mix.values()):
        raise InvalidInput(f"{path} leaves no sites at all: write lines like `news = 20`")
    return mix


def kinds_of(mix: Mix, sites: int) -> list[SiteKind]:
    """One kind for each site, in the shares of the mix, rounded by the largest remainder."""
    total = sum(mix.values())
    exact = {kind: sites * share / total for kind, share in mix.items()}
    counts = {kind: int(wanted) for kind, wanted in exact.items()}
    by_rest = sorted(exact, key=lambda kind: counts[kind] - exact[kind])
    for kind in by_rest[: sites - sum(counts.values())]:
        counts[kind] += 1
    return [kind for kind, count in counts.items() for _ in range(count)]
