"""The JSON of sign-ins and tokens."""

from datetime import datetime

from pydantic import BaseModel

from outrider.auth.api_tokens import ApiToken
from outrider.services.users.users import UserDetails


class SignedInShape(BaseModel):
    """A login that succeeded."""

    token: str
    expires_at: datetime
    user: UserDetails


class CreatedTokenShape(BaseModel):
    """A new token. `key` is shown this once."""

    token: ApiToken
    key: str
