"""Everything that can be had on this machine, and what cannot."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.articles import recipes
from benchmarks.articles.archive import BadArchive, Files, obtain, read
from benchmarks.articles.collections import COLLECTIONS
from benchmarks.articles.packages import RECIPE_SCRAPERS, Package
from benchmarks.articles.pages import Article, Recipe
from benchmarks.articles.registries import Unavailable


@dataclass(frozen=True, slots=True)
class Gathered:
    articles: Mapping[str, Sequence[Article]]  # by the package they come from
    recipes: Sequence[Recipe]
    left_out: Sequence[str]  # packages, with the reason


def gather(cache: Path) -> Gathered:
    left_out: list[str] = []

    def files(package: Package, wanted: re.Pattern[str]) -> Files:
        try:
            return read(obtain(package, cache), wanted)
        except (Unavailable, BadArchive) as error:
            left_out.append(f"{package}: {error}")
            return {}

    articles = {each.package.name: list(each.load(files(each.package, each.wanted))) for each in COLLECTIONS}
    found = list(recipes.load(files(RECIPE_SCRAPERS, recipes.WANTED)))
    return Gathered({name: each for name, each in articles.items() if each}, found, left_out)
