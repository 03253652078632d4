# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Markdown says, in which order, and what of it when not all fits."""

from __future__ import annotations

import re

import pytest
from outcomes import ALONG, NOT_SENT, OF_OTHERS, RESULTS, UNDECLARED, UNSEEN, outcome, refused, result

from ansible_collections.hosting.platform.plugins.plugin_utils._markdown import LIMIT, markdown
from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import (
    Presentation,
    how_to_apply,
)
from ansible_collections.hosting.platform.plugins.plugin_utils._plan_file import steps_checksum

CHECK, RUN = Presentation(True, option_prefix="converge_"), Presentation(False)
MANY = [result("projects", f"p{n}", "acme", "create", after={"a": "x" * 100}) for n in range(2000)]


def test_markdown_says_what_happened():
    drift = Presentation(True, finds_drift=True, time="2026-01-02 03:04:05 UTC")
    text = markdown(outcome(RESULTS, undeclared=UNDECLARED, failed=True, msg="m"), drift)
    for words in (
        "## Drift report",
        "**1 of 8 entries failed; 4 differ from the platform.**",
        "1 failed, 1 to delete, 1 to move, 1 to invite, 1 to change, 1 to create, 1 skipped, 1 unchanged, 2 undeclared",
        "`https://api.example.com/v1`, `2026-01-02 03:04:05 UTC`, check mode: nothing was written, 12 requests",
        "| project | `cart` | `media` | To change: `PATCH failed: status 400.` |  |",
        "| Kind | Name | Team | Live → Declared | Source |",
        "| project | `api` | `acme` | `team`: `labs` → `acme` |  |",
        "| project | `web` | `acme` | `framework`: `vite` → *empty*, `dev_command`: *empty* → `x` |  |",
        "| alias | `prod.example.com` | `acme` | Protected and never deleted. |  |",
        "| domain | `example.com` | `own scope` | Protected and never deleted. |",
    ):
        assert words in text
    headings = re.findall("^### (.*)", text, re.MULTILINE)
    assert headings[:5] == ["1 failed", "1 to delete", "1 to move", "1 to invite", "1 to change"], "the gravest first"
    assert headings[-1] == "2 undeclared"


def test_plan_says_how_to_apply_it_and_its_checksum():
    given = outcome(RESULTS)
    text = markdown(given, CHECK)
    assert how_to_apply("converge_") in text
    assert f"Checksum of its 6 steps: `{steps_checksum(given['steps'])}`" in text
    for other in (
        markdown(given, RUN),
        markdown({**given, **refused(("a", "b"))}, CHECK),
        markdown(outcome([]), CHECK),
    ):
        assert "Checksum" not in other
        assert "To apply" not in other


@pytest.mark.parametrize(("presentation", "goes"), [(CHECK, "goes"), (RUN, "went")])
def test_what_goes_along_stands_in_the_row_of_the_deletion_and_is_counted(presentation, goes) -> None:
    undeclared = [{**ALONG[0], "name": "kept", "protected": False}]
    given = outcome([result("teams", "acme", None, "delete", before={"a": "b"}, along=ALONG)], undeclared=undeclared)
    text = markdown(given, presentation)
    assert f"(3 with what {goes} along), 1 undeclared\n" in text
    along = "goes along: project `web`, alias `www.example.com` of `media`"
    assert f"| team | `acme` | `acme` | `a`: `b`<br>{along} |  |" in text
    assert "| project | `kept` | `acme` | It is kept. |" in text


def test_refusals_stand_above_the_plan_and_leave_it_room() -> None:
    names = ", ".join(f"{'|' * 100}{number}" for number in range(5000))
    text = markdown(outcome(RESULTS[2:4], **refused(("limits", "no."), *[("prune", f"no: {names}")] * 500)), CHECK)
    assert "**Refused by converge_limits and converge_prune; nothing was written. 2 of 2 entries differ" in text
    assert text.index("\n- `converge_limits: no.`\n- `converge_prune: no: `") < text.index("### ")
    shown = re.findall(r"^- `converge_prune: no: .*characters, cut\)$", text, re.MULTILINE)
    (more,) = re.findall(r"^- and (\d+) more like these$", text, re.MULTILINE)
    assert len(shown) + int(more) == 500
    assert "| project | `web` |" in text


def test_what_is_not_compared_or_left_out_is_told() -> None:
    changed = result("teams", "media", None, "update", before={"name": "a"}, after={"name": "b"}, not_compared=["x"])
    text = markdown(outcome([UNSEEN[0], changed, *OF_OTHERS, *NOT_SENT]), CHECK)
    for words in (
        "\n`1 description and 1 x cannot be compared`\n",
        "\n`512 entries are not selected`\n",
        "\n`4 invitations are not sent: set converge_invite`\n",
        "### 1 unchanged, and not compared",
        "| team | `acme` | `acme` | not compared: `description` |  |",
        "`name`: `a` → `b`<br>not compared: `x` |",
    ):
        assert words in text
    assert "`p0`" not in text
    assert "`m0`" not in text


def test_creations_are_left_out_first_and_the_first_line_says_so():
    text = markdown(outcome([*MANY, *RESULTS], undeclared=UNDECLARED * 50), RUN)
    assert len(text) <= LIMIT
    for name in ("cart", "old.example.com", "api", "dev@example.com", "web", "prod.example.com", "shop"):
        assert f"| `{name}` |" in text
    assert text.count("| `experiment` |") == 50
    created = len(re.findall(r"^\| project \| `p\d+`", text, re.MULTILINE))
    assert 200 < created < 2000
    assert text.startswith(f"**Cut to 65,000 characters. Not listed: {2000 - created:,} created.**\n\n## Run report\n")
