"""Traps lose their turn by what they yield; sites that say something never do."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.crawl.admission.templates import (
    MOST_TEMPLATES,
    Novelty,
    PageNovelty,
    TemplateState,
    TemplateWatch,
    count_links_out,
    learn,
)
from outrider.crawl.admission.traps import TrapOptions

SITE = "https://a.org"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WORDS = (
    "lorem",
    "ipsum",
    "dolor",
    "sit",
    "amet",
    "sadipscing",
    "elitr",
    "diam",
    "nonumy",
    "eirmod",
    "tempor",
)
FURNITURE = "\n".join(f"{word} is what this site always says" for word in WORDS)
ITEMS = [f"{color} {thing}" for color in ("Blue", "Red", "Grey") for thing in ("shirt", "sock", "tie", "hat")]
NEWS, NOTHING = PageNovelty(is_new=True), PageNovelty(is_new=False)


def month(i, *, sep="\n"):
    year, name = 2026 + i // 12, MONTHS[i % 12]
    days = sep.join(str(day) for day in range(1, 29 + i % 4))
    return f"{SITE}/calendar?month={year}-{i % 12 + 1:02}", f"{name} {year}{sep}no events{sep}{days}"


def calendar_path(i):
    _, text = month(i, sep=" ")
    return f"{SITE}/cal/{2026 + i // 12}/{i % 12 + 1:02}", f"{text} {FURNITURE}"


def facets(i):
    shown = random.Random(i).sample(ITEMS, 9)
    rows = "\n".join(f"{item}\n{len(item)}.00 EUR\nAdd to cart" for item in shown)
    return f"{SITE}/shop?color={i % 7}&size={i}&sort=up", f"Our shop\n{rows}"


def facets_in_one_line(i):
    url, text = facets(i)
    return url, text.replace("\n", " ")


def session(i):
    return f"{SITE}/home?token={i}x", f"Welcome\n{FURNITURE}"


def counter(i):
    return f"{SITE}/more/{i}", FURNITURE


def empty(i):
    return f"{SITE}/app/{i}", ""


def article(i):
    draw = random.Random(i)
    text = ". ".join(" ".join(draw.choices(WORDS, k=8)) for _ in range(20))
    return f"{SITE}/2024/05/{i % 28 + 1:02}/slug-{i}", f"{text}\n{FURNITURE}"


def product(i):
    return f"{SITE}/product?id={i}", f"{FURNITURE}\nProduct {i}\nPrice {i * 3}"


def named_from_few_words(i):
    draw = random.Random(i)
    offers = "\n".join(draw.sample(ITEMS, 5))
    return f"{SITE}/product?id={i}", f"{' '.join(draw.choices(WORDS, k=3))}\n{offers}\nIn stock\n{FURNITURE}"


def only_its_number_differs(i):
    return f"{SITE}/p/{i}.html", f"Page {i} {FURNITURE}"


def filler_from_few_words(i):
    return f"{SITE}/p/{i}", " ".join(random.Random(i).choices(WORDS, k=200))


def readings(i):
    draw = random.Random(i)
    date = f"{1990 + i // 336}-{i // 28 % 12 + 1:02}-{i % 28 + 1:02}"
    text = f"Weather of {date}\n{draw.uniform(-5, 30):.1f} C\n{draw.randrange(980, 1040)} hPa"
    return f"{SITE}/weather?date={date}", text


def crawl(site, pages):
    """How many pages of a site are fetched until it loses its turn; None if it never does."""
    watch = TemplateWatch()
    for i in range(pages):
        url, text = site(i)
        if watch.is_barren(url):
            return i
        watch.observe(url, text, [site(i + 1)[0]])
    return None


@pytest.mark.parametrize(
    "site",
    [month, calendar_path, facets, facets_in_one_line, session, counter, empty],
    ids=lambda f: f.__name__,
)
def test_a_trap_loses_its_turn(site):
    fetched = crawl(site, 100)

    assert fetched is not None
    assert fetched < 60


@pytest.mark.parametrize(
    "site",
    [article, product, named_from_few_words, only_its_number_differs, filler_from_few_words, readings],
    ids=lambda f: f.__name__,
)
def test_distinct_pages_keep_their_turn(site):
    assert crawl(site, 2_500) is None


def test_only_the_barren_template_loses_its_turn():
    watch = TemplateWatch(TrapOptions(patience=2))
    for i in range(4):
        watch.observe(*counter(i), [])

    assert watch.barren == {f"{SITE}/more/{{n}}"}
    assert watch.is_barren(f"{SITE}/more/99")
    assert not watch.is_barren(f"{SITE}/less/99")
    assert not watch.is_barren(f"{SITE}/more")


def test_a_template_that_runs_dry_loses_its_turn_however_good_it_was():
    watch = TemplateWatch(TrapOptions(patience=20))
    for i in range(300):
        watch.observe(*product(i), [])

    dry = next(i for i in range(100) if watch.observe(f"{SITE}/product?id=x{i}", FURNITURE, []).barren)

    assert dry < 20 + 16


def test_a_plain_address_teaches_nothing():
    assert TemplateWatch().observe(f"{SITE}/about", "text", []) is None


def test_pages_with_links_out_of_the_template_keep_their_turn():
    watch = TemplateWatch()
    for i in range(100):
        state = watch.observe(f"{SITE}/gallery?page={i}", "Gallery", [f"{SITE}/photo/{i}"])

    assert state == TemplateState(fetched=100)


@pytest.mark.parametrize(
    ("template", "urls", "count"),
    [
        ("/gallery?page={v}", ["/photo/1", "/about"], 2),
        ("/gallery?page={v}", ["/gallery?page=3", "/gallery?page=3&sort=up", "/gallery"], 0),
        ("/item/{n}", ["/item/7", "/item/7?tab=2"], 0),
        ("/cal/{date}", ["/day?date=2031-05-01", "/2031/05"], 0),
        ("/cal/{date}", ["/events/concert"], 1),
        ("/item/{n}", ["/day?date=2031-05-01"], 1),
    ],
)
def test_links_out_are_links_to_other_templates(template, urls, count):
    assert count_links_out(SITE + template, [SITE + url for url in urls]) == count


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([NOTHING] * 2, TemplateState(fetched=2, barren_run=2, barren=False)),
        ([NOTHING] * 3, TemplateState(fetched=3, barren_run=3, barren=True)),
        ([NOTHING, NOTHING, NEWS, NOTHING], TemplateState(fetched=4, barren_run=1, barren=False)),
        ([NOTHING, NOTHING, PageNovelty(is_new=False, leads=1)], TemplateState(fetched=3)),
        ([NOTHING] * 5 + [NEWS], TemplateState(fetched=6)),
    ],
    ids=["patience lasts", "patience ends", "news restores it", "so does new ground", "even when barren"],
)
def test_a_template_learns_from_its_pages(pages, expected):
    state = TemplateState()
    for page in pages:
        state = learn(state, page, TrapOptions(patience=3))

    assert state == expected


def test_forgotten_templates_make_room():
    watch = TemplateWatch(TrapOptions(patience=1))
    watch.observe(f"{SITE}/x/1", "same", [])
    for i in range(MOST_TEMPLATES):
        watch.observe(f"{SITE}/{'a' * i}/1", "text", [])

    state = watch.observe(f"{SITE}/x/2", "same", [])

    assert state == TemplateState(fetched=1)


PAIRS = [f"{word} and {other}" for word in WORDS[:5] for other in WORDS]
LIST_A, LIST_B = [f"thing {word}" for word in WORDS], [f"stuff {word}" for word in WORDS]


@pytest.mark.parametrize(
    ("earlier", "page", "is_new"),
    [
        pytest.param([LIST_A, LIST_B], LIST_A[::-1], False, id="a list sorted differently"),
        pytest.param([LIST_A, LIST_B], LIST_A[2:9], False, id="a list filtered"),
        pytest.param(
            [LIST_A, LIST_B], [*LIST_A, "found in 7 ms"], False, id="one unknown line among many known"
        ),
        pytest.param([LIST_A, LIST_B], [*LIST_A[:5], "a headline"], True, id="one among few"),
        pytest.param([LIST_A], [*LIST_A, "a headline"], True, id="one on a page that is otherwise furniture"),
        pytest.param([PAIRS, LIST_B], [*PAIRS, "a", "b", "c"], True, id="three unknown lines on any page"),
        pytest.param([["7", "8"], ["7", "9"], ["6", "9"], ["8", "9"]], ["6", "7"], True, id="other numbers"),
        pytest.param(
            [["7", "8"], ["6", "9"]] * 3, ["7", "8"], False, id="numbers that stood together before"
        ),
    ],
)
def test_news_is_what_the_template_has_not_shown(earlier, page, is_new):
    novelty = Novelty(dated=False)
    for lines in earlier:
        novelty.adds("\n".join(lines))

    assert novelty.adds("\n".join(page)) is is_new


@given(st.lists(st.text(alphabet="ab1.\n ", max_size=400), max_size=5), st.booleans())
def test_a_page_never_adds_to_itself(texts, dated):
    novelty = Novelty(dated=dated)
    for text in texts:
        novelty.adds(text)

        assert novelty.adds(text) is False


def test_a_text_may_be_given_in_utf8():
    as_text, as_bytes = Novelty(dated=False), Novelty(dated=False)
    pages = ["Übersicht\nOrt 1", "Übersicht\nOrt 2", "Übersicht\nOrt 2", "ü" * 40_000, "ü" * 40_000 + "x"]

    assert [as_text.adds(page) for page in pages] == [as_bytes.adds(page.encode()) for page in pages]
