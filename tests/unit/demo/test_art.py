from xml.etree import ElementTree

from outrider.demo.art import landscape


def test_a_name_always_gets_the_same_picture_and_another_name_another():
    assert landscape("ferry") == landscape("ferry")
    assert landscape("ferry") != landscape("heron")


def test_a_picture_is_well_formed_with_four_ridges():
    picture = ElementTree.fromstring(landscape("ferry"))

    assert len(picture.findall("{http://www.w3.org/2000/svg}path")) == 4
