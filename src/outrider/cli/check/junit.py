"""The result of a check as JUnit XML, for CI systems."""

import re
from xml.etree.ElementTree import Element, SubElement, tostring

from outrider.links.checked import CheckSummary
from outrider.links.evidence import Verdict

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(summary: CheckSummary) -> str:
    """One test case for each link: dead is a failure, uncertain is skipped."""
    counts = summary.counts
    suite = Element(
        "testsuite",
        name="outrider check",
        tests=str(len(summary.links)),
        failures=str(counts[Verdict.DEAD]),
        errors="0",
        skipped=str(counts[Verdict.UNCERTAIN]),
        time=f"{summary.seconds:.3f}",
    )
    for link in summary.links:
        file = link.places[0].file if link.places else ""
        case = SubElement(suite, "testcase", name=_text(link.url), classname=_text(file or "links"))
        if link.places and link.places[0].line:
            case.set("file", _text(file))
            case.set("line", str(link.places[0].line))
        if link.verdict is Verdict.DEAD:
            failure = SubElement(case, "failure", type=link.judgement.reason, message=_text(link.why))
            failure.text = _text("\n".join(map(str, link.places)))
        elif link.verdict is Verdict.UNCERTAIN:
            SubElement(case, "skipped", message=_text(link.why))
        elif link.verdict is Verdict.MOVED:
            SubElement(case, "system-out").text = _text(link.why)
    suites = Element("testsuites")
    suites.append(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


def _text(value: str) -> str:
    return _NOT_XML.sub("\ufffd", value)
