"""Migration files come in numbered pairs without gaps."""

import pytest

from outrider.db.migrations import KNOWN, Migration, read

PAIR = [("0001_a.up.sql", "CREATE TABLE a ();"), ("0001_a.down.sql", "DROP TABLE a;")]


def test_files_are_paired_and_ordered():
    later = [("0002_b.down.sql", "b down"), ("0002_b.up.sql", "b up")]

    first, second = read([*later, *PAIR])

    assert (first.label, first.up, first.down) == ("0001_a", "CREATE TABLE a ();", "DROP TABLE a;")
    assert (second.label, second.up, second.down) == ("0002_b", "b up", "b down")


def test_ours_are_read():
    assert [migration.version for migration in KNOWN] == list(range(1, len(KNOWN) + 1))


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        pytest.param(PAIR[:1], "has no .down.sql", id="no way back"),
        pytest.param(PAIR[1:], "has no .up.sql", id="no way forward"),
        pytest.param([("0002_b.up.sql", ""), ("0002_b.down.sql", "")], "numbered 1, 2, 3", id="gap"),
        pytest.param(
            [*PAIR, ("0001_b.up.sql", ""), ("0001_b.down.sql", "")], "numbered 1, 2, 3", id="one number twice"
        ),
        pytest.param([("1_a.up.sql", "")], "not named like", id="short number"),
        pytest.param([("0001_A.up.sql", "")], "not named like", id="capitals"),
    ],
)
def test_doubtful_files_are_refused(files, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(files)


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("-- outrider: no transaction\nCREATE INDEX CONCURRENTLY i ON t (a);", True),
        ("CREATE TABLE t ();\n-- outrider: no transaction", False),
        ("", False),
    ],
)
def test_only_the_first_line_can_ask_for_no_transaction(text, alone):
    assert Migration.runs_alone(text) is alone


def test_the_checksum_follows_the_way_forward_only():
    one = Migration(1, "a", "up", "down")

    assert one.checksum == Migration(1, "a", "up", "another down").checksum
    assert one.checksum != Migration(1, "a", "another up", "down").checksum
