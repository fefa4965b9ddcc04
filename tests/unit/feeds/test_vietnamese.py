"""Vietnamese from before Unicode."""

import pytest

from outrider.feeds.encoding import decoded, decoded_chunks
from outrider.feeds.vietnamese import vietnamese_codec

NEWS = "Ý kiến: Ủy ban họp ở Đà Nẵng về những vấn đề nguồn nước"


@pytest.mark.parametrize("name", ["VISCII", "TCVN", "TCVN-5712", "TCVN5712-1", "TCVN5712-1:1993"])
def test_a_declared_encoding_is_read_whole_and_in_pieces(name):
    document = f'<?xml version="1.0" encoding="{name}"?><rss><channel><title>{NEWS}</title></channel></rss>'
    body = document.encode(name)

    assert decoded(body, None) == document
    assert "".join(decoded_chunks([body[:70], body[70:]], None)) == document


@pytest.mark.parametrize(
    ("name", "byte", "letter"), [("viscii", 0x80, "Ạ"), ("tcvn", 0x80, "À"), ("tcvn", 0xFF, "Ố")]
)
def test_letters_stand_where_the_standards_put_them(name, byte, letter):
    assert bytes((byte,)).decode(name) == letter


@pytest.mark.parametrize("name", ["viscii", "tcvn"])
def test_every_byte_is_a_character_of_its_own(name):
    everything = bytes(range(256))

    assert everything.decode(name).encode(name) == everything


def test_other_names_are_left_to_python():
    assert vietnamese_codec("utf_8") is None
