"""A report says which settings somebody has changed, and only those that count."""

from datetime import timedelta

from outrider.crawl.options import CrawlOptions
from outrider.hosts.options import HostOptions
from outrider.log_options import LogOptions
from outrider.redis.options import RedisOptions
from outrider.settings import Settings
from outrider.settings.load import all_declared
from outrider.simulate.effective_settings import has_effect, non_default_settings
from outrider.simulate.plan import settings_for


def test_of_the_defaults_there_is_nothing_to_say():
    assert non_default_settings(Settings()) == {}


def test_a_changed_setting_is_named_as_it_is_written():
    settings = Settings(
        hosts=HostOptions(pause_cap=timedelta(seconds=5), delay_ms=2_000),
        crawl=CrawlOptions(respect_robots=False, lanes=7),
        logs=LogOptions(level="error"),
    )

    assert non_default_settings(settings) == {"respect_robots": "false", "retry_after_cap": "5s"}


def test_what_a_simulation_replaces_does_not_count():
    usual, replaced = Settings(), settings_for(Settings())
    changed = {
        each.setting.key
        for each in all_declared()
        if getattr(getattr(usual, each.section), each.field)
        != getattr(getattr(replaced, each.section), each.field)
    }

    assert changed == {"lease", "hosts_per_claim", "urls_per_host", "turn", "scheduler_runs"}
    assert not [
        each.setting.key for each in all_declared() if each.setting.key in changed and has_effect(each)
    ]


def test_the_redis_settings_have_no_effect():
    assert non_default_settings(Settings(redis=RedisOptions(db=3))) == {}
