"""Whole files: who is meant, what is allowed, how slowly, and which line says so."""

import pytest

from outrider.robots import Robots, RobotsVerdict

AGENT = "Outrider/0.1 (+https://example.com/bot)"


def allowed(text, path, agent=AGENT):
    return Robots.parse(text.encode()).allows(agent, f"http://example.com{path}")


@pytest.mark.parametrize(
    ("text", "agent", "may"),
    [
        pytest.param("User-agent: *\nDisallow: /", AGENT, False, id="everyone is meant"),
        pytest.param("User-agent: outrider\nDisallow: /", AGENT, False, id="we are meant"),
        pytest.param("User-agent: OutRider\nDisallow: /", "outrider", False, id="in any case"),
        pytest.param("User-agent: Outrider/2\nDisallow: /", AGENT, False, id="in any version"),
        pytest.param("User-agent: other\nDisallow: /", AGENT, True, id="another is meant"),
        pytest.param("User-agent: out\nDisallow: /", AGENT, True, id="half a name is another"),
        pytest.param("User-agent: outriders\nDisallow: /", AGENT, True, id="a longer name is another"),
        pytest.param("User-agent: bot1\nDisallow: /", "bot2", True, id="digits matter"),
        pytest.param("Disallow: /", AGENT, True, id="nobody is meant"),
        pytest.param("User-agent:\nDisallow: /", AGENT, True, id="nobody is named"),
        pytest.param(
            "User-agent: *\nDisallow: /\n\nUser-agent: outrider\nDisallow:", AGENT, True, id="our own"
        ),
        pytest.param(
            "User-agent: outrider\nDisallow:\n\nUser-agent: *\nDisallow: /", AGENT, True, id="first or last"
        ),
        pytest.param("User-agent: outrider\nUser-agent: b\nDisallow: /", AGENT, False, id="first of two"),
        pytest.param(
            "User-agent: b\n\n\nUser-agent: outrider\nDisallow: /", AGENT, False, id="past empty lines"
        ),
        pytest.param(
            "User-agent: outrider\nSitemap: /s\nUser-agent: b\nDisallow: /", AGENT, False, id="past a sitemap"
        ),
        pytest.param(
            "User-agent: outrider\nUnheard-of: x\nUser-agent: b\nDisallow: /",
            AGENT,
            False,
            id="past nonsense",
        ),
        pytest.param(
            "User-agent: outrider\nDisallow:\nUser-agent: b\nDisallow: /",
            AGENT,
            True,
            id="an empty rule is one",
        ),
        pytest.param("User-agent: hedwig\nDisallow: /", "Hedwig-News/1", False, id="by the family name"),
        pytest.param("User-agent: hedwig\nDisallow: /", "HedwigBot", False, id="a bot by its name alone"),
        pytest.param("User-agent: bot\nDisallow: /", "HedwigBot", True, id="not by what it is"),
        pytest.param(
            "User-agent: outrider\nDisallow: /", "Mozilla outrider 99", False, id="by a second name"
        ),
        pytest.param(
            "User-agent: b\nDisallow: /\nUser-agent: a\nDisallow:",
            "a/1 b/2",
            True,
            id="the first name counts",
        ),
        pytest.param("User-agent: *\nDisallow: /", "", False, id="a crawler without a name"),
    ],
)
def test_whom_a_group_means(text, agent, may):
    assert allowed(text, "/page", agent) is may


def test_groups_for_the_same_crawler_are_one_group():
    text = (
        "User-agent: outrider\nDisallow: /a\nUser-agent: *\nDisallow: /c\nUser-agent: Outrider\nDisallow: /b"
    )

    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]


@pytest.mark.parametrize(
    ("path", "may"),
    [
        ("/robots.txt", True),
        ("/robots.txt?x", False),
        ("/a/robots.txt", False),
        ("", False),
        ("?q", False),
        ("#robots.txt", False),
    ],
)
def test_only_robots_txt_itself_is_always_allowed(path, may):
    assert allowed("User-agent: *\nDisallow: /", path) is may


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("http://h/search?q=1", False),
        ("https://user@h:8080/search?q=1#top", False),
        ("http://h/search#?q", True),
        ("http://h?q=/search", True),
        ("/search?q", False),
    ],
)
def test_path_and_query_are_matched_and_nothing_else(url, may):
    assert Robots.parse(b"User-agent: *\nDisallow: /search?q").allows(AGENT, url) is may


@pytest.mark.parametrize(
    ("path", "may"),
    [
        ("/a/index.html", True),
        ("/a/", True),
        ("/a/?page=2", False),
        ("/a/$", False),
        ("/a/b", False),
        ("/a", False),
        ("/a/index.htm", False),
        ("/", False),
    ],
)
def test_who_allows_an_index_page_allows_its_directory(path, may):
    assert allowed("User-agent: *\nDisallow: /\nAllow: /a/index.html", path) is may


def test_who_disallows_an_index_page_leaves_its_directory_alone():
    assert allowed("User-agent: *\nDisallow: /a/index.html", "/a/")


@pytest.mark.parametrize(
    ("path", "may"), [("/a", False), ("/a$", False), ("/a%24", False), ("/a$b", True), ("/ab", True)]
)
def test_who_disallows_up_to_a_dollar_sign_may_have_meant_the_sign(path, may):
    assert allowed("User-agent: *\nDisallow: /a$", path) is may


def test_who_allows_up_to_a_dollar_sign_allows_no_more_than_that():
    assert not allowed("User-agent: *\nDisallow: /\nAllow: /a$", "/a$")


def test_the_verdict_names_the_line():
    robots = Robots.parse(
        b"# hello\r\nUser-agent: Outrider\r\n\r\nDISALLOW : /caf\xc3\xa9*  # no coffee\r\nAllow: /caf"
    )

    assert robots.verdict(AGENT, "http://h/caf%C3%A9/1") == RobotsVerdict(
        False, 4, "Disallow: /café*", "outrider"
    )
    assert robots.verdict(AGENT, "http://h/cafeteria") == RobotsVerdict(True, 5, "Allow: /caf", "outrider")
    assert robots.verdict(AGENT, "http://h/tea") == RobotsVerdict(True, None, None, "outrider")
    assert robots.verdict("Other", "http://h/tea") == RobotsVerdict(True, None, None, None)


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        pytest.param("User-agent: *\nCrawl-delay: 3", 3.0, id="for everyone"),
        pytest.param("User-agent: outrider\nDisallow: /\nCrawl-delay: 3", 3.0, id="after a rule"),
        pytest.param(
            "User-agent: *\nCrawl-delay: 3\n\nUser-agent: outrider\nAllow: /", None, id="not for us"
        ),
        pytest.param(
            "User-agent: b\nCrawl-delay: 3\nUser-agent: outrider\nDisallow: /", None, id="for those above"
        ),
        pytest.param(
            "User-agent: outrider\nCrawl-delay: 3\nUser-agent: b\nCrawl-delay: 5", 3.0, id="each its own"
        ),
        pytest.param(
            "User-agent: outrider\nCrawl-delay: 3\nCrawl-delay: x", 3.0, id="nonsense changes nothing"
        ),
        pytest.param(
            "User-agent: *\nCrawl-delay: 3\nAllow: /\nUser-agent: *\nCrawl-delay: 9", 9.0, id="the longest"
        ),
        pytest.param("Crawl-delay: 3\nUser-agent: *\nDisallow:", None, id="for nobody"),
        pytest.param("", None, id="none"),
    ],
)
def test_crawl_delay(text, delay):
    assert Robots.parse(text.encode()).crawl_delay(AGENT) == delay


def test_a_delay_does_not_keep_rules_from_the_agents_above_it():
    assert not allowed("User-agent: outrider\nCrawl-delay: 3\nUser-agent: b\nDisallow: /", "/page")


def test_sitemaps_belong_to_no_group():
    body = b"Sitemap: https://h/A.xml\nUser-agent: b\nSitemap:\nSitemap: /b.xml\nDisallow: /\nsitemap : c\xff"

    assert Robots.parse(body).sitemaps == ["https://h/A.xml", "/b.xml", "c\ufffd"]


def test_a_sitemap_named_twice_is_one():
    body = b"Sitemap: http://h/a.xml\nUser-agent: *\nSitemap: http://h/B.xml\nsitemap: http://h/a.xml"

    assert Robots.parse(body).sitemaps == ["http://h/a.xml", "http://h/B.xml"]


@pytest.mark.parametrize(
    ("code", "may"),
    [
        (200, True),
        (204, True),
        (100, False),
        (301, True),
        (400, True),
        (401, True),
        (403, True),
        (404, True),
        (410, True),
        (429, True),
        (499, True),
        (500, False),
        (503, False),
        (0, False),
        (999, False),
    ],
)
def test_what_a_failed_robots_txt_means(code, may):
    robots = Robots.for_status(code)

    assert robots.allows(AGENT, "http://h/page") is may
    assert robots.allows(AGENT, "http://h/robots.txt")
    assert robots.crawl_delay(AGENT) is None
    assert robots.sitemaps == []


def test_what_lies_past_512_kb_is_not_read():
    start = b"User-agent: *\nDisallow: /a\n"
    robots = Robots.parse(start + b"#" * (524_288 - len(start) - 1) + b"\nDisallow: /b")

    assert not robots.allows(AGENT, "http://h/a")
    assert robots.allows(AGENT, "http://h/b")


def test_a_rule_cut_in_two_at_the_limit_is_no_rule():
    start, end = b"User-agent: *\nDisallow: /\n", b"\nAllow: /a"
    body = start + b"#" * (524_288 - len(start) - len(end)) + end

    assert not Robots.parse(body + b"bc").allows(AGENT, "http://h/a")
