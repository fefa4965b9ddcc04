"""`outrider why` tells what happened to a URL, and what will."""


def test_a_fetched_page_is_followed_back_to_its_seed(crawled):
    ran = crawled.run("why", f"{crawled.origin}/page/5", "--json")

    answer = ran.json
    assert ran.code == 0
    assert answer["known"]["state"] == "fetched"
    assert answer["way_here"][-1]["url"] == crawled.site.url
    assert [(line["outcome"], line["status"]) for line in answer["history"]] == [("fetched", 200)]
    assert answer["document"]["title"] == "Page 5 of 127.0.0.2"
    assert answer["ruling"]["verdict"]["allowed"] is True
    assert answer["host"]["delay_ms"] == 10


def test_it_names_the_robots_line_that_decides(crawled):
    ran = crawled.run("why", f"{crawled.origin}/private/x")

    assert ran.code == 0
    assert "Dead: robots blocked." in ran.out
    assert "not allowed, by line 3: Disallow: /private" in ran.out
    assert f"linked from {crawled.origin}/page/1" in ran.out


def test_it_shows_how_an_address_was_normalised_and_where_it_moved(crawled):
    ran = crawled.run("why", f"{crawled.origin}/moved/?utm_source=x")

    assert ran.code == 0
    assert "tracking parameters dropped: utm_source" in ran.out
    assert "closing slash" in ran.out
    assert f"It redirects to {crawled.origin}/page/5." in ran.out


def test_the_delay_is_shown_with_its_reason(crawled):
    assert "10 ms between requests (its robots.txt asks for it)" in crawled.run("why", crawled.site.url).out


def test_an_unknown_url_says_whether_a_crawl_would_take_it(crawled):
    wanted = crawled.run("why", f"{crawled.origin}/never-seen", "--json")
    outside = crawled.run("why", "https://elsewhere.example/", "--json")

    assert (wanted.code, outside.code) == (1, 1)
    assert wanted.json["known"] is None
    assert [wish["refusal"] for wish in wanted.json["wishes"]] == [None]
    assert "outside scope: host is elsewhere.example" in outside.json["wishes"][0]["refusal"]
