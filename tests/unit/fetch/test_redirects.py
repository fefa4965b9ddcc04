"""One loop follows the redirects of an address, whatever is fetched."""

from outrider.fetch import Chain, Exchange, Fetched, HopLimits, Outcome, Redirected
from outrider.fetch.redirects import follow_redirects

ONE, TWO, THREE = (f"http://a.test/{number}" for number in (1, 2, 3))


class Site:
    """Redirects as told, and remembers what was requested."""

    def __init__(self, redirects: dict[str, str], forbidden: str | None = None) -> None:
        self.asked: list[str] = []
        self._redirects = redirects
        self._forbidden = forbidden

    async def ask(self, chain: Chain) -> Outcome | str:
        if chain.url == self._forbidden:
            return "forbidden"
        self.asked.append(chain.url)
        return self.answer(chain.url)

    def answer(self, url: str) -> Outcome:
        target = self._redirects.get(url)
        if target is None:
            return Fetched(Exchange(url, 200, {}, 0, 10), b"", content_type=None)
        return Redirected(Exchange(url, 302, {}, 0, 10), target, target, follow=target)


async def test_redirects_are_followed_to_the_first_other_answer():
    site = Site({ONE: TWO, TWO: THREE})

    came = await follow_redirects(Chain.start(ONE), site.ask, HopLimits())

    assert isinstance(came.answer, Fetched)
    assert (came.chain.url, came.end.reason) == (THREE, None)
    assert [hop.target for hop in came.end.hops] == [TWO, THREE]
    assert site.asked == [ONE, TWO, THREE]


async def test_an_answer_in_hand_is_not_requested_again():
    site = Site({ONE: TWO})

    await follow_redirects(Chain.start(ONE), site.ask, HopLimits(), site.answer(ONE))

    assert site.asked == [TWO]


async def test_a_hop_that_may_not_be_requested_ends_the_chain_there():
    site = Site({ONE: TWO, TWO: THREE}, forbidden=TWO)

    came = await follow_redirects(Chain.start(ONE), site.ask, HopLimits())

    assert (came.answer, came.chain.url) == ("forbidden", TWO)
    assert site.asked == [ONE]


async def test_a_loop_is_left_where_it_closes():
    site = Site({ONE: TWO, TWO: ONE})

    came = await follow_redirects(Chain.start(ONE), site.ask, HopLimits())

    assert isinstance(came.answer, Redirected)
    assert (came.chain.url, came.end.reason) == (TWO, "redirect_loop")
    assert site.asked == [ONE, TWO]


async def test_no_more_requests_are_made_than_the_limit_allows():
    site = Site({ONE: TWO, TWO: THREE})

    came = await follow_redirects(Chain.start(ONE), site.ask, HopLimits(most=1))

    assert (came.chain.url, came.end.reason) == (TWO, "too_many_redirects")
    assert site.asked == [ONE, TWO]
