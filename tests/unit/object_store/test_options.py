"""The settings of an S3 server: which values are accepted, and what they mean."""

import pytest

from outrider.errors import Misconfigured
from outrider.log_archive import log_archive_of
from outrider.object_store.file_store import FileStore
from outrider.object_store.s3_store import S3Store
from outrider.settings.load import load


def loaded(**environ):
    return load(environ=environ).settings


@pytest.mark.parametrize(
    ("environ", "address"),
    [
        ({}, None),
        ({"OUTRIDER_S3_ENDPOINT": "https://minio.example:9000/"}, "https://minio.example:9000"),
        ({"OUTRIDER_S3_ENDPOINT": "http://127.0.0.1:9000"}, "http://127.0.0.1:9000"),
        ({"CRAWLER_MINIO_ENDPOINT": "minio:9000"}, "http://minio:9000"),
        ({"CRAWLER_MINIO_ENDPOINT": "minio:9000", "CRAWLER_MINIO_USE_SSL": "true"}, "https://minio:9000"),
        ({"OUTRIDER_S3_ENDPOINT": "http://[::1]:9000", "OUTRIDER_S3_TLS": "true"}, "http://[::1]:9000"),
    ],
)
def test_an_address_has_its_scheme(environ, address):
    assert loaded(**environ).s3.address == address


@pytest.mark.parametrize(
    "environ",
    [
        {"OUTRIDER_S3_ENDPOINT": "ftp://minio"},
        {"OUTRIDER_S3_ENDPOINT": "https://minio/bucket"},
        {"OUTRIDER_S3_ENDPOINT": "https://name:word@minio"},
        {"OUTRIDER_S3_ENDPOINT": "minio:port"},
        {"OUTRIDER_S3_PREFIX": "a/../b"},
        {"OUTRIDER_S3_PREFIX": "a" * 500},
        {"OUTRIDER_RUN_LOG_BUCKET": "No Bucket"},
        {"OUTRIDER_S3_ACCESS_KEY": "without a secret"},
        {"OUTRIDER_S3_SECRET_KEY": "without a key"},
    ],
    ids=lambda environ: " ".join(environ.values())[:30],
)
def test_a_value_that_cannot_work_is_refused_at_once(environ):
    with pytest.raises(Misconfigured):
        loaded(**environ)


def test_a_bucket_moves_the_archive_of_logs_to_s3():
    with_bucket = loaded(JOB_LOGS_MINIO_BUCKET="crawler-logs", CRAWLER_MINIO_ENDPOINT="127.0.0.1:1")

    assert isinstance(log_archive_of(with_bucket), S3Store)
    assert isinstance(log_archive_of(loaded()), FileStore)


def test_the_secret_is_not_shown():
    options = loaded(OUTRIDER_S3_ACCESS_KEY="key", CRAWLER_MINIO_SECRET_KEY="a secret")

    assert options.s3.secret_key == "a secret"
    assert "a secret" not in repr(options)
