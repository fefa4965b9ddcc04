"""Near-duplicates: what counts as one, what never does, and that an index finds them."""

import random
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.extract.similarity.reference_signature import MIN_WORDS
from outrider.extract.similarity.signature import near_duplicates, signature
from outrider.text_signatures import BANDS, bands

SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ren",
    "tu",
    "sha",
    "vel",
    "or",
    "in",
    "da",
    "pe",
    "qua",
    "sto",
    "fi",
    "gra",
    "ne",
)
Edit = Callable[[str, random.Random], str]


def word(rng: random.Random) -> str:
    return "".join(rng.choices(SYLLABLES, k=rng.randint(1, 3)))


def article(seed: int, words: int = 400) -> str:
    """A text of its own: paragraphs of made-up words, the frequent ones as frequent as in life."""
    rng = random.Random(seed)
    vocabulary = [word(rng) for _ in range(600)]
    weights = [1 / (rank + 1) for rank in range(600)]
    chosen = rng.choices(vocabulary, weights, k=words)
    sentences = [" ".join(chosen[i : i + 12]).capitalize() + "." for i in range(0, words, 12)]
    return "\n".join(" ".join(sentences[i : i + 4]) for i in range(0, len(sentences), 4))


def replace_words(text: str, rng: random.Random) -> str:
    return " ".join(word(rng) if rng.random() < 0.02 else kept for kept in text.split())


def drop_a_sentence(text: str, rng: random.Random) -> str:
    sentences = re.split(r"(?<=\.)\s", text)
    del sentences[rng.randrange(len(sentences))]
    return " ".join(sentences)


def insert_a_sentence(text: str, rng: random.Random) -> str:
    sentences = re.split(r"(?<=\.)\s", text)
    sentences.insert(rng.randrange(len(sentences)), " ".join(word(rng) for _ in range(12)) + ".")
    return " ".join(sentences)


def shuffle_paragraphs(text: str, rng: random.Random) -> str:
    paragraphs = text.split("\n")
    rng.shuffle(paragraphs)
    return "\n".join(paragraphs)


def change_the_frame(text: str, rng: random.Random) -> str:
    return f"Home {word(rng)} Contact\n{text}\nPrinted on {rng.randint(1, 28)} May {rng.randint(1990, 2030)}"


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(replace_words, id="one word in fifty replaced"),
        pytest.param(drop_a_sentence, id="a sentence dropped"),
        pytest.param(insert_a_sentence, id="a sentence inserted"),
        pytest.param(shuffle_paragraphs, id="paragraphs shuffled"),
        pytest.param(change_the_frame, id="another header and date"),
        pytest.param(lambda text, _: text.upper().replace(".", " !"), id="case and punctuation"),
        pytest.param(lambda text, _: "  \n\t".join(text.split()), id="white space"),
    ],
)
def test_an_edited_text_is_found_again(edit: Edit) -> None:
    missed = 0
    for seed in range(50):
        text = article(seed)
        edited = edit(text, random.Random(seed))
        ours, theirs = signature(text), signature(edited)
        missed += not (near_duplicates(ours, theirs) and set(bands(ours)) & set(bands(theirs)))

    assert missed <= 1


def test_no_two_of_many_texts_are_merged_and_hardly_any_share_a_band() -> None:
    signatures = [signature(article(seed)) for seed in range(80)]
    keys = [set(bands(sig)) for sig in signatures]
    pairs = [(i, k) for i in range(80) for k in range(i)]

    assert not [pair for pair in pairs if near_duplicates(signatures[pair[0]], signatures[pair[1]])]
    assert sum(bool(keys[i] & keys[k]) for i, k in pairs) <= len(pairs) / 1000


def test_texts_that_share_half_their_words_stay_apart() -> None:
    merged = 0
    for seed in range(50):
        mine, other = article(seed).split(), article(seed + 1000).split()
        merged += near_duplicates(" ".join(mine), " ".join(mine[:200] + other[200:]))

    assert merged == 0


@pytest.mark.parametrize("words", [40, 120, 400, 2_000])
def test_what_is_counted_is_the_share_of_common_shingles_at_any_length(words: int) -> None:
    """Half the bins of a short text are filled by later rounds, and must say the same."""
    estimates = []
    for seed in range(40):
        mine, other = article(seed, words).split(), article(seed + 1000, words).split()
        cut = words * 3 // 4
        first, second = signature(" ".join(mine)), signature(" ".join(mine[:cut] + other[cut:]))
        estimates.append(sum(first[i : i + 2] == second[i : i + 2] for i in range(0, 256, 2)) / 128)

    assert sum(estimates) / len(estimates) == pytest.approx(0.6, abs=0.05)


@pytest.mark.parametrize(("first", "second"), [("tick", "tock"), ("tick tock", "tock tuck")])
def test_texts_of_one_phrase_over_and_over_are_told_apart(first: str, second: str) -> None:
    assert not near_duplicates(f"{first} " * 500, f"{second} " * 500)
    assert near_duplicates(f"{first} " * 500, f"{first} " * 400)


def test_the_order_of_words_counts() -> None:
    words = article(5).split()

    assert not near_duplicates(" ".join(words), " ".join(reversed(words)))


@pytest.mark.parametrize("text", ["", " \n", "Page not found", "word " * (MIN_WORDS - 1)])
def test_a_text_too_short_is_nobodys_duplicate(text: str) -> None:
    assert signature(text) == b""
    assert not bands(signature(text))
    assert not near_duplicates(signature(text), signature(text))
    assert not near_duplicates(text, text)


def test_texts_can_be_compared_without_signing_them_first() -> None:
    text = article(1)

    assert near_duplicates(text, text)
    assert near_duplicates(signature(text), text)
    assert not near_duplicates(text, article(2))


@pytest.mark.parametrize("sig", [b"x", b"\0" * 255, b"\0" * 257])
def test_what_is_no_signature_matches_nothing(sig: bytes) -> None:
    assert not near_duplicates(sig, sig)
    assert not bands(sig)


def test_chinese_is_compared_by_character() -> None:
    rng = random.Random(3)
    text = "".join(rng.choices([chr(0x4E00 + i) for i in range(900)], k=600))
    edited = text[:200] + "新聞快訊" + text[204:]

    assert near_duplicates(text, edited)


def test_the_signature_is_compact_and_its_keys_fit_a_bigint() -> None:
    sig = signature(article(9))

    assert len(sig) <= 256
    assert len(bands(sig)) == BANDS
    assert all(-(2**63) <= key < 2**63 for key in bands(sig))


def test_the_signature_is_the_same_in_every_process() -> None:
    text = article(4, words=40)
    program = f"from outrider.extract.similarity.signature import signature; print(signature({text!r}).hex())"

    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }

    assert printed == {signature(text).hex()}


def test_the_signature_never_changes_once_stored() -> None:
    text = " ".join(f"stone{n} river{n * 7}" for n in range(30))

    assert signature(text)[:8].hex() == "ed4aac8b57d55881"


@given(st.text(st.characters()))
def test_any_text_can_be_signed(text: str) -> None:
    assert len(signature(text)) in (0, 256)
    assert len(signature(text * 30)) in (0, 256)


def test_a_text_without_end_takes_no_time_without_end() -> None:
    assert len(signature("word " * 2_000_000)) == 256
    assert len(signature("x" * 10_000_000)) in (0, 256)
