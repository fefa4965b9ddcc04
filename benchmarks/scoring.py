"""How much of a text was found, and how much else came with it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

WORD = re.compile(r"\w+")
SHINGLE = 4  # words
PAIR = 2  # words: an ingredient has few


@dataclass(frozen=True, slots=True)
class Score:
    """Of articles: what is said beside what is true."""

    precision: float  # of shingles
    recall: float  # of shingles
    words: float  # F1


@dataclass(frozen=True, slots=True)
class Share:
    """Of recipes: only what must be in the text is known, so its length is told as well."""

    steps: float
    ingredients: float
    words: int


def score(truth: str, text: str) -> Score:
    true, said = shingles(truth, SHINGLE), shingles(text, SHINGLE)
    shared = (true & said).total()
    true_words, said_words = Counter(WORD.findall(truth.lower())), Counter(WORD.findall(text.lower()))
    both = true_words.total() + said_words.total()
    return Score(
        precision=shared / said.total() if said else 0.0,
        recall=shared / true.total() if true else 1.0,
        words=2 * (true_words & said_words).total() / both if both else 1.0,
    )


def share(steps: str, ingredients: str, text: str) -> Share:
    return Share(_found(steps, text, SHINGLE), _found(ingredients, text, PAIR), len(text.split()))


def of_articles(scores: Sequence[Score]) -> dict[str, float]:
    """F1 of shingles is that of the mean precision and recall; F1 of words is the mean over the pages."""
    if not scores:
        return {}
    precision, recall = mean(each.precision for each in scores), mean(each.recall for each in scores)
    return {
        "count": len(scores),
        "precision": precision,
        "recall": recall,
        "shingles": 2 * precision * recall / (precision + recall or 1),
        "words": mean(each.words for each in scores),
    }


def of_recipes(shares: Sequence[Share]) -> dict[str, float]:
    if not shares:
        return {}
    return {
        "count": len(shares),
        "steps": mean(each.steps for each in shares),
        "ingredients": mean(each.ingredients for each in shares),
        "length": mean(each.words for each in shares),
    }


def shingles(text: str, size: int) -> Counter[tuple[str, ...]]:
    """Every `size` words in a row; a shorter text is one shingle."""
    words = WORD.findall(text)
    return Counter(tuple(words[i : i + size]) for i in range(max(1, len(words) - size + 1)) if words)


def _found(truth: str, text: str, size: int) -> float:
    true = shingles(truth, size)
    return (true & shingles(text, size)).total() / true.total() if true else 1.0
