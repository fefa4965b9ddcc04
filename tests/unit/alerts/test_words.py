"""Alerts in words."""

import pytest

from outrider.alerts.model import AlertKind, AlertSubject, SubjectKind
from outrider.alerts.words import page_of, sentence_of

NEWS = AlertSubject(SubjectKind.SOURCE, "018f4e5c-7d1a-7c3e-9b2f-4a5d6e7f8091", "News")
SHOP = AlertSubject(SubjectKind.SITE, "7", "shop")


@pytest.mark.parametrize(
    ("kind", "subject", "numbers", "sentence"),
    [
        ("no_workers", None, {"hosts": 1}, "No worker runs, and 1 host waits for one."),
        ("http_errors", None, {"share": 0.254, "answers": 4_000, "seconds": 300.0},
         "25% of 4,000 answers in the last 5 minutes were 4xx or 5xx."),
        ("frontier_growth", None, {"from": 100_000, "to": 166_000, "minutes": 5},
         "The queue grew from 100,000 to 166,000 URLs in 5 minutes."),
        ("feed_errors", NEWS, {"errors": 12, "channels": 1},
         "A feed or sitemap of News failed 12 times in a row."),
        ("feed_errors", NEWS, {"errors": 12, "channels": 3},
         "3 feeds or sitemaps of News failed up to 12 times in a row."),
        ("feed_errors", None, {"more": 214},
         "214 more sources have a feed or sitemap that fails many times in a row."),
        ("dead_links", None, {"more": 1}, "1 more site has more dead links than a day ago."),
        ("job_failures", None, {"runs": 20, "failed": 5}, "5 of the latest 20 runs of jobs failed."),
        ("stale_locks", None, {"locks": 3},
         "3 runs were taken over from schedulers that died, within an hour."),
        ("uneven_schedule", None, {"score": 0.5, "runs": 120},
         "120 runs of the next day are spread unevenly: the distribution score is 0.50."),
        ("dead_links", SHOP, {"dead": 30, "risen": 12},
         "The site shop has 30 dead links, 12 more than within the last day."),
        ("backup", None, {"failed": 1}, "The last backup failed, or could not be verified."),
        ("backup", None, {"days": 3, "backups": 1},
         "The newest backup is 3 days old, although one is written every day."),
        ("backup", None, {"days": 2, "backups": 0},
         "There is no backup yet, 2 days after the installation, although one is written every day."),
        ("of_a_later_version", NEWS, {}, "Of a later version: News."),
        ("http_errors", None, {}, "Http errors."),
    ],
)  # fmt: skip
def test_each_alert_is_a_sentence(kind, subject, numbers, sentence):
    assert sentence_of(kind, subject, numbers) == sentence


def test_a_long_name_is_cut():
    long = AlertSubject(SubjectKind.SOURCE, "1", "x" * 500)

    assert len(sentence_of("feed_errors", long, {"errors": 10, "channels": 1})) < 200


def test_an_alert_leads_to_its_subject_or_to_the_page_of_its_kind():
    assert page_of("feed_errors", NEWS) == f"/sources/{NEWS.id}"
    assert page_of("dead_links", SHOP) == "/sites/7"
    assert page_of("of_a_later_version", None) == "/alerts"
    assert {page_of(kind, None)[0] for kind in AlertKind} == {"/"}
