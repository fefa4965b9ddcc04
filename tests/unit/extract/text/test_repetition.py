"""Which repeated text counts as a second copy."""

import pytest

from outrider.extract.text.main_text import main_text
from outrider.extract.tree.parse import parse

WARNING_TEXT = (
    "Keep the secret key out of the program, read it from its surroundings, "
    "and give it to none of your friends."
)
WARNING = f"<div><h3>Warning</h3><p>{WARNING_TEXT}</p></div>"
ITEMS = [
    "A first talk about the plans of the student and about the schools in question",
    "A second talk about the costs, with the parents, and a written summary of it",
    "A letter to every school that has been chosen by then, read by two of us",
]
OTHER_SECTIONS = "".join(
    f"<section><p>Part {number} tells all that it takes to run an old mill by a river, "
    "and says it at some length.</p></section>"
    for number in range(30)
)


def text_of(content: str, url: str = "https://a.example/x") -> str:
    return main_text(parse(f"<title>Mill</title><main>{OTHER_SECTIONS}{content}</main>".encode()), url)


def tab_panels(*contents: str) -> str:
    return "".join(f"<div role=tabpanel>{content}</div>" for content in contents)


def step(language: str) -> str:
    return f"<p>Install the client library for {language} with its package manager.</p>"


def items(*texts: str) -> str:
    return "<ul>" + "".join(f"<li>{text}</li>" for text in texts) + "</ul>"


def test_each_tab_panel_keeps_the_warning_that_all_of_them_have() -> None:
    text = text_of(tab_panels(step("Python") + WARNING, step("Ruby") + WARNING, WARNING + step("Go")))

    assert text.count(WARNING_TEXT) == 3


def test_a_tab_panel_that_is_a_whole_copy_is_dropped() -> None:
    text = text_of(tab_panels(step("Python") + WARNING, step("Python") + WARNING))

    assert text.count(WARNING_TEXT) == text.count("Python") == 1


def test_a_copy_inside_the_same_tab_panel_is_dropped() -> None:
    text = text_of(tab_panels(step("Python") + WARNING + step("Ruby") + WARNING))

    assert text.count(WARNING_TEXT) == 1


def test_a_copy_of_what_is_outside_of_tabs_is_dropped() -> None:
    assert text_of(WARNING + tab_panels(step("Python") + WARNING)).count(WARNING_TEXT) == 1


@pytest.mark.parametrize(
    "second",
    [
        pytest.param([*ITEMS, "And a dinner"], id="the first items"),
        pytest.param(["A dinner, and then", *ITEMS], id="the last items"),
    ],
)
def test_lists_may_share_items(second: list[str]) -> None:
    text = text_of(f"{items(*ITEMS)}<h2>The larger package</h2>{items(*second)}")

    assert [text.count(item) for item in ITEMS] == [2, 2, 2]


def test_a_copy_of_a_whole_list_is_dropped() -> None:
    text = text_of(f"{items(*ITEMS)}<h2>For wide screens</h2>{items(*ITEMS)}")

    assert [text.count(item) for item in ITEMS] == [1, 1, 1]


def test_an_answer_that_quotes_some_items_of_a_list_does_not_repeat_them() -> None:
    quotation = f"<blockquote>{items(*ITEMS[:2], 'And so on')}</blockquote>"

    text = text_of(f"{items(*ITEMS)}{quotation}", "https://forum.example/threads/lists.1/")

    assert [text.count(item) for item in ITEMS] == [1, 1, 1]
