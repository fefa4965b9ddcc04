"""How well and how fast main text is found on other people's pages, beside other extractors.

The pages are cut in two by a hash of their names. Rules are improved on the one half, and kept where the
other one, which nobody looks at, does not suffer.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.articles.gather import Gathered, gather
from benchmarks.articles.packages import RECIPE_SCRAPERS
from benchmarks.articles.pages import Article, Half, Recipe, half_of
from benchmarks.bench_environment import ask
from benchmarks.report import Report
from benchmarks.scoring import of_articles, of_recipes, score, share

from outrider.extract.text.main_text import main_text
from outrider.extract.tree.parse import parse

CACHE = Path(".cache/articles")


def report(cache: Path = CACHE) -> Report:
    found = gather(cache)
    articles = [page for collection in found.articles.values() for page in collection]
    pages: list[Article | Recipe] = [*articles, *found.recipes]
    if not pages:
        raise SystemExit("\n".join(["benchmarks: none of the pages can be had here:", *found.left_out]))
    measured = {"Outrider": _ours(pages)} | ask("articles", [page.html for page in pages])
    figures = [
        {
            "library": library,
            "ms": each["ms"],
            "gave_up": each["texts"].count(None),
            "halves": _halves(articles, found.recipes, [text or "" for text in each["texts"]]),
        }
        for library, each in measured.items()
    ]
    return Report(
        name="articles",
        title=f"Main text of {len(articles)} articles and {len(found.recipes)} recipes, and ms of CPU a page",
        columns=("", "articles, seen", "articles, unseen", "ms", "recipes, seen", "recipes, unseen"),
        rows=[_row(each) for each in figures],
        remarks=[*_remarks(found, pages), *_surrenders(figures)],
        figures=figures,
    )


def _ours(pages: Sequence[Article | Recipe]) -> dict[str, Any]:
    bodies = [page.html.encode() for page in pages]
    main_text(parse(bodies[0]), pages[0].url)
    started = time.process_time()
    texts = [main_text(parse(body), page.url) for body, page in zip(bodies, pages, strict=True)]
    return {"texts": texts, "ms": (time.process_time() - started) / len(pages) * 1000}


def _halves(
    articles: Sequence[Article], recipes: Sequence[Recipe], texts: Sequence[str]
) -> dict[Half, dict[str, Any]]:
    scores = [
        (half_of(page.name), score(page.truth, text)) for page, text in zip(articles, texts, strict=False)
    ]
    shares = [
        (half_of(page.name), share(page.steps, page.ingredients, text))
        for page, text in zip(recipes, texts[len(articles) :], strict=True)
    ]
    return {
        half: {
            "articles": of_articles([each for where, each in scores if where == half]),
            "recipes": of_recipes([each for where, each in shares if where == half]),
        }
        for half in Half
    }


def _row(figures: dict[str, Any]) -> tuple[str, ...]:
    seen, unseen = figures["halves"][Half.SEEN], figures["halves"][Half.UNSEEN]
    return (
        figures["library"],
        _article_cell(seen["articles"]),
        _article_cell(unseen["articles"]),
        f"{figures['ms']:.1f}",
        _recipe_cell(seen["recipes"]),
        _recipe_cell(unseen["recipes"]),
    )


def _article_cell(figures: dict[str, float]) -> str:
    return f"{figures['shingles']:.3f}, {figures['words']:.3f}" if figures else ""


def _recipe_cell(figures: dict[str, float]) -> str:
    if not figures:
        return ""
    return f"{figures['steps']:.2f}, {figures['ingredients']:.2f}, {figures['length']:,.0f} words"


def _remarks(found: Gathered, pages: Sequence[Article | Recipe]) -> list[str]:
    counts = [f"{len(each)} articles of {package}" for package, each in found.articles.items()]
    counts += [f"{len(found.recipes)} recipes of {RECIPE_SCRAPERS.name}"] if found.recipes else []
    size = mean(len(page.html.encode()) for page in pages) / 1000
    remarks = [f"{', '.join(counts)}. A page has {size:.0f} kB on the average."]
    if found.left_out:
        remarks.append(f"Left out: {'; '.join(found.left_out)}.")
    return remarks


def _surrenders(figures: Sequence[dict[str, Any]]) -> list[str]:
    return [
        f"{each['library']} gave up on {each['gave_up']} of the pages." for each in figures if each["gave_up"]
    ]
