"""Both stores keep objects alike: files below a folder, and a bucket of a real S3 server."""

import socket

import obstore
import pytest
from obstore.store import S3Store as Bucket
from tests.support.s3_server import ACCESS_KEY, BUCKET, SECRET_KEY

from outrider.errors import Unavailable
from outrider.object_store.file_store import FileStore
from outrider.object_store.s3_store import S3Store

BYTES = bytes(range(256)) * 40_000  # ten megabytes: S3 gets it in parts


@pytest.fixture(params=["files", "s3"])
def store(request, tmp_path):
    if request.param == "files":
        return FileStore(tmp_path / "objects")
    server = request.getfixturevalue("s3")
    return S3Store(server.options(), BUCKET)


def read(store, key):
    file = store.open(key)
    if file is None:
        return None
    with file:
        return file.read()


@pytest.mark.parametrize("content", [b"", b"text", BYTES], ids=["empty", "short", "long"])
def test_an_object_is_read_as_it_was_written(store, tmp_path, content):
    (tmp_path / "source").write_bytes(content)

    store.put("logs/a/1.log.gz", tmp_path / "source")
    store.put("logs/a/2.log.gz", content)

    assert read(store, "logs/a/1.log.gz") == content
    assert read(store, "logs/a/2.log.gz") == content


def test_a_second_object_of_the_same_key_replaces_the_first(store):
    store.put("a/b", b"first")
    store.put("a/b", b"second")

    assert read(store, "a/b") == b"second"


def test_a_deleted_object_is_gone_and_a_missing_one_is_none(store):
    store.put("a/b", b"here")
    store.put("a/c", b"there")
    store.delete("a/b")
    store.delete("a/b")

    assert read(store, "a/b") is None
    assert read(store, "never") is None
    assert read(store, "a/c") == b"there"


@pytest.mark.parametrize("key", ["../x", "a/../../x", "/etc/passwd", "a//b", "", "a/\0", "a" * 2000])
def test_a_key_cannot_leave_its_store(store, key):
    for use in (store.open, store.delete, lambda key: store.put(key, b"x")):
        with pytest.raises(ValueError, match="not the key"):
            use(key)


def test_an_object_of_s3_is_in_the_bucket_under_its_prefix(s3):
    options = s3.options()
    S3Store(options, BUCKET).put("logs/job/1.log.gz", b"line")

    bucket = Bucket(
        BUCKET,
        endpoint=options.address,
        access_key_id=ACCESS_KEY,
        secret_access_key=SECRET_KEY,
        client_options={"allow_http": True},
    )
    assert obstore.get(bucket, f"{options.prefix}/logs/job/1.log.gz").bytes() == b"line"


def test_a_wrong_secret_is_one_sentence_without_the_secret(s3):
    store = S3Store(s3.options(secret_key="another secret"), BUCKET, retries=0)

    for use in (store.open, store.delete, lambda key: store.put(key, b"x")):
        with pytest.raises(
            Unavailable, match=rf"a/b could not be \w+ in bucket '{BUCKET}' at http"
        ) as raised:
            use("a/b")
        assert "another secret" not in str(raised.value)
        assert "\n" not in str(raised.value)


def test_a_server_that_is_away_is_unavailable(s3):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen: connections are refused
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        store = S3Store(s3.options(endpoint=address), BUCKET, retries=0)

        with pytest.raises(Unavailable, match="could not be written"):
            store.put("a", b"x")
