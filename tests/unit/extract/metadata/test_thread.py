"""The author and the date of a thread are those of its first post."""

from datetime import UTC, datetime

import pytest

from outrider.extract import extract

NOW = datetime(2026, 1, 10, tzinfo=UTC)
THREAD = "https://example.com/threads/which-saw.1234/"


def read(html, url=THREAD):
    page = extract(html.encode(), url, now=NOW)
    return page.author, page.published_at and page.published_at.date().isoformat()


def post(name, date):
    return f"<div><a class=username href=/members/{name}/>{name}</a> <span>{date}</span><p>Text</p></div>"


REPLIES = "".join(post(f"reply{n}", f"May {n}, 2024") for n in range(10, 20))
FIRST = post("ann", "May 1, 2024")


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(f"<h1>Which saw?</h1>{FIRST}{REPLIES}", id="at the post"),
        pytest.param(
            "<h1>Which saw?</h1><p><a href=/u/ann/>ann</a> <time datetime=2024-05-01T10:00Z>May 1</time>"
            f"{REPLIES}",
            id="below the headline",
        ),
        pytest.param(
            f"<h1>Which saw?</h1><p>Last post by <a href=/members/zoe/>zoe</a> <b>Jan 3, 2025</b></p>{FIRST}",
            id="after those of the last post",
        ),
        pytest.param(
            "<h1>Which saw?</h1><dl><dt><a href=/u/ann>ann</a></dt><dd>Joined: <i>Jun 3, 2011</i></dd></dl>"
            f"<p>May 1, 2024 9:10 am</p>{REPLIES}",
            id="after the day on which the author joined",
        ),
        pytest.param(
            "<h1>Which saw?</h1><div><p>edited <span title='2024-06-01 10:00Z'>June 1, 2024</span>"
            "<a href=/users/2/ed>ed</a></p><p>asked <span title='2024-05-01 09:00Z'>May 1</span> "
            f"<a href=/users/1/ann>ann</a></p></div>{REPLIES}",
            id="after those of an editor",
        ),
        pytest.param(
            "<table><tr><td class=thead>1st May 2024, 9:26</td></tr><tr><td><a class=bigusername>ann</a></td>"
            f"</tr></table>{REPLIES}",
            id="without a headline",
        ),
        pytest.param(
            "<main created-timestamp=2024-05-01T09:47:05Z><h1>Which saw?</h1><a href=/u/ann>ann</a></main>"
            f"{REPLIES}",
            id="in an attribute of what holds the headline",
        ),
        pytest.param(
            "<h1>Which saw?</h1><h2>#1 May 1, 2024</h2><dl><dt><b>ann</b></dt> <dd class=usertitle>Member"
            f"</dd></dl>{REPLIES}",
            id="as a term that the title of a user describes",
        ),
    ],
)
def test_the_first_post_dates_and_signs_a_thread(html):
    assert read(html) == ("ann", "2024-05-01")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/viewtopic.php?t=361697",
        "https://example.com/index.php?topic=589061.0",
        "https://example.com/questions/21553327/which-saw",
        "https://example.com/t/which-saw/931828",
        "https://example.com/topic/43227/which-saw",
        "https://forum.example.com/which-saw/931828",
        "https://forum.example.com/topic/which-saw",
        "https://example.com/r/tools/comments/1rjl74r/which_saw/",
    ],
)
def test_the_address_names_a_thread(url):
    assert read(f"<h1>Which saw?</h1>{FIRST}{REPLIES}", url) == ("ann", "2024-05-01")


def test_structured_data_names_a_thread():
    thread = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'

    assert read(f"<h1>Which saw?</h1>{thread}{FIRST}{REPLIES}", "https://example.com/a") == (
        "ann",
        "2024-05-01",
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/topics/saws-of-2024",
        "https://example.com/posts/2024/saws",
        "https://example.com/questions/",
        "https://example.com/news/saws",
        "https://forum.example.com/topic/",
    ],
)
def test_the_posts_of_a_list_are_other_pages(url):
    assert read(f"<h1>Which saw?</h1>{FIRST}{REPLIES}", url) == (None, None)


def test_a_name_is_clean():
    assert read("<h1>Which saw?</h1><a href=/u/ann>a\x07nn</a>")[0] == "ann"


def test_what_the_page_states_goes_before_what_its_first_post_shows():
    stated = "<meta property=article:published_time content=2024-04-30><meta name=author content=Bea>"

    assert read(f"{stated}<h1>Which saw?</h1>{FIRST}{REPLIES}") == ("Bea", "2024-04-30")
