"""The catalogue of the event log: the values of `event_log.kind`."""

from outrider.described import DescribedName


class EventKind(DescribedName):
    """A kind of event. Streams and the API write the dot as a colon: `job:status`."""

    SOURCE_CREATED = "source.created", "a source was added, or added again"
    SOURCE_UPDATED = "source.updated", "a source was changed"
    SOURCE_ENABLED = "source.enabled", "a source was enabled"
    SOURCE_DISABLED = "source.disabled", "a source was disabled"
    SOURCE_DELETED = "source.deleted", "a source was removed"
    JOB_STATUS = "job.status", "a job was created, or its state changed"
    JOB_PROGRESS = "job.progress", "the run of a job went on: at least 10 entries more, or 5 seconds later"
    JOB_COMPLETED = "job.completed", "a run of a job ended: completed, failed or cancelled"
    JOB_DELETED = "job.deleted", "a job was deleted"
    RUN_STARTED = "run.started", "a run started"
    RUN_CANCELLING = "run.cancelling", "the end of a run was asked for"
    RUN_ENDED = "run.ended", "a run ended: completed, failed or cancelled"
    LOG_ARCHIVED = "log.archived", "the log of an ended run was moved to the archive"
    HOST_BLOCKED = "host.blocked", "an operator blocked a host"
    HOST_UNBLOCKED = "host.unblocked", "an operator lifted the block of a host"
    HOST_RESET = "host.reset", "an operator lifted everything that held a host back"
    WORKER_MISSING = "worker.missing", "a worker has sent no heartbeat for two minutes"
    ALERT_OPENED = "alert.opened", "something needs a person"
    ALERT_CLOSED = "alert.closed", "what an alert told is over"

    @property
    def event_type(self) -> str:
        """The name of the event in streams and in the API."""
        return type_of_kind(self.value)


def type_of_kind(kind: str) -> str:
    """The name of a kind in streams and in the API; a kind of a later version has one, too."""
    return kind.replace(".", ":")
