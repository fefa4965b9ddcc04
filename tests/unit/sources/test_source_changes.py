"""What a person asks of a source, and the sentences about what cannot be."""

import pytest
from tests.support.sources import watched

from outrider.errors import InvalidInput
from outrider.fetch.hops import RedirectPolicy
from outrider.sources.fields import FIELDS, field_values
from outrider.sources.model import Mode
from outrider.sources.policy import External, Policy, PolicyChanges
from outrider.sources.source_changes import SourceChanges, name_of, read_changes
from outrider.urls import normalize


def test_every_policy_field_is_one_the_crawl_knows():
    named = {about.policy for about in FIELDS.values() if about.policy}

    assert named <= set(Policy.__dataclass_fields__)


def test_given_values_become_a_policy():
    reading = read_changes(
        {
            "url": "blatt.de",
            "mode": "RSS",
            "priority": "high",
            "delay": "1m",
            "depth": "-1",
            "poll": "30m",
            "recrawl": "7d",
            "article_pattern": [r"/\d{4}/", "/story/"],
            "external": "frontier",
            "keep_slash": "yes",
            "tracking_add": "from, ref_*",
            "redirects": "dead-and-submit",
        }
    )

    new = reading.checked().as_source()
    policy = new.policy
    assert (new.name, new.url, new.mode, new.priority) == ("blatt.de", "https://blatt.de/", Mode.FEED, 9)
    assert (policy.delay_s, policy.max_depth, policy.poll_s, policy.recrawl_s) == (60, -1, 1800, 604_800)
    assert policy.article_patterns == (r"/\d{4}/", "/story/")
    assert (policy.external, policy.redirect_policy) == (External.FRONTIER, RedirectPolicy.DEAD_AND_SUBMIT)
    assert (policy.keep_slash, policy.tracking_add) == (True, ("from", "ref_*"))
    assert (policy.seeds, policy.priority) == (("https://blatt.de/",), 9)
    assert Policy.from_json(policy.to_json()) == policy


@pytest.mark.parametrize(
    ("said", "href", "url"),
    [
        ({}, "/a/?ref=x&from=y", "https://blatt.de/a?from=y"),
        ({"keep_slash": "yes"}, "/a/", "https://blatt.de/a/"),
        ({"tracking_keep": "ref, utm_*"}, "/a?ref=x&utm_id=1&fbclid=2", "https://blatt.de/a?ref=x&utm_id=1"),
        ({"tracking_add": "from"}, "/a?from=y&b=1", "https://blatt.de/a?b=1"),
    ],
)
def test_a_source_may_have_its_links_spelt_otherwise(said, href, url):
    policy = read_changes({"url": "blatt.de"} | said).checked().as_source().policy

    assert normalize(href, "https://blatt.de/", policy.url_rules()) == url


def test_no_values_mean_no_changes():
    assert read_changes({"name": "", "url": None, "feed": [], "delay": "  "}).checked() == SourceChanges()


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (
            {"url": "ftp://blatt.de/"},
            "url: 'ftp://blatt.de/' is no web address (ftp is not http or https): write",
        ),
        (
            {"url": "nowhere"},
            "url: 'nowhere' is no web address (it has no scheme): write https://example.com",
        ),
        ({"url": "https://user:pw@blatt.de/"}, "it carries credentials"),
        ({"feed": "https://a.de/feed not-an-address"}, "feed: 'not-an-address' is no web address"),
        ({"mode": "sometimes"}, "mode: 'sometimes' is none of them: write feed, spider or both"),
        ({"priority": "11"}, "priority: '11' is no priority: give 1 to 10, or low, medium or high"),
        ({"depth": "deep"}, "depth: 'deep' does not fit: write a whole number from -1 to 100"),
        ({"depth": "101"}, "write a whole number from -1 to 100"),
        ({"poll": "often"}, "poll: 'often' is not a duration: write 30s, 15m, 6h or 7d"),
        ({"poll": "5s"}, "poll: '5s' is out of bounds: write 1m to 1w"),
        ({"delay": "2d"}, "delay: '2d' is out of bounds: write 0s to 1d"),
        ({"recrawl": "1m"}, "out of bounds: write 1h to 366d"),
        ({"article_pattern": "(unclosed"}, "article_pattern: the pattern '(unclosed' is not valid"),
        ({"article_pattern": "(a{1000}){1000}"}, "repeats too much"),
        ({"external": "follow"}, "external: 'follow' is none of them: write ignore, record or frontier"),
        ({"keep_slash": "maybe"}, "keep_slash: 'maybe' is neither: write yes or no"),
        ({"tracking_keep": "a=b"}, "tracking_keep: 'a=b' is no query parameter"),
        ({"selectors": "[1]"}, "selectors: it is no JSON object"),
        ({"selectors": '{"article": {"tilte": "h1"}}'}, "did you mean title or"),
        ({"selectors": "{"}, "selectors: it is no JSON: write an object"),
        ({"selectors": "[" * 60_000}, "selectors: it is no JSON"),
        ({"template": "../etc"}, "template: there is no template '../etc': choose"),
        ({"render_mode": "flash"}, "render_mode: 'flash' is none of them: write static or dynamic"),
        ({"identity_key": "a key"}, "identity_key: 'a key' is no key: write up to 200 letters"),
        ({"allow_source_discovery": "perhaps"}, "is neither: write yes or no"),
        ({"name": "x" * 201}, "name: the name has 201 characters: write at most 200"),
        ({"labels": ",".join(map(str, range(101)))}, "labels: there are 101 of them: write at most 100"),
    ],
)
def test_a_wrong_value_is_reported_with_what_to_write_instead(said, problem):
    reading = read_changes(said)

    assert len(reading.problems) == 1
    assert problem in reading.problems[0]
    with pytest.raises(InvalidInput):
        reading.checked()


def test_all_problems_are_reported_at_once():
    assert len(read_changes({"mode": "x", "depth": "y", "poll": "z"}).problems) == 3


@pytest.mark.parametrize("text", ["fast", "-1s", "10 apples"])
def test_a_delay_that_is_no_duration_becomes_one_second_with_a_note(text):
    reading = read_changes({"delay": text})

    assert reading.checked().policy == PolicyChanges({"delay_s": 1.0})
    assert reading.notes == (f"delay: {text!r} is not a duration: write 30s, 15m, 6h or 7d; taking 1s",)


@pytest.mark.parametrize(("text", "seconds"), [("10s", 10), ("1m", 60), ("5", 5), ("0,5", 0.5), ("0", 0)])
def test_a_delay_is_a_duration_or_seconds(text, seconds):
    assert read_changes({"delay": text}).checked().policy.values["delay_s"] == seconds


def test_only_what_was_said_changes():
    source = watched(policy=Policy(delay_s=10.0), template="ghost", labels=["a"])

    changed = read_changes({"mode": "both", "poll": "1h"}).checked().applied_to(source)

    assert (changed.mode, changed.template, changed.labels, changed.name) == (
        Mode.BOTH,
        "ghost",
        ["a"],
        "Das Blatt",
    )
    assert (changed.policy.delay_s, changed.policy.poll_s) == (10.0, 3600)


def test_default_takes_back_what_was_said():
    source = watched(
        policy=Policy(delay_s=10.0, poll_s=60.0), template="ghost", labels=["a"], selectors={"a": {}}
    )
    said = dict.fromkeys(("delay", "template", "labels", "selectors"), "default")

    changed = read_changes(said).checked().applied_to(source)

    assert (changed.template, changed.labels, changed.selectors) == (None, [], None)
    assert ("delay_s" in changed.policy.stated, changed.policy.poll_s) == (False, 60.0)


def test_a_source_without_an_address_is_none():
    with pytest.raises(InvalidInput, match="needs an address"):
        SourceChanges(name="Das Blatt").as_source()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.blatt.de/", "blatt.de"),
        ("https://blatt.de/sport?x=1", "blatt.de/sport"),
        ("http://127.0.0.1:8080/", "127.0.0.1"),
    ],
)
def test_a_source_without_a_name_is_named_by_its_address(url, name):
    assert name_of(url) == name


def test_what_is_said_about_a_source_reads_back_as_the_same():
    said = {
        "url": "https://blatt.de/sport",
        "name": "Blatt, Sport",
        "mode": "both",
        "priority": "7",
        "labels": "a, b c",
        "template": "ghost",
        "selectors": '{"article": {"title": "h1"}}',
        "delay": "0.25",
        "depth": "-1",
        "poll": "90",
        "sitemap_poll": "12h",
        "recrawl": "7d",
        "article_pattern": ["/a b/", r"/\d+/"],
        "include": "/x,y/",
        "exclude": "/z/",
        "scope": "domain",
        "external": "ignore",
        "keep_slash": "yes",
        "tracking_keep": "ref",
        "tracking_add": "from, x_*",
        "redirects": "dead_and_submit",
        "redirect_scope": "same_domain",
        "backfill": "yes",
        "spider_without_feed": "no",
    }
    first = read_changes(said).checked()
    new = first.as_source()
    source = watched(**{name: getattr(new, name) for name in new.__dataclass_fields__})

    again = read_changes(field_values(source)).checked()

    assert again == first
    assert set(field_values(source)) == set(said)


def test_a_source_is_read_as_it_is_sent_and_may_lead_to_others_unless_somebody_says_otherwise():
    """SRC-01."""
    source = read_changes({"url": "blatt.de"}).checked().as_source()
    quiet = read_changes({"allow_source_discovery": "no", "identity_key": "crm-7"}).checked()
    loud = read_changes({"allow_source_discovery": "default", "identity_key": "default"}).checked()

    changed = quiet.applied_to(watched())
    assert (source.render_mode, source.identity_key, source.allow_source_discovery) == ("static", None, True)
    assert (changed.identity_key, changed.allow_source_discovery) == ("crm-7", False)
    back = loud.applied_to(changed)
    assert (back.identity_key, back.allow_source_discovery) == (None, True)


def test_a_deep_source_is_warned_of():
    deep, usual = read_changes({"depth": "6"}), read_changes({"depth": "5"})

    assert deep.notes == ("depth: 6 is deep, most sites have everything within 5",)
    assert deep.checked().policy.values["max_depth"] == 6
    assert usual.notes == ()


def test_the_depth_goes_back_to_the_default():
    source = watched(policy=Policy(max_depth=9))

    changed = read_changes({"depth": "default"}).checked().applied_to(source)

    assert (changed.policy.max_depth, changed.policy.stated) == (3, frozenset())


def test_a_value_that_is_the_default_today_stays_stated():
    source = read_changes({"depth": "3"}).checked().applied_to(watched())

    assert field_values(source)["depth"] == "3"
    assert Policy.from_json(source.policy.to_json()) == source.policy
    assert "depth" not in field_values(watched())
