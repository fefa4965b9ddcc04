"""Which settings have an effect in a simulation, and which of them are not at their default."""

from outrider.settings import Settings
from outrider.settings.declared import DeclaredSetting
from outrider.settings.load import all_declared

# A simulation has its own database, clock and output, a lane for every due host and a run for every due job:
# see `plan.py`. One scheduler looks for due jobs at every step.
_SECTIONS_WITHOUT_EFFECT = frozenset(("database", "redis", "logs"))
_WITHOUT_EFFECT = frozenset(
    (
        "workers",
        "lanes",
        "turn",
        "lease",
        "hosts_per_claim",
        "urls_per_host",
        "scheduler",
        "scheduler_runs",
        "scheduler_poll",
        "scheduler_stale",
    )
)
_IN_POLICY = frozenset(("delay", "feed_interval", "sitemap_interval"))  # reported with the policy


def has_effect(declared: DeclaredSetting) -> bool:
    """Whether a setting has an effect in a simulation."""
    return declared.section not in _SECTIONS_WITHOUT_EFFECT and declared.setting.key not in _WITHOUT_EFFECT


def non_default_settings(settings: Settings) -> dict[str, str]:
    """The settings that are not at their default, by name, as they are written in `outrider.toml`."""
    return {
        each.setting.key: each.say(value)
        for each in all_declared()
        if has_effect(each) and each.setting.key not in _IN_POLICY
        if (value := getattr(getattr(settings, each.section), each.field)) != each.default
    }
