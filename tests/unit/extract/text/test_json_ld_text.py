"""Text that a page has only in its structured data."""

import json
from typing import Any

import pytest

from outrider.extract.text.json_ld_text import json_ld_text
from outrider.extract.text.main_text import main_text
from outrider.extract.tree.parse import parse

SENTENCES = [
    f"Sentence {number} of what the page would have shown, had anyone run its script." for number in range(9)
]


def page(thing: dict[str, Any], shown: str = "<p>Loading</p>") -> bytes:
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>{shown}'.encode()


def test_an_article_that_a_script_would_draw_is_taken_from_its_structured_data() -> None:
    assert main_text(parse(page({"articleBody": "\n".join(SENTENCES)}))).split("\n") == SENTENCES


def test_what_a_page_shows_comes_first() -> None:
    shown = "".join(f"<p>{sentence.replace('Sentence', 'Line')}</p>" for sentence in SENTENCES)

    assert "Sentence" not in main_text(parse(page({"articleBody": "\n".join(SENTENCES)}, shown)))


def test_markup_in_structured_data_is_not_text() -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)

    assert json_ld_text(parse(page({"articleBody": body}))).split("\n") == SENTENCES


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param("Stir.\nBake.", id="lines"),
        pytest.param(["Stir.", "Bake."], id="a list"),
        pytest.param([{"@type": "HowToStep", "text": "Stir."}, {"text": "Bake."}], id="steps"),
        pytest.param(
            [{"itemListElement": [{"text": "Stir."}]}, {"itemListElement": ["Bake."]}], id="sections"
        ),
        pytest.param(
            [{"text": "Stir."}, {"name": None}, 7, {"text": "Bake."}], id="steps among other things"
        ),
    ],
)
def test_a_recipe_is_what_goes_in_and_what_to_do(steps: Any) -> None:
    recipe = {"@type": "Recipe", "recipeIngredient": ["2 cups flour"], "recipeInstructions": steps}

    assert json_ld_text(parse(page(recipe))).split("\n") == ["2 cups flour", "Stir.", "Bake."]
