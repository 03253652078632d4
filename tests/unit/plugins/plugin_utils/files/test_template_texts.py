# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of files that looks like a template: it is named before it is sent."""

from typing import Any

import pytest

from ansible_collections.hosting.platform.plugins.plugin_utils.files._template_texts import (
    warnings_of_sent,
)

HEADER = "#jinja2: variable_start_string: '<<'"


def row(after: dict[str, Any]) -> dict[str, Any]:
    return {"source": "aliases.yml:1", "diff": {"before": {}, "after": after}}


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("{{ x }}", "{{ x }}"),
        ({"ttl": 5, "note": "{{ x }}"}, "{{ x }}"),
        ({"notes": [5, {"first": HEADER}]}, HEADER),
        ({"{% x %}": None}, "{% x %}"),
        ({"a": "b" * 100, "c": "{{" + "x" * 100}, "{{" + "x" * 78 + "..."),
    ],
)
def test_the_first_text_that_looks_like_a_template_is_named_wherever_it_stands(value, named):
    (warning,) = warnings_of_sent([row({"ttl": 5}), row({"parameters": value}), row({"a": "{{"})])
    assert warning.startswith(
        f"aliases.yml:1: parameters {named} looks like a template, and is sent as text,"
    )


@pytest.mark.parametrize("value", [None, 5, "{ {", f" {HEADER}", {"a": ["{", "{"]}])
def test_other_values_draw_no_warning(value):
    assert list(warnings_of_sent([row({"parameters": value})])) == []
