"""What no template of the dashboard may do: pass text on unescaped, or hold scripts and styles (UI-20)."""

import re
from pathlib import Path

import pytest

from outrider.web.dashboard.rendering import TEMPLATES, environment

FILES = sorted(TEMPLATES.rglob("*.html"))
FORBIDDEN = {
    "a raw filter": re.compile(r"\|\s*safe\b"),
    "escaping turned off": re.compile(r"\bautoescape\b"),
    "markup made in a template": re.compile(r"\bMarkup\b"),
    "an inline script": re.compile(r"<script(?![^>]*\bsrc=)", re.IGNORECASE),
    "an inline style element": re.compile(r"<style\b", re.IGNORECASE),
    "an inline style": re.compile(r"\sstyle\s*=", re.IGNORECASE),
    "an event attribute": re.compile(r"\son[a-z]+\s*=", re.IGNORECASE),
    "hx-on": re.compile(r"\bhx-on\b", re.IGNORECASE),
    "a javascript: address": re.compile(r"javascript:", re.IGNORECASE),
}
WRONG = {
    "a raw filter": "{{ page.title | safe }}",
    "escaping turned off": "{% autoescape false %}",
    "markup made in a template": "{{ Markup(page.title) }}",
    "an inline script": "<script>go()</script>",
    "an inline style element": "<STYLE>",
    "an inline style": '<td style="width: 1px">',
    "an event attribute": '<a onclick="go()">',
    "hx-on": "<a hx-on:click='go()'>",
    "a javascript: address": '<a href="javascript:go()">',
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(TEMPLATES)))
def test_a_template_escapes_everything_and_holds_no_script_or_style(file: Path):
    text = file.read_text()

    assert [what for what, pattern in FORBIDDEN.items() if pattern.search(text)] == []


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_rules_notice_what_they_forbid(what: str):
    assert FORBIDDEN[what].search(WRONG[what])


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(TEMPLATES)))
def test_a_template_can_be_read(file: Path):
    environment().get_template(str(file.relative_to(TEMPLATES)))


def test_everything_is_escaped():
    assert environment().autoescape is True
