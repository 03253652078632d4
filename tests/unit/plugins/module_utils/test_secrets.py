# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No secret is left in what a run returns, wherever and however it stands there; all else is left alone."""

from __future__ import annotations

import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._secrets import PART, WHOLE, masked

TOKEN = 'tok/en+0123"456 789'
TEXTS = st.text(max_size=6)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
FORMS = [TOKEN, quote(TOKEN), quote(TOKEN, safe=""), quote_plus(TOKEN), json.dumps(TOKEN)[1:-1]]
SECRET_TEXTS = st.builds(lambda before, form, after: before + form + after, TEXTS, st.sampled_from(FORMS), TEXTS)


def documents(leaves, keys):
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20)


def texts(value):
    """Every text of a document."""
    if isinstance(value, dict):
        return [*value, *(text for item in value.values() for text in texts(item))]
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return [str(value)]


def shape(value):
    if isinstance(value, dict):
        return [shape(item) for item in value.values()]
    return [shape(item) for item in value] if isinstance(value, list) else None


@given(documents(LEAVES | SECRET_TEXTS, TEXTS | SECRET_TEXTS))
def test_no_secret_is_left_and_nothing_is_lost(document):
    left = masked(document, [TOKEN])
    assert [text for text in texts(left) if any(form in text for form in FORMS)] == []
    assert shape(left) == shape(document)


@given(documents(LEAVES, TEXTS))
def test_all_else_is_left_alone(document):
    assert masked(document, [TOKEN, None, ""]) == document


def test_two_secrets_as_keys_of_one_object():
    first, second = "first-secret-012345", "second-secret-012345"
    left = masked({first: 1, second: 2, f"x{first}": 3}, [first, second])
    assert left == {WHOLE: 1, WHOLE + PART: 2, f"x{PART}": 3}


def test_a_secret_within_another():
    assert masked("secret-0123456789", ["secret", "secret-0123456789"]) == WHOLE


@pytest.mark.parametrize(
    ("value", "left"),
    [(123456789, WHOLE), (-123456789.5, WHOLE), (12345678, 12345678), (True, True), (None, None), ("True", WHOLE)],
)
def test_numbers_are_text_as_well(value, left):
    assert masked(value, ["123456789", "True"]) == left


def test_a_short_secret_leaves_the_words_of_a_result():
    assert masked({"changed": "changed", "team": ["my team"]}, ["team", "changed"]) == {
        "changed": WHOLE,
        "team": [f"my {PART}"],
    }


def test_a_secret_that_is_no_character():
    assert masked(["a\udce4b"], ["\udce4"]) == [f"a{PART}b"]
