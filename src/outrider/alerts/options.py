"""Settings of alerts: the bounds of rules, and where alerts are sent."""

from dataclasses import dataclass, field

from outrider.errors import InvalidInput
from outrider.options import setting
from outrider.webhooks.address import webhook_address


def read_webhook(text: str) -> str:
    """The address of the webhook; the error does not repeat it, because it may have a password in it."""
    try:
        return webhook_address(text)
    except InvalidInput:
        raise ValueError("give an address such as https://alerts.example.org/outrider") from None


@dataclass(frozen=True, slots=True)
class AlertOptions:
    """When something needs a person, and who is told."""

    webhook: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_ALERT_WEBHOOK",
            "The address that gets each alert as JSON when it opens and when it closes.",
            parse=read_webhook,
            secret=True,  # addresses of chat systems have a password in them
        ),
    )
    secret: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_ALERT_SECRET",
            "Signs what is sent to the webhook of alerts; without it nothing is signed.",
            secret=True,
        ),
    )
    error_share: float = field(
        default=0.2,
        metadata=setting(
            "OUTRIDER_ALERT_ERROR_SHARE",
            "An alert opens if more than this share of all answers is 4xx or 5xx.",
            least=0,
            most=1,
        ),
    )
    error_window_s: float = field(
        default=300.0,
        metadata=setting(
            "OUTRIDER_ALERT_ERROR_TIME",
            "The time over which the share of 4xx and 5xx counts.",
            kind="duration",
            least=60,
            most=86_400,
        ),
    )
    least_answers: int = field(
        default=100,
        metadata=setting(
            "OUTRIDER_ALERT_ERROR_ANSWERS",
            "With fewer answers in that time the share of 4xx and 5xx says nothing.",
            least=1,
        ),
    )
    growth: float = field(
        default=0.1,
        metadata=setting(
            "OUTRIDER_ALERT_GROWTH",
            "An alert opens if the queue grows by more than this share in each of several minutes.",
            least=0,
        ),
    )
    growth_minutes: int = field(
        default=5,
        metadata=setting(
            "OUTRIDER_ALERT_GROWTH_MINUTES",
            "For so many minutes in a row the queue must grow.",
            least=2,
            most=60,
        ),
    )
    growth_size: int = field(
        default=100_000,
        metadata=setting(
            "OUTRIDER_ALERT_GROWTH_SIZE",
            "The growth of a queue with fewer URLs is no alert: every new crawl grows.",
            least=1,
        ),
    )
    silence_s: float = field(
        default=120.0,
        metadata=setting(
            "OUTRIDER_ALERT_SILENCE",
            "An alert opens if work waits and no worker has sent a heartbeat for so long.",
            kind="duration",
            least=0,
            most=86_400,
        ),
    )
    feed_errors: int = field(
        default=10,
        metadata=setting(
            "OUTRIDER_ALERT_FEED_ERRORS",
            "An alert opens if a feed or sitemap fails so many times in a row.",
            least=1,
        ),
    )
    success_rate: float = field(
        default=0.8,
        metadata=setting(
            "OUTRIDER_ALERT_JOB_SUCCESS",
            "An alert opens if a smaller share of the latest runs of jobs succeeded.",
            least=0,
            most=1,
        ),
    )
    least_runs: int = field(
        default=10,
        metadata=setting(
            "OUTRIDER_ALERT_JOB_RUNS",
            "With fewer ended runs of jobs in the last day their success says nothing.",
            least=1,
        ),
    )
    stale_locks: int = field(
        default=3,
        metadata=setting(
            "OUTRIDER_ALERT_STALE_LOCKS",
            "An alert opens if so many runs are taken over from schedulers that died, within an hour.",
            least=1,
        ),
    )
    distribution: float = field(
        default=0.7,
        metadata=setting(
            "OUTRIDER_ALERT_DISTRIBUTION",
            "An alert opens if the distribution score of jobs stays below this.",
            least=0,
            most=1,
        ),
    )
    least_planned: int = field(
        default=100,
        metadata=setting(
            "OUTRIDER_ALERT_DISTRIBUTION_RUNS",
            "With fewer runs planned within a day the distribution score says nothing.",
            least=1,
        ),
    )
    dead_links: int = field(
        default=10,
        metadata=setting(
            "OUTRIDER_ALERT_DEAD_LINKS",
            "An alert opens if an owned site gets so many more dead links within a day.",
            least=1,
        ),
    )
    close_after_s: float = field(
        default=300.0,
        metadata=setting(
            "OUTRIDER_ALERT_CLOSE_AFTER",
            "An alert closes after its condition has been over for so long.",
            kind="duration",
            least=0,
            most=86_400,
        ),
    )
    most_single: int = field(
        default=10,
        metadata=setting(
            "OUTRIDER_ALERT_SINGLE",
            "So many alerts of one kind are told one by one; the rest is one alert.",
            least=1,
            most=100,
        ),
    )
