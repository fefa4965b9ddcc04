"""Which settings count in a simulation, and which of them somebody has changed."""

from outrider.settings import Settings
from outrider.settings.declared import Declared
from outrider.settings.load import all_declared

# It has a database, a clock and an output of its own, and a lane for every host that is due: see `plan.py`.
_SECTIONS_WITHOUT_EFFECT = frozenset(("database", "valkey", "logs"))
_WITHOUT_EFFECT = frozenset(("workers", "lanes", "turn", "lease", "hosts_per_claim", "urls_per_host"))
_TOLD_OTHERWISE = frozenset(("delay", "feed_interval", "sitemap_interval"))  # as the policy


def counts(declared: Declared) -> bool:
    """Whether a simulation takes notice of it."""
    return declared.section not in _SECTIONS_WITHOUT_EFFECT and declared.setting.key not in _WITHOUT_EFFECT


def differing(settings: Settings) -> dict[str, str]:
    """Those that are not at their default, by name and as they would be written in `outrider.toml`."""
    return {
        each.setting.key: each.say(value)
        for each in all_declared()
        if counts(each) and each.setting.key not in _TOLD_OTHERWISE
        if (value := getattr(getattr(settings, each.section), each.field)) != each.default
    }
