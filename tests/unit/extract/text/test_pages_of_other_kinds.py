"""Main text of pages that are no articles: threads, lists, collections, services, and pages named badly."""

import pytest

from outrider.extract.text.main_text import main_text
from outrider.extract.tree.parse import parse

MENU = (
    "<nav><a href=/>Home</a> <a href=/new>New arrivals</a> <a href=/about>About the mill</a></nav>"
    "<header class=site-header><a href=/login>Log in</a></header>"
)
FOOTER = "<footer><p>NOISE All prices include tax. The mill is closed on public holidays.</p></footer>"
SENTENCES = (
    "The mill stood still for eleven years before anyone let the water in again.",
    "Its stones were cut by hand, and the man who cut them still comes by once a year.",
    "We grind rye and wheat on Tuesdays, and whatever you bring along on Fridays.",
    "Children may turn the small wheel in the yard, as long as somebody watches them.",
)
ARTICLE_DATA = '<script type="application/ld+json">{"@type": "Article", "headline": "Old mills"}</script>'


def text_of(body: str, url: str = "https://a.example/x") -> str:
    return main_text(parse(f"<title>Mill</title>{MENU}{body}{FOOTER}".encode()), url)


def thread(post: str) -> str:
    return "".join(post.format(sentence, number) for number, sentence in enumerate(SENTENCES))


BOARD = (
    "<article class=message><section class=message-user><h4>NOISE-miller{1}</h4><dl><dt>NOISE-joined"
    "<dd>2012</dl></section><div class=message-main><div class=message-userContent>{0}</div>"
    "<aside class=message-signature>NOISE: flour is life, says the one who signs.</aside></div></article>"
)


@pytest.mark.parametrize("data", ["", ARTICLE_DATA])
def test_all_posts_of_a_thread_are_kept_without_their_authors_and_signatures(data: str) -> None:
    text = text_of(f"{data}<div class=p-body>{thread(BOARD)}</div>", "https://a.example/threads/mills.1/")

    assert text.split("\n") == list(SENTENCES)


def test_an_answer_that_quotes_a_post_does_not_repeat_it() -> None:
    quote = f"<div class=message-body><blockquote>{SENTENCES[0]}</blockquote>So it did.</div>"

    text = text_of(thread("<div class=message-body>{}</div>") + quote, "https://a.example/forum/1")

    assert text.split("\n") == [*SENTENCES, "So it did."]


def test_a_thread_that_only_stands_in_noscript_is_read() -> None:
    posts = thread("<div class=post><p>{0} {0} {0} {0}</p></div>")

    text = text_of(f"<div id=app></div><noscript>{posts}</noscript>", "https://discuss.example/t/1")

    assert all(sentence in text for sentence in SENTENCES)


def test_a_request_to_turn_scripts_on_is_no_text() -> None:
    assert "scripts" not in text_of("<p>Flour</p><noscript>Please turn scripts on to see it.</noscript>")


def test_the_names_of_a_list_are_its_content() -> None:
    jobs = "".join(
        f"<li class=tag-row><a href={n}><h3>Miller {n}</h3><p>Grinding & Co.</p><p>Town {n}</p></a>"
        for n in range(12)
    )

    introduction = "".join(f"<section><p>{sentence * 3}</p></section>" for sentence in SENTENCES)
    page = f"<main><h1>Jobs</h1>{introduction}<ul id=search-results class=search>{jobs}</ul></main>"

    lines = text_of(page).split("\n")

    assert {"Jobs", *(f"Miller {n}" for n in range(12)), *(f"Town {n}" for n in range(12))} <= set(lines)


def test_the_cards_of_a_collection_are_its_content_and_its_filters_are_not() -> None:
    cards = "".join(
        f"<div class=slide><a href={n}>Grindstone {n}</a> <span>${n}.90</span>"
        f"<div class='hidden md:block'>Weighs {n} kg</div></div>"
        for n in range(2, 14)
    )
    filters = "".join(f"<label>NOISE size {n}</label><br>" for n in range(5))

    lines = text_of(
        f"<main><h1>Stones</h1><form>{filters}</form><div class=carousel>{cards}</div></main>"
    ).split("\n")

    assert "NOISE" not in "".join(lines)
    assert lines[0] == "Stones"
    assert sum(line.startswith("Grindstone") for line in lines) == 12
    assert sum(line.startswith("Weighs") for line in lines) == 12


def test_all_sections_of_a_service_are_kept() -> None:
    sections = "".join(
        f"<section class={name}><div><h2>Part {number}</h2><p>{sentence}</p></div></section>"
        for number, (name, sentence) in enumerate(
            zip(("hero-banner", "cta", "widget", "promo"), SENTENCES, strict=True)
        )
    )

    lines = text_of(f"<div class=page>{sections}</div>").split("\n")

    assert [line for line in lines if line in SENTENCES] == list(SENTENCES)
    assert [f"Part {number}" in lines for number in range(4)] == [True] * 4


@pytest.mark.parametrize(
    "around",
    [
        pytest.param("<form id=aspnetForm>{}</form>", id="a form around the page"),
        pytest.param("<div class=overlay-background>{}</div>", id="an overlay around the page"),
        pytest.param("<div class=cmp-container>{}</div>", id="a component"),
        pytest.param("<div class=message-userDetails>{}</div>", id="a name that means a user"),
        pytest.param("<div hidden id=S:1>{}</div>", id="a part that a script shows"),
        pytest.param("<div class='hidden lg:block'>{}</div>", id="a part for wide screens"),
    ],
)
def test_what_holds_most_of_a_page_is_content_whatever_it_is_called(around: str) -> None:
    sections = "".join(
        around.format(f"<section><h2>Part {number}</h2><p>{sentence}</p></section>")
        for number, sentence in enumerate(SENTENCES)
    )

    lines = text_of(f"<h1>Grinding</h1>{sections}").split("\n")

    assert [line for line in lines if line in SENTENCES] == list(SENTENCES)


def test_a_form_around_a_whole_page_of_sections_is_a_container() -> None:
    sections = "".join(
        f"<div class=row><h2>Part {number}</h2><p>{sentence}</p></div>"
        for number, sentence in enumerate(SENTENCES)
    )
    page = f"<form id=aspnetForm>{MENU}<h1>Grinding</h1>{sections}<div class=footer>NOISE</div></form>"

    lines = text_of(page).split("\n")

    assert [line for line in lines if line in SENTENCES] == list(SENTENCES)
    assert "NOISE" not in lines


def test_a_list_of_short_links_is_kept_where_nothing_else_is() -> None:
    grains = ("Rye", "Wheat", "Oats", "Spelt", "Barley", "Millet", "Maize", "Rice")
    links = "".join(f"<li><a href={grain}>{grain}</a>" for grain in grains)

    assert text_of(f"<main><h1>Grains</h1><ul>{links}</ul></main>").split("\n") == ["Grains", *grains]


def test_a_section_that_stands_twice_for_two_screens_is_kept_once() -> None:
    section = f"<h2>Prices</h2><p>{SENTENCES[0]}</p><div><p>{SENTENCES[1]}</p></div>"
    other = "".join(f"<section><p>{n} times: {SENTENCES[2]}</p></section>" for n in range(5))

    text = text_of(f"<main><div>{section}</div>{other}<section>{section}</section></main>")

    assert text.count(SENTENCES[0]) == text.count("Prices") == 1


def test_answers_that_a_reader_can_open_are_kept() -> None:
    answers = "".join(
        f"<h3>Question {number}</h3><div class=accordion-content aria-hidden=true><p>{sentence}</p></div>"
        for number, sentence in enumerate(SENTENCES)
    )
    parts = "".join(f"<section><p>{sentence} Ask us.</p></section>" for sentence in SENTENCES * 4)

    lines = text_of(f"<main>{parts}{answers}</main>").split("\n")

    assert [line for line in lines if line in SENTENCES] == list(SENTENCES)


def test_a_footer_is_none_of_the_content_however_long_it_is() -> None:
    small_print = "<p>NOISE Offers end when they end and are not valid on any day that begins with a T.</p>"
    cards = "".join(f"<div><h3>Stone {n}</h3><p>from ${n}0</p></div>" for n in range(40))

    text = text_of(f"<main>{cards}</main><footer>{small_print * 20}</footer>")

    assert "NOISE" not in text
    assert text.count("Stone") == 40


def test_a_few_hidden_words_on_a_page_without_text_stay_hidden() -> None:
    assert text_of("<div style='display: none'><h1>Robots are not served</h1></div>") == ""


def test_an_article_whose_body_is_cut_into_parts_is_read_as_one() -> None:
    parts = "".join(
        f"<div class=post-content><p>{sentence * 2}</p><p>{sentence * 3}</p></div>" for sentence in SENTENCES
    )
    around = "".join(f"<p>NOISE {n} for other lands</p>" for n in range(40))
    page = f"<meta property=og:type content=article><div class=detail>{parts}</div><div>{around}</div>"

    text = text_of(page)

    assert all(sentence in text for sentence in SENTENCES)
    assert "NOISE" not in text
