"""The description of the API says enough for people and for generators of clients."""

import re
from collections import Counter
from pathlib import Path

from outrider.web.api_reference import description, reference

DESCRIPTION = description()
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, operations in DESCRIPTION["paths"].items()
    for method, operation in operations.items()
}
WITHOUT_BODY = {"HEAD /health", "POST /api/v1/admin/backfill"}  # the latter answers 503


def test_the_page_of_the_api_is_up_to_date():
    page = Path(__file__).parents[2] / "docs" / "reference" / "api.md"

    assert page.read_text() == reference(), "run `make docs`"


def test_every_operation_has_a_summary_a_description_and_its_role():
    missing = [
        name
        for name, each in OPERATIONS.items()
        if not each.get("summary") or each["summary"].endswith(".") or not each.get("x-role")
        or len(each["description"].splitlines()) < 3  # more than the sentence about the role
    ]  # fmt: skip

    assert missing == []


def test_every_operation_names_its_errors_in_the_one_shape():
    wrong = []
    for name, each in OPERATIONS.items():
        errors = {code: answer for code, answer in each["responses"].items() if code >= "400"}
        needed = {"400", "422"} | ({"401", "403"} if each["x-role"] != "anonymous" else set())
        shapes = {answer["content"]["application/json"]["schema"]["$ref"] for answer in errors.values()}
        if not needed <= set(errors) or shapes != {"#/components/schemas/Error"}:
            wrong.append(name)

    assert wrong == []


def test_every_body_has_an_example():
    missing = []
    for name, each in OPERATIONS.items():
        answers = {code: answer for code, answer in each["responses"].items() if code != "204"}
        if name in WITHOUT_BODY:
            answers.pop("200")
        holders = [*answers.values(), *([each["requestBody"]] if "requestBody" in each else [])]
        contents = [content for holder in holders for content in holder.get("content", {}).values()]
        if len([holder for holder in holders if holder.get("content")]) < len(holders):
            missing.append(f"{name}: an answer without a content type")
        missing += [name for content in contents if content.get("example") is None]

    assert not missing, "\n".join(missing)


def test_the_names_of_operations_are_unique_and_usable_in_programs():
    names = Counter(each["operationId"] for each in OPERATIONS.values())

    assert [name for name, count in names.items() if count > 1] == []
    assert [name for name in names if not re.fullmatch(r"[a-z][a-z0-9_]{1,50}", name)] == []


def test_every_reference_leads_to_a_schema():
    schemas = DESCRIPTION["components"]["schemas"]
    used = set(re.findall(r"#/components/schemas/([^'\"]+)", str(DESCRIPTION)))

    assert used - set(schemas) == set()
    assert [name for name in schemas if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", name)] == []
