"""`outrider retry` puts dead URLs back, and only those."""


def test_a_dead_url_is_fetched_again_by_the_next_crawl(own_crawl):
    lost = f"{own_crawl.origin}/lost"
    before = len(own_crawl.site.log())

    ran = own_crawl.run("retry", lost, own_crawl.site.url, "--json")
    pending = own_crawl.run("why", lost, "--json").json["known"]
    own_crawl.crawl()

    assert ran.code == 0
    assert ran.json == {"queued": 1, "not_dead": [own_crawl.site.url]}
    assert (pending["state"], pending["attempts"], pending["reason"]) == ("pending", 0, None)
    asked = [each.path for each in own_crawl.site.log()[before:]]
    assert asked.count("/lost") == 1
    assert asked.count("/page/1") == 0


def test_all_that_died_of_one_reason_can_be_tried_again(own_crawl):
    elsewhere = own_crawl.run("retry", "--dead", "not_found", "--host", "other.example")
    here = own_crawl.run("retry", "--dead", "not_found", "--json")

    assert elsewhere.code == 1
    assert "0 URLs queued again." in elsewhere.out
    assert here.json["queued"] == 1
    assert own_crawl.run("stats", "--json").json["dead_by_reason"] == {"robots_blocked": 1}
