"""Archives come from strangers: what is wanted is read into memory, and nothing else happens."""

import gzip
import io
import re
import tarfile

import pytest
from benchmarks.articles import archive
from benchmarks.articles.archive import BadArchive, read

ANY = re.compile(r".*", re.DOTALL)


def member(name, kind=tarfile.REGTYPE, size=0, **facts):
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    for fact, value in facts.items():
        setattr(info, fact, value)
    return info


@pytest.fixture
def archived(tmp_path):
    def write(*members):
        path = tmp_path / "hostile.tar.gz"
        with tarfile.open(path, "w:gz") as tar:
            for info in members:
                tar.addfile(info, io.BytesIO(b"x" * info.size))
        return path

    return write


def test_only_what_is_wanted_is_read_and_named_below_its_folder(packed):
    path = packed({"pages/a.html": "<p>A", "pages/b.txt": "B", "README": "no"})

    assert read(path, re.compile(r"pages/[^/]+\.(html|txt)")) == {
        "pages/a.html": b"<p>A",
        "pages/b.txt": b"B",
    }


def test_what_is_no_plain_file_is_passed_over(archived):
    path = archived(
        member("p/link", tarfile.SYMTYPE, linkname="/etc/passwd"),
        member("p/hard", tarfile.LNKTYPE, linkname="p/plain"),
        member("p/device", tarfile.CHRTYPE, devmajor=1, devminor=5),
        member("p/pipe", tarfile.FIFOTYPE),
        member("p/folder", tarfile.DIRTYPE),
        member("p/plain", size=3),
    )

    assert read(path, ANY) == {"plain": b"xxx"}


def test_a_name_that_leads_elsewhere_leads_nowhere(archived, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    path = archived(member("p/../../escaped.html", size=1), member("/tmp/p/absolute.html", size=1))

    assert read(path, re.compile(r"[a-z]+\.html")) == {}
    assert sorted(tmp_path.rglob("*")) == [*before, path]


def test_a_file_of_holes_is_not_filled_in(tmp_path):
    holes = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "7000000"}
    path = tmp_path / "sparse.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(member("p/sparse", size=512, pax_headers=holes), io.BytesIO(b"0\n".ljust(512, b"\0")))

    assert read(path, ANY) == {}


@pytest.mark.parametrize(
    ("bound", "limit"), [("LARGEST_FILE", 99), ("MOST_FILES", 1), ("LARGEST_ARCHIVE", 1_000)]
)
def test_one_that_is_larger_than_expected_is_refused(bound, limit, archived, monkeypatch):
    path = archived(member("p/a", size=100), member("p/b", size=100_000), member("p/c", size=100))
    monkeypatch.setattr(archive, bound, limit)

    with pytest.raises(BadArchive, match="too large"):
        read(path, ANY)


def test_a_bomb_is_not_unpacked_to_its_end(tmp_path, monkeypatch):
    """Its one member is not even wanted, but would have to be passed over."""
    monkeypatch.setattr(archive, "LARGEST_ARCHIVE", 1_000_000)
    path = tmp_path / "bomb.tar.gz"
    with gzip.open(path, "wb") as out:
        out.write(member("p/zeros", size=10**12).tobuf())
        out.write(bytes(4_000_000))

    with pytest.raises(BadArchive, match="unpacked it is too large"):
        read(path, re.compile("nothing"))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not an archive",
        gzip.compress(b"not a tar" * 200),
        gzip.compress(member("p/a", size=5_000).tobuf() + bytes(5_000))[:-30],
        gzip.compress(member("p/x", tarfile.XHDTYPE, size=512).tobuf() + b"9999 size=-1\n".ljust(512, b"\0")),
        gzip.compress(
            (member("p/x", tarfile.XHDTYPE, size=11).tobuf() + b"11 path=ab\n".ljust(512, b"\0")) * 3000
        ),
    ],
    ids=["empty", "no gzip", "no tar", "cut off", "false header", "headers of headers"],
)
def test_a_broken_one_says_so(body, tmp_path):
    path = tmp_path / "broken.tar.gz"
    path.write_bytes(body)

    with pytest.raises(BadArchive, match="broken"):
        read(path, ANY)
