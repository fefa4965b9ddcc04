"""`outrider robots` shows what a host allows."""


def test_the_stored_file_is_shown_with_what_it_means_for_us(crawled):
    ran = crawled.run("robots", "127.0.0.2")

    assert ran.code == 0
    for said in ("User-agent: *", "0.01 s", "https://a.test/s.xml", "Disallow: /private", "200"):
        assert said in ran.out


def test_a_path_gets_its_verdict_with_the_line(crawled):
    allowed = crawled.run("robots", "127.0.0.2", "/page/1", "--json")
    denied = crawled.run("robots", "127.0.0.2", "private/y", "--json")

    assert allowed.code == 0
    assert allowed.json[0]["allowed"] is True
    assert denied.code == 1
    assert denied.json[0]["path"] == "/private/y"
    assert (denied.json[0]["line"], denied.json[0]["rule"]) == (3, "Disallow: /private")


def test_a_missing_file_is_offered_and_fetched(own_crawl):
    other = own_crawl.origin.replace("127.0.0.2", "127.0.0.3")
    missing = own_crawl.run("robots", "127.0.0.3")
    unreachable = own_crawl.run("robots", other, "--fetch")
    before = len(own_crawl.site.log())

    fetched = own_crawl.run("robots", "127.0.0.2", "--fetch", "--json")

    assert missing.code == 1
    assert "`outrider robots 127.0.0.3 --fetch` fetches it" in missing.err
    assert unreachable.code == 1
    assert "cannot be read now" in unreachable.err
    assert [asked.path for asked in own_crawl.site.wait_for(before + 1)[before:]] == ["/robots.txt"]
    assert fetched.json[0]["origin"] == own_crawl.origin
    assert fetched.json[0]["status"] == 200
