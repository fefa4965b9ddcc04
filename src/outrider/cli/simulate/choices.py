"""A policy to simulate as people say it: in options, and in the changes of `--compare`."""

from dataclasses import dataclass, fields, replace
from pathlib import Path

from outrider.cli.running import load_settings
from outrider.durations import seconds_of, short
from outrider.errors import InvalidInput
from outrider.settings import Settings
from outrider.simulate.plan import Policy
from outrider.simulate.sites import DAY_S
from outrider.sources.model import Mode


@dataclass(frozen=True, slots=True)
class Choices:
    """None leaves it to the settings."""

    delay: str | None
    poll: str
    sitemap_poll: str
    mode: str
    revisit: str | None

    def changed(self, text: str) -> "Choices":
        """With changes like `poll=30m,delay=2s`."""
        known = {field.name for field in fields(self)}
        changes = {}
        for piece in text.split(","):
            name, equals, value = (part.strip() for part in piece.partition("="))
            if name.replace("-", "_") not in known or not equals or not value:
                names = ", ".join(sorted(known))
                raise InvalidInput(f"--compare {piece!r}: write NAME=VALUE, with a name of {names}")
            changes[name.replace("-", "_")] = value
        return replace(self, **changes)

    def policy(self) -> Policy:
        return Policy(
            mode=_mode(self.mode),
            poll_s=_within("poll", self.poll, 60, 7 * DAY_S),
            sitemap_poll_s=_within("sitemap-poll", self.sitemap_poll, 300, 30 * DAY_S),
            revisit_s=None if self.revisit is None else _within("revisit", self.revisit, 3600, 366 * DAY_S),
        )

    def settings(self, config: Path | None) -> Settings:
        return load_settings(config, delay=self.delay, log_level="error").settings


def _mode(text: str) -> Mode:
    try:
        return Mode(text)
    except ValueError:
        raise InvalidInput(f"mode {text!r}: write feed, spider or both") from None


def _within(name: str, text: str, least_s: float, most_s: float) -> float:
    try:
        seconds = seconds_of(text)
    except ValueError as error:
        raise InvalidInput(f"{name} {error}") from error
    if not least_s <= seconds <= most_s:
        raise InvalidInput(f"{name} {text!r}: write something from {short(least_s)} to {short(most_s)}")
    return seconds
