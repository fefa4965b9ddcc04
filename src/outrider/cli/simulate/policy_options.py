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
from outrider.settings.declared import DeclaredSetting
from outrider.settings.load import all_declared
from outrider.simulate.effective_settings import has_effect
from outrider.simulate.plan import WatchPolicy
from outrider.simulate.sites import DAY_S
from outrider.sources.model import Mode

_SHORT_NAMES = {"poll": "feed_interval", "sitemap_poll": "sitemap_interval"}
_LONGEST_SHOWN = 80


def _of_sources(name: str, type_: type, setting: Setting) -> DeclaredSetting:
    return DeclaredSetting("sources", name, setting, type_, optional=False, default=None, is_computed=False)


# Fields that only sources have; parsed like settings.
_MODE = _of_sources("mode", Mode, Setting("", ""))
_REVISIT = _of_sources("revisit", float, Setting("", "", kind="duration", least=3600, most=366 * DAY_S))


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    """The given values, by the name of a setting or of a field that only sources have."""

    values: Mapping[str, str]

    @classmethod
    def of(cls, **options: str | None) -> "PolicyOptions":
        """From the options of the command; None means not given."""
        values = {}
        for name, value in options.items():
            if value is not None:
                key, declared = _find(name)
                _check(declared, value, f"--{name.replace('_', '-')} {value[:_LONGEST_SHOWN]!r}")
                values[key] = value
        return cls(values)

    def changed(self, changes: Mapping[str, str]) -> "PolicyOptions":
        return PolicyOptions({**self.values, **{_find(name)[0]: value for name, value in changes.items()}})

    def in_full(self, config: Path | None) -> tuple[WatchPolicy, Settings]:
        """The policy and the settings; the settings supply all values that were not given."""
        of_settings = {key: value for key, value in self.values.items() if key not in ("mode", "revisit")}
        loaded = load_settings(config, log_level="error", **of_settings)
        return self._policy(loaded), loaded.settings

    def _policy(self, loaded: Loaded) -> WatchPolicy:
        feeds, usual = loaded.settings.feeds, WatchPolicy()
        return WatchPolicy(
            mode=convert(self.values["mode"], _MODE) if "mode" in self.values else usual.mode,
            poll_s=feeds.poll_s if "OUTRIDER_FEED_INTERVAL" in loaded.given else usual.poll_s,
            sitemap_poll_s=(
                feeds.sitemap_poll_s if "OUTRIDER_SITEMAP_INTERVAL" in loaded.given else usual.sitemap_poll_s
            ),
            revisit_s=convert(self.values["revisit"], _REVISIT)
            if "revisit" in self.values
            else usual.revisit_s,
        )


def changes_of(text: str) -> dict[str, str]:
    """`poll=30m, delay=2s`, by the names that were written."""
    changes: dict[str, str] = {}
    keys = set()
    for piece in text.split(","):
        name, equals, value = (part.strip() for part in piece.partition("="))
        option = f"--compare {piece.strip()[:_LONGEST_SHOWN]!r}"
        if not name or not equals or not value:
            raise InvalidInput(f"{option}: write NAME=VALUE, several with commas between them")
        key, declared = _find(name.replace("-", "_"), option)
        if key in keys:
            raise InvalidInput(f"{option}: {key} is changed twice")
        _check(declared, value, option)
        keys.add(key)
        changes[name.replace("-", "_")] = value
    return changes


def _find(name: str, option: str = "") -> tuple[str, DeclaredSetting]:
    """The setting, or the field of a source, that `name` means, and its declaration."""
    known = {each.setting.key: each for each in all_declared()} | {"mode": _MODE, "revisit": _REVISIT}
    key = _SHORT_NAMES.get(name, name)
    if key not in known:
        near = get_close_matches(name[:_LONGEST_SHOWN], [*_SHORT_NAMES, *known])
        guess = f"; did you mean {' or '.join(near)}?" if near else "; `outrider config --all` lists them"
        raise InvalidInput(f"{option}: {name[:_LONGEST_SHOWN]} is not a setting{guess}")
    if not has_effect(known[key]):
        raise InvalidInput(f"{option}: {key} has no effect in a simulation")
    return key, known[key]


def _check(declared: DeclaredSetting, value: str, option: str) -> None:
    try:
        convert(value, declared)
    except (ValueError, InvalidInput) as error:
        raise InvalidInput(f"{option} cannot be used: {error}") from error
