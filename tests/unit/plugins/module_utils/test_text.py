# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be seen is made visible, wherever text leaves: the list is Unicode's own, by the library regex."""

from __future__ import annotations

import json
import sys
import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
import regex
import yaml
from outcomes import outcome, result

from ansible_collections.hosting.platform.plugins.module_utils._converge.results import diff_of
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._text import INVISIBLE, escaped, printable
from ansible_collections.hosting.platform.plugins.plugin_utils._export_files import Export
from ansible_collections.hosting.platform.plugins.plugin_utils._host_names import host_name
from ansible_collections.hosting.platform.plugins.plugin_utils._markdown import markdown
from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import Presentation
from ansible_collections.hosting.platform.plugins.plugin_utils._page import page
from ansible_collections.hosting.platform.plugins.plugin_utils._plan_file import plan_file
from ansible_collections.hosting.platform.plugins.plugin_utils._plan_text import plan_lines, plan_text

IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}")
UNSEEN = [chr(code) for code in range(sys.maxunicode + 1) if IGNORED.fullmatch(chr(code))]
ALL = "web" + "".join(UNSEEN)


def shown_everywhere() -> dict[str, Callable[[], str]]:
    entry = result("projects", ALL, ALL, "update", before={ALL: ALL}, after={ALL: {ALL: [ALL]}}, source=ALL)
    given = outcome(
        [entry, {**entry, "failed": True, "msg": ALL}],
        warnings=[ALL],
        base_url=f"https://{ALL}/",
        undeclared=[{"kind": "projects", "name": ALL, "team": ALL, "protected": True}],
    )
    refused = {"failed": True, "msg": ALL}
    presentation = Presentation(is_check=True, time=ALL)
    return {
        "report": lambda: page(given, presentation) + page(refused, presentation),
        "comment": lambda: markdown(given, presentation) + markdown(refused, presentation),
        "text": lambda: plan_text(plan_lines(given, is_check=True)),
        "plan": lambda: plan_file(given, is_check=True),
        "diff header": lambda: str(diff_of([entry])[0]["before_header"]),
        "message": lambda: str(PlatformError(ALL)),
        "host name": lambda: host_name(ALL),
        "export": lambda: exported([{"name": ALL, "framework": ALL}]),
    }


def exported(projects: list[dict[str, str]]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        Export({"projects": projects}, "kinds", folder, "").write()
        return (Path(folder) / "projects.yml").read_text(encoding="utf-8")


def test_what_no_python_calls_printable_are_format_characters_alone():
    unlisted = {character for character in UNSEEN if character not in INVISIBLE}
    assert {unicodedata.category(character) for character in unlisted} == {"Cf"}
    assert len(UNSEEN) > 4000


def test_each_is_shown_by_its_number():
    assert [character for character in UNSEEN if printable(f"a{character}") != f"a{escaped(character)}"] == []
    assert printable("\u2800\U0001d159") == "\\u2800\\U0001d159"
    assert printable("\u00fc \u6771\u4eac \U0001f680") == "\u00fc \u6771\u4eac \U0001f680"


@pytest.mark.parametrize("place", shown_everywhere())
def test_none_is_left_in_what_leaves(place):
    text = shown_everywhere()[place]()
    assert "web" in text
    assert IGNORED.findall(text) == []


def test_what_looks_alike_is_told_apart():
    assert len({host_name(f"web{character}") for character in ["", *UNSEEN]}) == 1 + len(UNSEEN)
    assert yaml.safe_load(exported([{"name": ALL}])) == [{"name": ALL}]
    name = json.loads(plan_file(outcome([result("projects", ALL, ALL, "none")]), is_check=True))["results"][0]["name"]
    assert name == ALL
