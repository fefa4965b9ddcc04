"""Questions before a change, where no script asks them: the form is sent, and the answer is the question.

A form of `ui.action` with a question sends it in the field `ask`. Where JavaScript is on, outrider.js asks
and takes the field out. Otherwise the change is not made: the page asks, and its form sends the rest again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.datastructures import FormData
from starlette.requests import Request

from outrider.web.dashboard.way_back import came_from

QUESTION, ANSWER = "ask", "ask_label"
LONGEST_QUESTION = 500
LONGEST_LABEL = 60
MOST_FIELDS = 50
_NOT_SENT_ON = frozenset({QUESTION, ANSWER, "csrf_token"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the change that it is about."""

    title: str
    details: str
    label: str
    path: str
    fields: Mapping[str, Sequence[str]]
    back: str


class Asks(Exception):
    """The change was not made: the question has to be answered first."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.title)
        self.question = question


async def ask_first(request: Request) -> None:
    """Raise Asks if the form of this request has a question that was not asked yet."""
    form = await request.form()
    asked = form.get(QUESTION)
    if isinstance(asked, str) and asked:
        raise Asks(_question(request, form, asked[:LONGEST_QUESTION]))


def _question(request: Request, form: FormData, asked: str) -> Question:
    title, mark, details = asked.partition("? ")
    label = form.get(ANSWER)
    names = [name for name in dict.fromkeys(form.keys()) if name not in _NOT_SENT_ON][:MOST_FIELDS]
    return Question(
        title=title + mark.strip(),
        details=details,
        label=label[:LONGEST_LABEL] if isinstance(label, str) and label else "Yes",
        path=request.url.path.removeprefix(request.scope.get("root_path", "")),
        fields={name: [each for each in form.getlist(name) if isinstance(each, str)] for name in names},
        back=came_from(request, "/overview"),
    )
