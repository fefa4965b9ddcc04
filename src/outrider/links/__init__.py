"""Whether links work: verdicts from evidence, the one-off check, and the dead-link monitor.

A link gets one of four verdicts: `ok`, `moved`, `dead` or `uncertain`. False alarms make people ignore link
checkers, so the rules of `verdict.py` err on one side only:

* **`dead` needs proof.** A 404 or 410 that a GET confirms, a name that DNS does not know while DNS works, a
  missing file. Every other failure is `uncertain`, until the same failure is seen again a day later.
* **An answer that programs get and people do not is no proof.** Challenges, 403, 429, 999 and log-in pages
  stay `uncertain`, whatever their status.
* **A page that exists for every address proves nothing.** One request for an address that cannot exist shows
  how the host answers such addresses.

The evidence is kept: every request, when, and what came back. Requests go through the politeness of the
crawler (`crawl/politeness`): robots.txt, one request at a time to a host, its delay, the address guard.
"""
