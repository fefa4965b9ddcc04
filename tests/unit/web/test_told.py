"""Messages of ours as sentences of a page."""

import pytest

from outrider.web.dashboard.rendering import told


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("this needs an administrator", "This needs an administrator."),
        ("It is there already.", "It is there already."),
        ("no run 9: `outrider run list` shows them", "No run 9: <code>outrider run list</code> shows them."),
        ("one ` alone", "One ` alone."),
        ("`<script>`", "<code>&lt;script&gt;</code>."),
        ("<b>bold</b>", "&lt;b&gt;bold&lt;/b&gt;."),
        ("a" * 20, "Aaaaaaaaa…"),
    ],
)
def test_a_message_becomes_a_sentence_and_stays_escaped(message: str, shown: str):
    assert told(message, 10 if message.startswith("aaa") else 600) == shown
