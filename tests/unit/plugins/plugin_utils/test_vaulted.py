# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vaulted texts in a result: gone wherever they stand, while the result stays one that reports understand."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from outcomes import ALONG, RESULTS, outcome, result

from ansible_collections.hosting.platform.plugins.filter.blueprint_markdown import blueprint_markdown
from ansible_collections.hosting.platform.plugins.filter.blueprint_plan import blueprint_plan
from ansible_collections.hosting.platform.plugins.filter.blueprint_report import blueprint_report
from ansible_collections.hosting.platform.plugins.module_utils._text import printable
from ansible_collections.hosting.platform.plugins.plugin_utils._vaulted import (
    result_without_vaulted,
    vaulted_texts,
    without_vaulted,
)

LONG, SHORT = "a secret of some length", "pin"


@dataclasses.dataclass(frozen=True)
class Event:
    """As core tells warnings and errors."""

    msg: str
    chain: Any = None


def test_whole_values_go_always_and_parts_where_they_are_not_short():
    told = {
        "value": SHORT,
        "part": "a pin in a spin",
        "long": f"echo {LONG}; echo",
        "deep": [{"x": (LONG, SHORT, 5, None, True)}],
        SHORT: 1,
        "event": Event(f"failed: {LONG}", Event(SHORT)),
    }
    hidden = without_vaulted(told, {LONG, SHORT})
    whole = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
    assert hidden == {
        "value": whole,
        "part": "a pin in a spin",
        "long": "echo ********; echo",
        "deep": [{"x": [whole, whole, 5, None, True]}],
        SHORT: 1,
        "event": Event("failed: ********", Event(whole)),
    }


ANY_WORD = st.sampled_from(
    ["create", "update", "projects", "aliases", "teams", "protected", "dependency", "delete", "acme", "web", "0af3"]
)


@given(texts=st.sets(ANY_WORD))
@example(texts={"projects", "create", "0af3", "protected"})
def test_reports_understand_what_is_left_whatever_is_vaulted(texts: set[str]) -> None:
    given = outcome([*RESULTS, result("teams", "acme", None, "delete", along=ALONG, step="0af3")], steps=["0af3"])
    hidden = result_without_vaulted(given, texts)
    assert (hidden["steps"], hidden["results"][-1]["step"]) == (["0af3"], "0af3")
    shown = [*hidden["results"], *hidden["undeclared"]]
    assert [entry["kind"] for entry in shown] == [entry["kind"] for entry in [*given["results"], *given["undeclared"]]]
    for write in (blueprint_report, blueprint_markdown, blueprint_plan):
        assert write(hidden, check_mode=True)


@pytest.mark.parametrize(
    "text", [LONG, "two\nlines of it", "ends so  \n", 'with "quotes" and \\', "\u00fcber-secret\ufe0f"]
)
def test_it_is_in_no_report(text):
    given = outcome([result("projects", "web", "acme", "update", before={"framework": "x"}, after={"framework": text})])
    given |= {"warnings": [f"odd: {text}"], "failed": True, "msg": f"1 failed: {text}"}
    texts = {text, text.strip(), printable(text)}
    hidden = result_without_vaulted(given, texts)
    pages = blueprint_report(hidden) + blueprint_markdown(hidden) + blueprint_plan(hidden)
    assert [form for form in (*texts, json.dumps(text)[1:-1]) if form in pages] == []
    assert "framework" in pages


def test_nothing_is_vaulted_in_plain_values():
    assert vaulted_texts({"a": ["b", {"c": "d"}], "e": 5, "f": None}) == frozenset()
    told = outcome(RESULTS)
    assert result_without_vaulted(told, frozenset()) == told
