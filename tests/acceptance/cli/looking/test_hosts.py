"""`outrider hosts` shows how hosts are treated, and lets an operator change it."""

HOST = "127.0.0.2"


def test_the_list_says_how_each_host_behaved(crawled):
    [host] = crawled.run("hosts", "--json").json

    assert host["host"] == HOST
    assert (host["pages"], host["requests"], host["errors"]) == (6, 9, 0)
    assert (host["delay_ms"], host["breaker"], host["is_blocked"]) == (10, "closed", False)


def test_a_list_that_is_read_page_by_page_is_an_object(crawled):
    whole = crawled.run("hosts", "--json").json
    page = crawled.run("hosts", "--after", "start", "--json").json

    assert page == {"total": 1, "hosts": whole, "next": None}


def test_one_host_is_shown_in_detail(crawled):
    ran = crawled.run("hosts", HOST)

    assert ran.code == 0
    for said in ("nothing queued", "its robots.txt asks for it", "6 in 9 requests"):
        assert said in ran.out


def test_a_block_holds_until_it_is_lifted(own_crawl):
    blocked = own_crawl.run("hosts", HOST, "--block", "its owner asked", "--json").json
    twice = own_crawl.run("hosts", HOST, "--unblock")
    again = own_crawl.run("hosts", HOST, "--unblock")

    assert (blocked["is_blocked"], blocked["block_reason"]) == (True, "its owner asked")
    assert twice.code == 0
    assert "blocked" not in twice.out
    assert again.code == 1
    assert f"{HOST} is not blocked" in again.err


def test_a_delay_is_never_shorter_than_robots_asks(own_crawl):
    slower = own_crawl.run("hosts", HOST, "--delay", "2", "--json").json
    faster = own_crawl.run("hosts", HOST, "--delay", "0")
    freed = own_crawl.run("hosts", HOST, "--delay", "default", "--json").json

    assert (slower["asked_delay_ms"], slower["delay_ms"]) == (2000, 2000)
    assert f"{HOST} asks for 0.01 s in its robots.txt" in faster.err
    assert (freed["asked_delay_ms"], freed["delay_ms"]) == (None, 10)


def test_an_unknown_host_is_one_sentence(crawled):
    ran = crawled.run("hosts", "nowhere.example")

    assert ran.code == 1
    assert "nowhere.example is not known here" in ran.err
