# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No secret is left whole in what a run returns; all else is left alone, parts of a secret
included.
"""

import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._api.masking import PART, WHOLE, mask
from ansible_collections.hosting.platform.plugins.module_utils._text import escape_line

TOKEN = 'tok/en+0123"456 789'
TEXTS = st.text(max_size=6)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
FORMS = [TOKEN, quote(TOKEN), quote(TOKEN, safe=""), quote_plus(TOKEN), json.dumps(TOKEN)[1:-1]]
FORMS += [
    quote(TOKEN, safe="").replace("%2F", "%2f").replace("%2B", "%2b"),
    FORMS[-1].replace("/", "\\/"),
]
SECRET_TEXTS = st.builds(
    lambda before, form, after: before + form + after, TEXTS, st.sampled_from(FORMS), TEXTS
)


def documents(leaves, keys):
    return st.recursive(
        leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20
    )


@given(documents(LEAVES | SECRET_TEXTS, TEXTS | SECRET_TEXTS))
def test_no_secret_is_left_whole(document):
    left = json.dumps(mask(document, [TOKEN]), ensure_ascii=False)
    assert [
        form for form in FORMS if form in left or json.dumps(form, ensure_ascii=False)[1:-1] in left
    ] == []


@given(documents(LEAVES, TEXTS))
def test_all_else_is_left_alone(document):
    assert mask(document, [TOKEN, None, ""]) == document


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_masked_whole_or_within_a_text(form):
    assert mask([form, f"no such token: {form}.", {form: 1}], [TOKEN]) == [
        WHOLE,
        f"no such token: {PART}.",
        {PART: 1},
    ]


@pytest.mark.parametrize(
    "secret", ["0123::add-mask::4567", "0123##[group]4567", "0123##vso[task]4567"]
)
def test_a_secret_that_a_runner_would_obey_is_masked_as_messages_escape_it(secret):
    text = f"no such token: {secret}."
    assert escape_line(text) != text
    assert mask([text, escape_line(text)], [secret]) == [f"no such token: {PART}."] * 2


def test_guesses_of_a_part_of_a_secret_get_no_answer():
    """Whoever may write a name must not learn from its masking how a token begins."""
    token = "3b1f6c0a-9d2e-4e57-8c41-5a7b90d3e6f2"
    guesses = [token[:size] for size in range(1, len(token))]
    assert mask(guesses, [token]) == guesses


def test_a_short_secret_is_masked_only_as_a_whole_value():
    document = {"team": ["team", "my team", "teams"]}
    assert mask(document, ["team"]) == {"team": [WHOLE, "my team", "teams"]}


def test_a_secret_within_another():
    assert mask("secret-0123456789", ["secret-0123", "secret-0123456789"]) == WHOLE
    assert mask("x secret-0123456789", ["secret-0123", "secret-0123456789"]) == f"x {PART}"


@pytest.mark.parametrize(
    ("value", "left"),
    [(123456789, WHOLE), (-5.5, WHOLE), (12345678, 12345678), (True, True), (None, None)],
)
def test_a_number_may_be_a_secret(value, left):
    assert mask(value, ["123456789", "-5.5", "True"]) == left


def test_a_secret_that_is_no_character():
    assert mask(["a\udce4b", "\udce4"], ["\udce4"]) == ["a\udce4b", WHOLE]
