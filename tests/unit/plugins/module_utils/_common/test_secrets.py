# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No secret is left in what a run returns, wherever and however it stands there; all else is left alone."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from html.entities import codepoint2name
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._common.secrets import PART, WHOLE, masked

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


def test_a_secret_that_stands_for_nothing():
    """HTML reads it as no character at all."""
    assert masked(["&#1;", "a&#1;b", "", "ab", 5], ["&#1;"]) == [WHOLE, f"a{PART}b", "", "ab", 5]


def percent(character: str, digits: str) -> str:
    return "".join(f"%{byte:{digits}}" for byte in character.encode())


def json_escape(character: str, digits: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2], 'big'):0{digits}}" for at in range(0, len(units), 2))


def named(character: str) -> str:
    return f"&{codepoint2name[ord(character)]};" if ord(character) in codepoint2name else character


ENCODINGS: dict[str, Callable[[str], str]] = {
    "itself": str,
    "percent": lambda character: percent(character, "02X"),
    "small-percent": lambda character: percent(character, "02x"),
    "percent-twice": lambda character: percent(character, "02x").replace("%", "%25"),
    "json": lambda character: json_escape(character, "4X"),
    "small-json": lambda character: json_escape(character, "4x"),
    "json-twice": lambda character: json_escape(character, "4x").replace("\\", "\\\\"),
    "json-alone": lambda character: f"\\{character}" if character in "\"\\/'" else character,
    "html": named,
    "html-quotes": html.escape,
    "html-twice": lambda character: named(character).replace("&", "&amp;"),
    "decimal": lambda character: f"&#{ord(character)};",
    "long-decimal": lambda character: f"&#{ord(character):07};",
    "hexadecimal": lambda character: f"&#x{ord(character):x};",
    "large-hexadecimal": lambda character: f"&#X{ord(character):04X};",
    "hexadecimal-in-address": lambda character: quote(f"&#x{ord(character):x};", safe=""),
}
# No backslash: whoever escapes by one escapes the backslash too, so no mixture has one that stands alone.
TOKENS = st.text("abcXYZ0189-._~+/=:,;!'\"<>&%@é日😀", min_size=1, max_size=24)


@st.composite
def in_any_mixture(draw):
    token = draw(TOKENS)
    encodings = draw(st.lists(st.sampled_from(list(ENCODINGS)), min_size=len(token), max_size=len(token)))
    return token, "".join(ENCODINGS[encoding](character) for character, encoding in zip(token, encodings))


@examples(1000)
@given(in_any_mixture(), st.sampled_from(["", "no such token: "]), st.sampled_from(["", " (status 400)"]))
@example(("tok/en+é", "tok%2fen%2b%c3%a9"), "", "")
@example(("é", "\\u00E9"), "no such token: ", "")
@example(("a&b<c>'\"d", "a&amp;b&lt;c&gt;&#x27;&quot;d"), "", " (status 400)")
@example(("%41x", "%&#52;1x"), "", "")
def test_a_secret_is_found_in_any_mixture_of_spellings(mixture, before, after):
    token, spelt = mixture
    left = masked(before + spelt + after, [token])
    if len(token) > 3:  # a shorter one may be part of the words around it
        assert left == (f"{before}{PART}{after}" if before or after else WHOLE)
    assert not before + after or spelt not in left


RANDOM = "hT4kQz9-Lm2XvB7_wR8cYp3sNd6fJg1a"


@given(st.integers(0, len(RANDOM)), st.integers(0, len(RANDOM)), st.sampled_from(list(ENCODINGS)))
def test_a_part_of_a_secret_is_masked_as_well(start, end, encoding):
    part = RANDOM[start:end]
    text = f"it begins with: {''.join(map(ENCODINGS[encoding], part))}, and so on"
    assert masked([text], [RANDOM]) == [f"it begins with: {PART}, and so on" if len(part) >= 8 else text]


@pytest.mark.parametrize("size", [8, 9, 16, 20])
def test_a_secret_in_lines_is_masked(size):
    lines = "\n".join(RANDOM[start : start + size] for start in range(0, len(RANDOM), size))
    assert re.findall(r"\w{8}", masked(lines, [RANDOM])) == []


@pytest.mark.parametrize(
    "text",
    ["the production team", "Production", "verification_token", "a verification of the team", "100% of a&b in c:\\new"],
)
def test_words_that_are_in_a_secret_are_left_alone(text):
    secrets = ["production-verification-0123456789", "Production-2", "short"]
    assert masked({text: text}, secrets) == {text: text}


def test_a_long_part_without_anything_but_letters_is_no_word():
    secret = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
    assert masked(secret[:16], [secret]) == WHOLE
    assert masked(f"x {secret[3:30]} x", [secret]) == f"x {PART} x"


def test_numbers_are_left_where_a_secret_only_shares_digits_with_them():
    assert masked(1735689600000, ["17356896000001234"]) == 1735689600000


@pytest.mark.parametrize("text", ["%25" * 5000, "&amp;" * 5000, "\\" * 5000, "%" * 5000, "&#" * 5000, "%u" * 5000])
def test_text_that_is_nothing_but_escapes_is_left_alone(text):
    assert masked(text, [RANDOM]) == text
