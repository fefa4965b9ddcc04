"""The policy to simulate, from settings, options and the changes of `--compare`."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from outrider.cli.running import load_settings
from outrider.errors import InvalidInput
from outrider.options import Setting
from outrider.settings import Loaded, Settings
from outrider.settings.convert import convert
from outrider.settings.declared import Declared
from outrider.settings.load import all_declared
from outrider.simulate.chosen import counts
from outrider.simulate.plan import WatchPolicy
from outrider.simulate.sites import DAY_S
from outrider.sources.model import Mode

_SHORT_NAMES = {"poll": "feed_interval", "sitemap_poll": "sitemap_interval"}
_LONGEST_SHOWN = 80


def _of_sources(name: str, type_: type, setting: Setting) -> Declared:
    return Declared("sources", name, setting, type_, optional=False, default=None, is_computed=False)


# Fields that only sources have; parsed like settings.
_MODE = _of_sources("mode", Mode, Setting("", ""))
_REVISIT = _of_sources("revisit", float, Setting("", "", kind="duration", least=3600, most=366 * DAY_S))


@dataclass(frozen=True, slots=True)
class Choices:
    """The given values, by the name of a setting or of a field that only sources have."""

    said: Mapping[str, str]

    @classmethod
    def of(cls, **options: str | None) -> "Choices":
        """From the options of the command; None means not given."""
        said = {}
        for name, value in options.items():
            if value is not None:
                key, declared = _find(name)
                _check(declared, value, f"--{name.replace('_', '-')} {value[:_LONGEST_SHOWN]!r}")
                said[key] = value
        return cls(said)

    def changed(self, changes: Mapping[str, str]) -> "Choices":
        return Choices({**self.said, **{_find(name)[0]: value for name, value in changes.items()}})

    def in_full(self, config: Path | None) -> tuple[WatchPolicy, Settings]:
        """The policy and the settings; the settings supply all values that were not given."""
        of_settings = {key: value for key, value in self.said.items() if key not in ("mode", "revisit")}
        loaded = load_settings(config, log_level="error", **of_settings)
        return self._policy(loaded), loaded.settings

    def _policy(self, loaded: Loaded) -> WatchPolicy:
        feeds, usual = loaded.settings.feeds, WatchPolicy()
        return WatchPolicy(
            mode=convert(self.said["mode"], _MODE) if "mode" in self.said else usual.mode,
            poll_s=feeds.poll_s if "OUTRIDER_FEED_INTERVAL" in loaded.given else usual.poll_s,
            sitemap_poll_s=(
                feeds.sitemap_poll_s if "OUTRIDER_SITEMAP_INTERVAL" in loaded.given else usual.sitemap_poll_s
            ),
            revisit_s=convert(self.said["revisit"], _REVISIT) if "revisit" in self.said else usual.revisit_s,
        )


def changes_of(text: str) -> dict[str, str]:
    """`poll=30m, delay=2s`, by the names that were written."""
    changes: dict[str, str] = {}
    keys = set()
    for piece in text.split(","):
        name, equals, value = (part.strip() for part in piece.partition("="))
        told = f"--compare {piece.strip()[:_LONGEST_SHOWN]!r}"
        if not name or not equals or not value:
            raise InvalidInput(f"{told}: write NAME=VALUE, several with commas between them")
        key, declared = _find(name.replace("-", "_"), told)
        if key in keys:
            raise InvalidInput(f"{told}: {key} is changed twice")
        _check(declared, value, told)
        keys.add(key)
        changes[name.replace("-", "_")] = value
    return changes


def _find(name: str, told: str = "") -> tuple[str, Declared]:
    """The setting, or the field of a source, that `name` means, and its declaration."""
    known = {each.setting.key: each for each in all_declared()} | {"mode": _MODE, "revisit": _REVISIT}
    key = _SHORT_NAMES.get(name, name)
    if key not in known:
        near = get_close_matches(name[:_LONGEST_SHOWN], [*_SHORT_NAMES, *known])
        guess = f"; did you mean {' or '.join(near)}?" if near else "; `outrider config --all` lists them"
        raise InvalidInput(f"{told}: {name[:_LONGEST_SHOWN]} is not a setting{guess}")
    if not counts(known[key]):
        raise InvalidInput(f"{told}: {key} has no effect in a simulation")
    return key, known[key]


def _check(declared: Declared, value: str, told: str) -> None:
    try:
        convert(value, declared)
    except (ValueError, InvalidInput) as error:
        raise InvalidInput(f"{told} cannot be used: {error}") from error
