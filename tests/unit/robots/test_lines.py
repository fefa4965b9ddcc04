"""How forgivingly a line is read."""

import pytest

from outrider.robots.lines import fields, names_in, names_of, readable, seconds_in


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        (b"User-agent: a", "user_agent", b"a"),
        (b"  USER-AGENT\t:\ta  # comment", "user_agent", b"a"),
        (b"useragent:a", "user_agent", b"a"),
        (b"user agent: a", "user_agent", b"a"),
        (b"user-agent a", "user_agent", b"a"),
        (b"user agent grey owl", "user_agent", b"grey owl"),
        (b"User-agent:", "user_agent", b""),
        (b"Allow: /a", "allow", b"/a"),
        (b"Disallow:/a b", "disallow", b"/a b"),
        (b"Disallow: /a:b", "disallow", b"/a:b"),
        (b"disallow /a", "disallow", b"/a"),
        (b"Disallow:", "disallow", b""),
        (b"Dissallow: /a", "disallow", b"/a"),
        (b"Disalow: /a", "disallow", b"/a"),
        (b"Sitemap: http://h/s.xml", "sitemap", b"http://h/s.xml"),
        (b"Sitemap http://h/s.xml", "sitemap", b"http://h/s.xml"),
        (b"site-map: /s.xml", "sitemap", b"/s.xml"),
        (b"Crawl-delay: 1.5", "crawl_delay", b"1.5"),
        (b"crawldelay: 1", "crawl_delay", b"1"),
    ],
)
def test_lines_that_mean_something(line, field, value):
    assert list(fields(line)) == [(1, field, value)]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"# User-agent: a",
        b": /a",
        b"Noindex: /a",
        b"Host: h",
        b"Request-rate: 1/5",
        b"Disallow everything below this line",
        b"User-agent names must match: see the documentation",
        b"User-agent names must match",
        b"<html>",
        b"\xff\x00\xfe",
    ],
)
def test_lines_that_mean_nothing(line):
    assert list(fields(line)) == []


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_every_line_ending_counts_as_one(end):
    body = end.join([b"User-agent: a", b"", b"Disallow: /b"])

    assert [number for number, _, _ in fields(body)] == [1, 3]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"\xef\xbb\xbfAllow: /a", id="UTF-8 mark"),
        pytest.param(b"\xef\xbbAllow: /a", id="UTF-8 mark cut short"),
        pytest.param("\ufeffAllow: /a".encode("utf-16-le"), id="UTF-16, little end first"),
        pytest.param("\ufeffAllow: /a".encode("utf-16-be"), id="UTF-16, big end first"),
        pytest.param(b"\xff\xfeAllow: /a", id="UTF-16 mark on other text"),
        pytest.param(b"<body>Allow: /a<br>", id="saved as a web page"),
    ],
)
def test_marks_and_tags_are_looked_through(body):
    assert list(fields(body)) == [(1, "allow", b"/a")]


def test_a_byte_order_mark_in_the_middle_is_garbage():
    assert list(fields(b"Allow: /a\n\xef\xbb\xbfAllow: /b")) == [(1, "allow", b"/a")]


def test_an_endless_line_is_cut():
    [(_, _, value)] = fields(b"Disallow: /" + b"a" * 100_000)

    assert len(value) < 20_000


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (b"FooBot", ["foobot"]),
        (b"FooBot/2.1", ["foobot"]),
        (b"Foo2", ["foo2"]),
        (b"*", ["*"]),
        (b"* all of you", ["*"]),
        (b"foo*", ["foo"]),
        (b"one, two three", ["one", "two", "three"]),
        (b"", []),
        (b"/1.0", []),
        (b"J\xc3\xa4vla-Bot", ["jävla-bot"]),
    ],
)
def test_names_on_a_user_agent_line(value, names):
    assert names_in(value) == names


@pytest.mark.parametrize(
    ("agent", "first"),
    [
        ("Outrider", "outrider"),
        ("Outrider/0.1 (+https://example.com/bot)", "outrider"),
        ("Mozilla/5.0 (compatible; Outrider/0.1; +https://example.com)", "outrider"),
        ("Mozilla/5.0 (KHTML, like Gecko; compatible; Outrider/0.1; +https://example.com) X/1", "outrider"),
        ("bot1", "bot1"),
        ("", "*"),
        ("*", "*"),
        ("(nothing)", "*"),
    ],
)
def test_what_a_crawler_answers_to_first(agent, first):
    assert names_of(agent)[0] == first


def test_a_crawler_answers_to_its_family_name_and_to_everyone():
    assert names_of("Hedwig-News2/1.0") == ("hedwig-news2", "hedwig-news", "hedwig", "*")


def test_a_bot_answers_to_its_name_without_the_word():
    assert names_of("Hedwigbot-News/1.0") == ("hedwigbot-news", "hedwigbot", "hedwig", "*")
    assert names_of("bot") == ("bot", "*")


def test_a_crawler_answers_to_every_product_of_its_user_agent_in_their_order():
    agent = "Mozilla/5.0 (X11; Linux) Outrider-News/0.1 (+https://example.com/bot; Other)"

    assert names_of(agent) == ("mozilla", "outrider-news", "outrider", "*")


def test_a_crawler_with_an_absurd_name_answers_to_few():
    assert len(names_of("a-" * 100_000)) < 200


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (b"5", 5.0),
        (b"0", 0.0),
        (b"1.5", 1.5),
        (b".5", 0.5),
        (b"10 seconds", 10.0),
        (b"-1", None),
        (b"soon", None),
        (b"inf", None),
        (b"nan", None),
        (b"", None),
        (b"9" * 400, None),
    ],
)
def test_delays_are_finite_numbers_or_nothing(value, seconds):
    assert seconds_in(value) == seconds


def test_what_people_read_has_no_control_characters():
    assert readable(b"/a\x00\x1b[2Jb\xff") == "/a\ufffd\ufffd[2Jb\ufffd"
