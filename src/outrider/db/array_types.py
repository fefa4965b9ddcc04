"""Tells a new connection about the arrays of PostgreSQL's own types.

The driver knows no array but that of text. It asks the server when a statement has another one, which takes
several milliseconds for each kind on each connection. These types are the same in every PostgreSQL.
"""

from typing import Any, Final

import asyncpg

# The array, its type id, and the type id of its elements, as in pg_type.dat of PostgreSQL.
ARRAYS: Final = (
    ("_bool", 1000, 16),
    ("_bytea", 1001, 17),
    ("_int2", 1005, 21),
    ("_int4", 1007, 23),
    ("_int8", 1016, 20),
    ("_float4", 1021, 700),
    ("_float8", 1022, 701),
    ("_date", 1182, 1082),
    ("_timestamptz", 1185, 1184),
    ("_interval", 1187, 1186),
    ("_uuid", 2951, 2950),
)


def _description(name: str, array: int, element: int) -> dict[str, Any]:
    """A type as the driver's own query describes it."""
    return {
        "oid": array,
        "ns": "pg_catalog",
        "name": name,
        "kind": "b",
        "basetype": None,
        "elemtype": element,
        "elemdelim": ",",
        "range_subtype": None,
        "attrtypoids": None,
        "attrnames": None,
    }


_DESCRIPTIONS: Final = [_description(*array) for array in ARRAYS]


def know_arrays(connection: asyncpg.Connection) -> None:
    """Let a connection use these arrays without a question to the server."""
    connection.get_settings().register_data_types(_DESCRIPTIONS)
