"""The two pre-Unicode encodings of Vietnamese, which neither the web's list nor Python has."""

import codecs
from typing import Any

_VISCII = (
    "\0\1Ẳ\3\4ẴẪ\7\b\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13Ỷ\x15\x16\x17\x18Ỹ\x1a\x1b\x1c\x1dỴ\x1f",
    "ẠẮẰẶẤẦẨẬẼẸẾỀỂỄỆỐỒỔỖỘỢỚỜỞỊỎỌỈỦŨỤỲÕắằặấầẩậẽẹếềểễệốồổỗỠƠộờởịỰỨỪỬơớƯ"
    "ÀÁÂÃẢĂẳẵÈÉÊẺÌÍĨỳĐứÒÓÔạỷừửÙÚỹỵÝỡưàáâãảăữẫèéêẻìíĩỉđựòóôõỏọụùúũủýợỮ",
)
_TCVN = (
    "\0ÚỤ\3ỪỬỮ\7\b\t\n\v\f\r\x0e\x0f\x10ỨỰỲỶỸÝỴ\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f",
    "ÀẢÃÁẠẶẬÈẺẼÉẸỆÌỈĨÍỊÒỎÕÓỌỘỜỞỠỚỢÙỦŨ\xa0ĂÂÊÔƠƯĐăâêôơưđẰ\u0300\u0309\u0303\u0301\u0323àảãáạẲằẳẵắẴ"
    "ẮẦẨẪẤỀặầẩẫấậèỂẻẽéẹềểễếệìỉỄẾỒĩíịòỔỏõóọồổỗốộờởỡớợùỖủũúụừửữứựỳỷỹýỵỐ",
)
_ASCII = "".join(map(chr, range(0x20, 0x80)))
_LETTERS = {
    name: low + _ASCII + high
    for names, (low, high) in {
        "viscii csviscii viscii1.1_1": _VISCII,
        "tcvn tcvn_5712 tcvn5712_1 tcvn5712_1_1993 x_viet_tcvn5712": _TCVN,
    }.items()
    for name in names.split()
}


def vietnamese_codec(name: str) -> codecs.CodecInfo | None:
    """The codec of that name, as Python's codec registry spells it."""
    letters = _LETTERS.get(name)
    if letters is None:
        return None
    bytes_of = codecs.charmap_build(letters)

    class VietnameseDecoder(codecs.IncrementalDecoder):
        def decode(self, data: Any, final: bool = False) -> str:
            return codecs.charmap_decode(data, self.errors, letters)[0]

    return codecs.CodecInfo(
        lambda text, errors="strict": codecs.charmap_encode(text, errors, bytes_of),
        lambda data, errors="strict": codecs.charmap_decode(data, errors, letters),
        incrementaldecoder=VietnameseDecoder,
        name=name,
    )
