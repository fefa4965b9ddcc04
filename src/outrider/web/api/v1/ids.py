"""How the API names objects in paths: by number or by id."""

from typing import Annotated

from fastapi import Path

NUMBER_OR_UUID = (
    r"^([0-9]{1,10}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$"
)

JobId = Annotated[str, Path(pattern=NUMBER_OR_UUID, description="The number or the id of the job.")]
ExecutionId = Annotated[
    str, Path(pattern=NUMBER_OR_UUID, description="The number or the id of the execution.")
]
RunId = Annotated[
    str,
    Path(
        pattern=NUMBER_OR_UUID.replace("(", "(last|", 1),
        description="The number or the id of the run, or `last`.",
    ),
]
SiteId = Annotated[
    str,
    Path(pattern=r"^[a-z0-9][a-z0-9._-]{0,62}$", description="The name or the number of the site."),
]
SourceId = Annotated[str, Path(pattern=NUMBER_OR_UUID, description="The number or the id of the source.")]
