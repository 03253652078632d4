# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts: any text makes a name that is nothing but a name."""

import pytest
from ansible.inventory.manager import split_host_pattern
from hypothesis import example, given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._text import escape_line
from ansible_collections.hosting.platform.plugins.plugin_utils.files._templates import is_template
from ansible_collections.hosting.platform.plugins.plugin_utils.inventory._host_names import (
    host_name,
)

SPECIAL = st.sampled_from(
    [*"-._=~!&@:,;*?[]{}()'\"\\/%$`|<>#+^ \t\n\r\x00\x1b\x7f\x85\u202e\u2028\ufeff"]
)
WORDS = st.sampled_from(["..", "all", "localhost", "127.", "host_vars", "%h"])
TEXTS = st.lists(SPECIAL | WORDS | st.characters(), min_size=1, max_size=300).map("".join)


@given(TEXTS)
@example("-oProxyCommand=touch x")
@example("../group_vars/all")
@example("x all")
@example("web,all")
@example("@hosts")
@example("\u0301")
@example("\ud800")
def test_a_name_is_nothing_but_a_name(text):
    name = host_name(text)
    assert name[0] not in "-.@!&~"
    assert split_host_pattern(name) == [name]
    assert not set(name) & set("*?[]/\\%$\"'`;|<>() \n")
    assert escape_line(name) == name
    assert not is_template(name)
    assert name.__class__ is str


@given(st.sets(st.text(SPECIAL | st.sampled_from("=2Da"), min_size=1, max_size=6), min_size=2))
@example({"-", "=2D", "=3D2D"})
def test_no_two_texts_have_one_name(texts):
    assert len(set(map(host_name, texts))) == len(texts)


@pytest.mark.parametrize(
    "text",
    [
        "web",
        "Web-2.example.com",
        "a_b",
        "\u00fcn\u00efc\u00f6d\u00e9",
        "\u6771\u4eac\U0001f680",
        "7",
    ],
)
def test_a_text_that_can_be_a_name_is_the_name(text):
    assert host_name(text) == text
