"""Systems are recognised by name, by domain and by their marks; their selectors find what they should."""

import pytest

from outrider.errors import InvalidInput
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.templates import (
    INSPECTED_BYTES,
    TEMPLATES,
    template_named,
    template_of_host,
    template_of_page,
)

MARKS = {
    "wordpress": [
        '<meta name="generator" content="WordPress 6.4.2" />',
        '<link rel="https://api.w.org/" href="/wp-json/">',
        '<link href="/wp-content/themes/x/style.css">',
    ],
    "drupal": [
        '<meta name="Generator" content="Drupal 10 (https://www.drupal.org)" />',
        '<script data-drupal-selector="drupal-settings-json">',
    ],
    "ghost": ['<meta name="generator" content="Ghost 5.80">'],
    "blogger": ["<meta content='blogger' name='generator'/>"],
    "medium": ['<meta property="al:android:package" content="com.medium.reader">'],
    "squarespace": ["<!-- This is Squarespace. -->"],
    "wix": ['<meta name="generator" content="Wix.com Website Builder"/>'],
    "typo3": [
        "<!-- This website is powered by TYPO3 - inspiring people to share! -->",
        '<meta name="generator" content="TYPO3 CMS">',
    ],
    "joomla": ['<meta name="generator" content="Joomla! - Open Source Content Management">'],
    "shopify": ['<link rel="preconnect" href="https://cdn.shopify.com">'],
    "substack": ['<link rel="preconnect" href="https://substackcdn.com">'],
    "webflow": ['<html data-wf-page="62" data-wf-site="63">'],
    "hugo": ['<meta name="generator" content="Hugo 0.121.1">'],
    "jekyll": ["<!-- Begin Jekyll SEO tag v2.8.0 -->"],
}


@pytest.mark.parametrize(("name", "mark"), [(name, mark) for name, marks in MARKS.items() for mark in marks])
def test_a_page_gives_its_system_away(name, mark):
    found = template_of_page(f"<!doctype html><html><head>{mark}</head>".encode())

    assert found is not None
    assert found.name == name


def test_every_template_can_be_recognised_and_holds_valid_selectors():
    assert set(MARKS) == set(TEMPLATES)
    for template in TEMPLATES.values():
        assert Selectors.from_json(template.selectors.to_json()) == template.selectors
        assert template.selectors.article.body


def test_only_the_beginning_of_a_page_is_looked_at():
    """EXT-14: the first 4 KB."""
    mark = b'<meta name="generator" content="WordPress 6">'

    assert template_of_page(b" " * (INSPECTED_BYTES - len(mark)) + mark) is TEMPLATES["wordpress"]
    assert template_of_page(b" " * INSPECTED_BYTES + mark) is None


@pytest.mark.parametrize(
    "html",
    [
        b"",
        b"<html><p>We moved our blog from WordPress to paper.</p>",
        b"\xff\xfe\x00",
        b"<meta name=generator content=Mine>",
    ],
)
def test_a_page_that_says_nothing_is_of_no_system(html):
    assert template_of_page(html) is None


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("somebody.medium.com", "medium"),
        ("a.b.blogspot.com", "blogger"),
        ("x.substack.com", "substack"),
        ("notmedium.com", None),
        ("medium.com.evil.example", None),
        ("localhost", None),
    ],
)
def test_some_domains_are_all_of_one_system(host, name):
    found = template_of_host(host)

    assert (found.name if found else None) == name


def test_an_unknown_name_is_answered_with_those_there_are():
    assert template_named(" WordPress ") is TEMPLATES["wordpress"]
    with pytest.raises(InvalidInput, match=r"there is no template 'wordpres': choose .*wordpress"):
        template_named("wordpres")
