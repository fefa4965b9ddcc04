import json
import re

from outrider.demo.layout import json_ld, meta, page


def test_text_cannot_become_markup():
    document = page("<script>", "", description='" onload="')

    assert "<title>&lt;script&gt;" in document
    assert 'content="&quot; onload=&quot;"' in document
    assert meta({"og:title": '"><b>'}) == '<meta property="og:title" content="&quot;&gt;&lt;b&gt;">\n'


def test_structured_data_cannot_close_its_script_and_still_says_the_same():
    markup = json_ld({"headline": "</script><b>"})

    assert markup.count("</script>") == 1
    assert json.loads(re.search(r">(.*)</script>", markup).group(1))["headline"] == "</script><b>"


def test_pages_load_nothing_from_elsewhere():
    document = page("Anything", "")

    assert "http" not in re.sub(r'content="[^"]*"', "", document)
    assert "<script" not in document
