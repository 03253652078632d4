# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of the service on its way out: what core could run is known, and what it could misread is
told apart.
"""

import pytest
from ansible.template import Templar
from client import expect_failure
from hostile import TEXTS
from hypothesis import given
from hypothesis import strategies as st
from stub_server import json_response

from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._run.module import (
    without_reserved_keys,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._templates import (
    as_data,
    is_template,
)

PIECES = st.sampled_from([*TEXTS, "{", "%", "#", "jinja2:", "\ufeff", " "]) | st.text()
PARTS = st.lists(PIECES, max_size=4).map("".join)
TRUSTED = {
    "__ansible_type": "_AnsibleTaggedStr",
    "tags": [{"__ansible_type": "TrustedAsTemplate"}],
    "value": "{{ x }}",
}


@given(PARTS)
def test_whatever_core_takes_for_a_template_is_one(text):
    assert is_template(text) or not Templar(loader=None).is_possibly_template(text)


@pytest.mark.parametrize("text", ["#jinja2:", "#jinja2: x", "{{", "{%", "{#"])
def test_is_template_covers_every_core(text):
    assert is_template(text)


@pytest.mark.parametrize("change", [without_reserved_keys, as_data])
def test_keys_that_core_reads_in_its_own_way_stand_behind_a_word(change):
    given = {
        "plain": ["x", 1, None, {"__ansible_vault": "x", "__ansible_unsafe": ["y"]}],
        "trusted": TRUSTED,
    }
    changed = change(given)
    assert changed["plain"] == [
        "x",
        1,
        None,
        {"hosting__ansible_vault": "x", "hosting__ansible_unsafe": ["y"]},
    ]
    assert changed["trusted"] == {
        "hosting__ansible_type": "_AnsibleTaggedStr",
        "tags": [{"hosting__ansible_type": "TrustedAsTemplate"}],
        "value": "{{ x }}",
    }


def test_the_message_of_a_failure_acts_on_nothing():
    refusal = json_response(
        {"code": 400, "message": "first\nse\x1b[2Jcond \x9b \u202e {{ x }} \u00fc"}, 400
    )
    failure = expect_failure(Api.get_user, refusal).failure
    assert failure["message"] == "first\nse\\u001b[2Jcond \\u009b \\u202e {{ x }} \u00fc"
