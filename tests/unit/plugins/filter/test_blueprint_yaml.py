# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported YAML: whatever the text, it is read back as it was, and stays readable."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.filter.blueprint_yaml import blueprint_yaml

HEADER = "#jinja2:variable_start_string:'[[',variable_end_string:']]'\n[[ x ]]"
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["yes", "~", "1e3", "{{ x }}", "a{#b", "{%", HEADER, "#jinja2:", f" {HEADER}", "<<", "long" * 500]
)
NUMBERS = st.integers() | st.floats(allow_nan=False)
VALUES = st.recursive(
    TEXTS | NUMBERS | st.booleans() | st.none(),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(TEXTS, parts, max_size=4),
    max_leaves=8,
)
ENTRIES = st.lists(st.dictionaries(st.sampled_from(["name", "team", "framework"]), TEXTS, min_size=1))


class Loader(yaml.SafeLoader):
    """Reads ``!unsafe`` as a pair, so that the tag can be told from the text."""


Loader.add_constructor("!unsafe", lambda _loader, node: ("unsafe", node.value))


def read(text: str) -> Any:
    return yaml.load(text, Loader)  # noqa: S506 (a safe loader)


def expected(value: Any) -> Any:
    if isinstance(value, dict):
        return {expected(key): expected(part) for key, part in value.items()}
    if isinstance(value, list):
        return [expected(part) for part in value]
    if not isinstance(value, str):
        return value
    runs = value.startswith("#jinja2:") or any(mark in value for mark in ("{{", "{%", "{#"))
    return ("unsafe", value) if runs else value


@given(ENTRIES)
def test_text_comes_back_as_it_was_and_marked_where_it_would_run(entries):
    written = blueprint_yaml(entries)
    assert read(written) == expected(entries)
    assert written.count("\n") == 1 + (sum(map(len, entries)) or 1), "no line is folded"


@given(st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), max_size=4))
@example([{"long" * 500: {"-long" * 500: 1}, "null": 1}])
@example([{"name": "web", "parameters": {"code": 308, "on": True, "to": ["{{ x }}", None]}}])
def test_whatever_the_fields_are_called_and_hold_comes_back_as_it_was(entries):
    assert repr(read(blueprint_yaml(entries))) == repr(expected(entries)), "neither a value nor its type is another"


def test_what_a_filter_selects_is_written_as_well():
    assert blueprint_yaml(iter([{"name": "web"}])) == '---\n- name: "web"\n'
    assert blueprint_yaml(iter(())) == "---\n[]\n"


def test_what_can_be_seen_is_written_as_it_is():
    written = blueprint_yaml([{"name": "\u00fcml\u00e4ut \u6771\u4eac \U0001f680", "team": "a\u202eb\u00a0c\x07"}])
    assert written == '---\n- name: "\u00fcml\u00e4ut \u6771\u4eac \U0001f680"\n  team: "a\\u202eb\\u00a0c\\u0007"\n'
