# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person reads: on one line, and without anything that acts on a terminal or on a runner."""

import re
import unicodedata

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._text import (
    closest,
    escape_line,
    escape_lines,
    yaml_text,
)

# What the runners of forges look for; the last two where a line begins.
COMMANDS = re.compile(r"##\[|##vso\[|::[a-z]", re.IGNORECASE)
PIECES = (
    st.sampled_from(["##[error]", "##vso[task", "::add-mask::", "#", "[", ":", "x"]) | st.text()
)


@given(st.lists(PIECES, max_size=6).map("".join))
def test_escape_line_removes_active_characters(text):
    shown = escape_line(text)
    assert shown.isprintable()
    assert not COMMANDS.search(shown)
    assert escape_line(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb\x9b\n", "a\\u001b[2Jb\\u009b\\u000a"),
        ("\u200b\u202e\ufeff\U000e0041", "\\u200b\\u202e\\ufeff\\U000e0041"),
        (
            "a   b \u2800\u00ad\u034f\u3164\ufe0f",
            "a \\u0020\\u0020b \\u2800\\u00ad\\u034f\\u3164\\ufe0f",
        ),
        ("web ##[command]rm", "web #\\u0023[command]rm"),
        ("##VSO[task.setvariable]", "#\\u0023VSO[task.setvariable]"),
        ("::set-output name=x::y", ":\\u003aset-output name=x:\\u003ay"),
        ("cafe\u0301 \u212b a\u0327\u0301", "cafe\\u0301 \\u212b a\u0327\\u0301"),
        ("\u1100\u1161 s\u0307\u0323", "\u1100\\u1161 s\\u0307\\u0323"),
    ],
)
def test_escape_line_shows_active_characters_as_numbers(text, shown):
    assert escape_line(text) == shown


@given(st.text(), st.text("aes\u0301\u0323\u0327\u1100\u1161\u11a8"))
def test_texts_that_unicode_takes_for_equal_are_shown_apart(plain, marked):
    shown = {escape_line(text) for text in forms_of(plain + marked)}
    assert len(shown) == len(forms_of(plain + marked))


def forms_of(text):
    return {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "web",
        "caf\u00e9",
        "\u00fc \u6771\u4eac \U0001f680",
        "# a [b] ## c: d",
        "http://[::1]:80/",
    ],
)
def test_all_else_is_left_alone(text):
    assert escape_line(text) == text


def test_lines_stay_lines():
    assert escape_lines("a\n::debug::\tb") == "a\n:\\u003adebug::\\u0009b"


@given(
    st.text()
    | st.lists(PIECES | st.sampled_from(" \u0301'\"-?:{},&*#|>%@`~.0n"), max_size=5).map("".join)
)
def test_the_name_that_a_message_says_to_write_is_yaml_of_that_very_name(name):
    written = yaml_text(name)
    assert escape_line(written) == written
    assert yaml.safe_load(f"name: {written}") == {"name": name}
    assert yaml.safe_load(f"[{written}, {written}]") == [name, name]
    assert yaml.safe_load(f"{{name: {written}}}") == {"name": name}


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("shop", "shop"),
        ("caf\u00e9", "caf\u00e9"),
        ("www.example.com", "www.example.com"),
        ("Acme Corp", "Acme Corp"),
        ("cafe\u0301", '"cafe\\u0301"'),
        ("shop ", '"shop "'),
        ("sh\u00adop", '"sh\\u00adop"'),
        ("\ufb01le", '"\\ufb01le"'),
        ("yes", '"yes"'),
        ("010", '"010"'),
        ("a: b", '"a: b"'),
        ("a\nb", '"a\\nb"'),
        ('a"\\', '"a\\"\\\\"'),
    ],
)
def test_names_are_quoted_where_yaml_or_a_person_would_read_another(name, written):
    assert yaml_text(name) == written


@pytest.mark.parametrize("word", ["customer-04321-websiet", "Customer-4321-website"])
def test_the_closest_of_thousands_of_names_that_are_alike_is_found(word):
    names = [f"customer-{number:05}-website" for number in range(5000)]
    assert closest(word, names) == "customer-04321-website"
