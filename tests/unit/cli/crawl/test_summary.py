"""The last word on a crawl, from fixed findings."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from outrider.cli.crawl.summary import summary
from outrider.frontier.model import Totals
from outrider.frontier.stats import HostCounts
from outrider.services.as_json import as_json
from outrider.services.crawl.findings import CrawlFindings, SeedTrouble
from outrider.services.crawl.session import Task
from outrider.services.crawl.summary import CrawlReport, failure, headline
from outrider.sources.policy import Policy
from outrider.workers.goals import CrawlGoal
from outrider.workers.monitor_queries import DeadUrl, LostTemplate, SlowHost
from outrider.workers.snapshot import CrawlEnding, Snapshot

SEED = "https://shop.example/"
COUNTERS = {
    "pages": 412,
    "documents": 400,
    "duplicates": 3,
    "near_duplicates": 1,
    "bytes": 12_100_000,
    "requests": 431,
    "status.200": 412,
    "status.404": 12,
    "failure.timeout": 7,
    "dead.not_found": 12,
    "dead.robots_blocked": 2,
    "skipped.depth": 1_204,
    "skipped.nofollow": 1,
}
LOOK = Snapshot(
    at=84.0,
    totals=Totals(pending=0, fetched=400, dead=14, aliases=31, others=COUNTERS),
    host_counts=HostCounts(0, 0, 0),
    workers=[],
    next_due_in_s=None,
)
FOUND = CrawlReport(
    Task(CrawlGoal(Policy(seeds=(SEED,))), Path("/srv/crawl data")),
    CrawlEnding.FINISHED,
    LOOK,
    depth=3,
    gathered=CrawlFindings(
        examples={
            "not_found": [
                DeadUrl("https://shop.example/[old]", SEED),
                DeadUrl("https://shop.example/\x1b[2J"),
            ],
            "robots_blocked": [DeadUrl("https://shop.example/private", "https://shop.example/about")],
        },
        templates=[LostTemplate("shop.example", "https://shop.example/calendar?month={v}", 20)],
        slowest=[SlowHost("shop.example", 1_240)],
    ),
)


def printed(found: CrawlReport, width: int = 100) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(summary(found))
    return out.getvalue()


@pytest.mark.parametrize(
    "told",
    [
        "Finished: nothing is left to fetch.",
        "412 pages, 12.1 MB in 0:01:24 (4.9/s)",
        "400, 12 seen before",
        "3 with the text of another page, 1 almost",
        "redirects  31",
        "12 not found",
        "2 robots blocked",
        "1,204 links beyond depth 3: raise it with --depth",
        "1 link marked nofollow",
        "https://shop.example/calendar?month={v}: left alone after 20 pages",
        "shop.example 1.2 s",
        "outrider export pages --data '/srv/crawl data' --output pages.jsonl",
        "outrider why --data '/srv/crawl data' https://shop.example/",
    ],
)
def test_the_summary_tells(told):
    assert told in printed(FOUND)


def test_what_was_crawled_is_neither_markup_nor_a_command_to_the_terminal():
    text = printed(FOUND)

    assert "https://shop.example/[old]" in text
    assert "\x1b[2J" not in text


def test_a_broken_link_is_told_with_the_page_it_is_on_and_what_nobody_need_repair_is_not():
    lines = [line.strip() for line in printed(FOUND).splitlines()]

    assert lines[lines.index("https://shop.example/[old]") + 1] == f"on {SEED}"
    assert not any("https://shop.example/about" in line for line in lines)


def test_figures_are_those_of_this_run():
    before = Totals(others={"pages": 312, "documents": 310, "bytes": 12_000_000, "dead.not_found": 12})
    text = printed(replace(FOUND, snapshot=replace(LOOK, before=before)))

    assert "100 pages, 100 kB" in text
    assert "412 fetches, 400 pages kept" in text
    assert "not found" not in text


def test_data_that_is_thrown_away_is_not_offered():
    text = printed(replace(FOUND, task=replace(FOUND.task, is_kept=False)))

    assert "/srv" not in text


@pytest.mark.parametrize(
    ("ending", "pending", "due", "sentence"),
    [
        (
            CrawlEnding.LIMIT,
            1_204,
            0.0,
            "Page limit reached. 1,204 URLs are queued; a higher --max-pages continues.",
        ),
        (CrawlEnding.INTERRUPTED, 1, 0.0, "Interrupted. 1 URL is queued; the same command resumes."),
        (
            CrawlEnding.WAITING,
            2,
            3_600.0,
            "Paused: 2 URLs are queued, and none is due for another 60 minutes. The same command resumes.",
        ),
    ],
)
def test_why_it_ended(ending, pending, due, sentence):
    look = replace(LOOK, totals=replace(LOOK.totals, pending=pending), next_due_in_s=due)

    assert headline(replace(FOUND, ending=ending, snapshot=look)) == sentence


NOTHING = replace(LOOK, totals=Totals(pending=1, others={}), next_due_in_s=None)


def failed(reason: str, seed: str = SEED, leads_to: str | None = None) -> CrawlReport:
    return replace(
        FOUND, snapshot=NOTHING, gathered=CrawlFindings(troubles={seed: SeedTrouble(reason, leads_to)})
    )


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("dns_failure", "its host name does not resolve"),
        ("max_retries:connection_refused", "nothing is listening there (connection refused)"),
        ("robots_blocked", "its robots.txt disallows it (--ignore-robots is for sites you own)"),
        ("max_retries:certificate_expired", "its certificate has expired: its owner must renew it"),
        ("max_retries:http_503", "the server answers 503"),
        ("unexpected_status_418", "the server answers 418"),
        ("something_new", "something new"),
    ],
)
def test_a_crawl_that_got_nothing_has_failed_and_says_why(reason, why):
    found = failed(reason)

    assert found.has_failed
    assert failure(found).startswith(f"nothing could be fetched from {SEED}: {why}")


@pytest.mark.parametrize(
    ("seed", "network"),
    [
        ("http://127.0.0.2/", "127.0.0.2/32"),
        ("http://[::1]/", "::1/128"),
        (SEED, "the network of that address"),
    ],
)
def test_a_private_address_is_refused_with_the_setting_that_allows_it(seed, network):
    assert f"OUTRIDER_ALLOW_PRIVATE={network} allows it" in failure(failed("blocked_address", seed))


def waiting(*troubles: SeedTrouble) -> CrawlReport:
    seeds = {f"https://{number}.example/": trouble for number, trouble in enumerate(troubles)}
    return replace(
        FOUND,
        ending=CrawlEnding.WAITING,
        snapshot=replace(NOTHING, next_due_in_s=3_590.0),
        gathered=CrawlFindings(troubles=seeds),
    )


def test_the_command_for_a_sooner_try_names_a_host_that_rests():
    resting = SeedTrouble("timeout", waiting_host="shop.example")

    for found in (waiting(resting), waiting(SeedTrouble("redirect_loop"), resting)):
        assert "(next try in 60 minutes; `outrider hosts shop.example --reset --data" in failure(found)


def test_no_sooner_try_is_offered_for_a_seed_that_is_dead():
    assert "next try" not in failure(waiting(SeedTrouble("redirect_loop")))


def test_a_seed_whose_robots_txt_failed_says_that_it_was_not_the_page():
    trouble = SeedTrouble("http_500", waiting_host="shop.example", is_of_robots=True)

    told = failure(waiting(trouble))

    assert "https://0.example/: its robots.txt cannot be read: the server answers 500" in told


def test_seeds_that_are_not_listed_are_counted():
    assert "; and 2 more (next try" in failure(waiting(*[SeedTrouble("timeout", waiting_host="a.test")] * 5))


def test_a_summary_lists_no_more_dead_urls_than_died_in_this_run():
    """The database also has those of earlier runs, which come later."""
    earlier = replace(LOOK, totals=replace(LOOK.totals, others={"dead.not_found": 14}))
    before = replace(earlier, totals=replace(LOOK.totals, others=COUNTERS | {"dead.not_found": 13})).totals
    found = replace(FOUND, snapshot=replace(earlier, before=before))

    text = printed(found)
    assert "[old]" in text
    assert "[2J" not in text
    assert as_json(found)["dead"] == {
        "not_found": {"count": 1, "examples": ["https://shop.example/[old]"]},
    }


def test_a_page_in_hand_is_no_failure_whatever_became_of_the_seed():
    found = replace(FOUND, gathered=CrawlFindings(troubles={SEED: SeedTrouble("not_found")}))

    assert not found.has_failed


ELSEWHERE = "https://mall.example/"


def test_a_seed_that_redirects_out_of_scope_is_pointed_out_among_others():
    """RDC-18."""
    trouble = SeedTrouble("redirect_out_of_scope", ELSEWHERE)
    text = printed(replace(FOUND, gathered=CrawlFindings(troubles={SEED: trouble})), width=200)

    assert f"{SEED}: it redirects to {ELSEWHERE}, out of the scope of this crawl" in text


def test_a_crawl_whose_only_seed_leads_out_of_scope_names_the_command_to_run_instead():
    found = failed("redirect_out_of_scope", leads_to=ELSEWHERE)

    assert found.has_failed
    assert f"it redirects to {ELSEWHERE}, out of the scope" in failure(found)
    assert f"`outrider crawl {ELSEWHERE}` crawls that" in failure(found)


def test_a_crawl_whose_only_seed_redirects_for_now_says_that_nothing_is_lost():
    found = failed("redirect_unconfirmed", leads_to=ELSEWHERE)

    assert f"it redirects to {ELSEWHERE} for now, and what was fetched before is kept" in failure(found)


def test_stopping_is_a_failure_that_loses_nothing():
    found = replace(FOUND, stopped=True)

    assert found.has_failed
    assert "queued and not lost" in failure(found)


def test_programs_get_the_same_as_json():
    data = as_json(FOUND)

    assert (data["event"], data["ending"], data["ok"]) == ("summary", "finished", True)
    assert data["pages"] == 412
    assert data["dead"]["not_found"]["count"] == 12
    assert data["skipped"] == {"depth": 1_204, "nofollow": 1}
    assert data["total"]["redirects"] == 31


def test_a_cancelled_crawl_says_how_to_go_on_and_is_no_failure():
    counters = {**COUNTERS, "dead.cancelled": 5_000}
    look = replace(LOOK, totals=replace(LOOK.totals, others=counters))
    found = replace(FOUND, ending=CrawlEnding.CANCELLED, snapshot=look, run_id=7)

    said = "Run 7 was cancelled. 5,000 URLs have left the queue; the same command fetches what is left."
    assert headline(found) == said
    assert "5,000 cancelled" not in printed(found), "they are not dead links"
    assert "run        7\n" in "\n".join(line.rstrip() for line in printed(found).splitlines()) + "\n"
    assert not found.has_failed
    assert (found.json_form()["run"], found.json_form()["ending"]) == (7, "cancelled")
