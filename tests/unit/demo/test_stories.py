from itertools import combinations

from outrider.demo.stories import SECTIONS, authors, stories


def test_every_story_has_an_address_of_its_own():
    assert len({story.path for story in stories()}) == len(stories()) == 24


def test_stories_are_in_order_newest_first():
    dates = [story.published for story in stories()]

    assert dates == sorted(dates, reverse=True)
    assert all(date.tzinfo is not None for date in dates)


def test_every_section_and_author_has_enough_to_list():
    assert {story.section for story in stories()} == set(SECTIONS)
    assert all(len(written) >= 3 for written in authors().values())


def test_stories_are_long_enough_to_keep_and_share_no_sentence():
    sentences = [
        {part.strip() for part in story.text.replace("\n", " ").split(".")} - {""} for story in stories()
    ]

    assert all(len(story.text.split()) >= 90 for story in stories())
    assert not any(a & b for a, b in combinations(sentences, 2))
