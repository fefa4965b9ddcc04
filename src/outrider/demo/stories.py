"""The stories of the demo newspaper."""

import tomllib
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files

SECTIONS = {"town": "Town", "river": "River", "fields": "Fields", "making": "Making"}


@dataclass(frozen=True, slots=True)
class Story:
    """One article."""

    slug: str
    section: str
    author: str
    published: datetime
    title: str
    standfirst: str
    text: str

    @property
    def path(self) -> str:
        return f"/{self.section}/{self.slug}"

    @property
    def paragraphs(self) -> list[str]:
        return self.text.strip().split("\n\n")


@cache
def stories() -> tuple[Story, ...]:
    """Every story, newest first."""
    raw = files("outrider.demo").joinpath("content/stories.toml").read_text(encoding="utf-8")
    return tuple(Story(**story) for story in tomllib.loads(raw)["story"])


def story_at(path: str) -> Story:
    return next(story for story in stories() if story.path == path)


def authors() -> dict[str, list[Story]]:
    """Author's path to that author's stories."""
    by_author: dict[str, list[Story]] = {}
    for story in stories():
        by_author.setdefault(author_path(story.author), []).append(story)
    return by_author


def author_path(name: str) -> str:
    return f"/people/{name.lower().replace(' ', '-')}"
