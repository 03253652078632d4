# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with YAML is said at its line, and says what to write; what is right is read as it
is written.
"""

from typing import Any

import pytest

from ansible_collections.hosting.platform.plugins.plugin_utils.files._file_problem import (
    FileProblem,
    place,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._yaml_files import parse


def value_of(text: str) -> Any:
    return parse(text).value


def problem_of(text: str) -> str:
    with pytest.raises(FileProblem) as problem:
        value_of(text)
    return f"{place('f', problem.value.line)}: {problem.value}"


REPEATED = (
    "the key name is repeated. It is first set in line 1. Remove one, or begin a new entry with a"
    " hyphen."
)
NO_KEY = "a key is no text for YAML. Quote it, or a value that begins with braces."
FLOW = "Quote a value that contains braces. Is a comma, a quote or a bracket missing?"
BLOCK = "Is a line indented wrongly, or a hyphen or a quote around braces missing?"
SIGN = "Quote a value that begins with a sign."
NO_TOKEN = (
    "it is not valid YAML: while scanning for the next token (from line {}), found character that"
    f" cannot start any token. {SIGN} Replace tabs by spaces."
)
NO_BREAK = (
    "it contains the character U+00A0, which most editors do not show. Remove it, or write it as"
    " \\u00a0 in double quotes."
)
NOT_ALLOWED = "is not allowed, because files are data. Remove it. Quote a text that begins with !."
ENCRYPTED = (
    "encrypted with Ansible Vault, and files are data. Decrypt it, or give the blueprint in a"
    " variable (converge_blueprint, or the option blueprint)."
)
CONFLICT = (
    "a conflict of git is not resolved. Keep what is right, and remove the lines that begin with"
    " <<<<<<<, ======= and >>>>>>>."
)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        # Not YAML
        ("a: &a\n  b: *a", "1: it is not valid YAML: found unconstructable recursive node."),
        ("[" * 100_000, "1: it is nested deeper than 100 levels."),
        (
            "--- []\n---\n[]",
            "2: it is not valid YAML: expected a single document in the stream (from line 1), but"
            " found another document. Remove the line ---, or write a file for each document.",
        ),
        (
            "- a: b: c",
            "1: it is not valid YAML: mapping values are not allowed in this context. Quote a"
            " value that holds a colon and a space. Is a line indented wrongly?",
        ),
        (
            "- a: b\n- c: d\n e: f",
            "3: it is not valid YAML: while parsing a block collection (from line 1), did not find"
            f" expected '-' indicator. {BLOCK}",
        ),
        (
            "a:\n  - {{ x }}.c",
            "2: it is not valid YAML: while parsing a block collection (from line 2), did not find"
            f" expected '-' indicator. {BLOCK}",
        ),
        (
            "a: {{ x }}-b",
            "1: it is not valid YAML: while parsing a block mapping (from line 1), did not find"
            f" expected key. {BLOCK}",
        ),
        (
            "a: [b, {{ x }}.c]",
            "1: it is not valid YAML: while parsing a flow sequence (from line 1), did not find"
            f" expected ',' or ']'. {FLOW}",
        ),
        (
            "a: [1, 2\nb: 3",
            "2: it is not valid YAML: while parsing a flow sequence (from line 1), did not find"
            f" expected ',' or ']'. {FLOW}",
        ),
        (
            'a: ["{{ x }}", b c: {d]',
            "1: it is not valid YAML: while parsing a flow mapping (from line 1), did not find"
            f" expected ',' or '}}'. {FLOW}",
        ),
        # Signs
        ("- *x", f"1: it is not valid YAML: found undefined alias. {SIGN}"),
        (
            "a: b\n[{alias: *.example.com}]",
            "2: it is not valid YAML: while scanning an alias (from line 2), did not find expected"
            f" alphabetic or numeric character. {SIGN}",
        ),
        (
            "- &&x",
            "1: it is not valid YAML: while scanning an anchor (from line 1), did not find expected"
            f" alphabetic or numeric character. {SIGN}",
        ),
        (
            "- |x",
            "1: it is not valid YAML: while scanning a block scalar (from line 1), did not find"
            f" expected comment or line break. {SIGN}",
        ),
        *((f"- {sign}x", f"1: {NO_TOKEN.format(1)}") for sign in "@`%"),
        # Tabs and quotes
        ("a:\n\t- b", f"2: {NO_TOKEN.format(2)}"),
        (
            "- a: b\n\tc: d",
            "2: it is not valid YAML: while scanning a plain scalar (from line 1), found a tab"
            " character that violates indentation. Replace tabs by spaces.",
        ),
        (
            '- a\n- name: "shop\n- b',
            "3: it is not valid YAML: while scanning a quoted scalar (from line 2), found unexpected"
            " end of stream. Is the quote at its end missing?",
        ),
        # Others
        (
            '- a: "C:\\web"',
            "1: it is not valid YAML: while parsing a quoted scalar (from line 1), found unknown"
            " escape character. Write a backslash in double quotes twice, or use single quotes.",
        ),
        (
            "- name: a\n  framework hugo\n  alias: b",
            "3: it is not valid YAML: while scanning a simple key (from line 2), could not find"
            " expected ':'. Is a colon behind a key missing?",
        ),
        (
            "a: - b",
            "1: it is not valid YAML: block sequence entries are not allowed in this context. Begin"
            " a list on a line of its own. Quote a value that begins with a hyphen.",
        ),
        # Tags
        ("- !important", f"1: the tag !important {NOT_ALLOWED}"),
        ("- a\n- !!python/name:os.system a", f"2: the tag !!python/name:os.system {NOT_ALLOWED}"),
        ("- a\n- !!str b", f"2: the tag !!str {NOT_ALLOWED}"),
        ("- !!timestamp now", f"1: the tag !!timestamp {NOT_ALLOWED}"),
        ("!!map {a: b}", f"1: the tag !!map {NOT_ALLOWED}"),
        ("!!str a: b", f"1: the tag !!str {NOT_ALLOWED}"),
        ("- ! b", f"1: the tag ! {NOT_ALLOWED}"),
        ("- !<tag:yaml.org,2002:str> b", f"1: the tag tag:yaml.org,2002:str {NOT_ALLOWED}"),
        ("%TAG !a! !un\n---\n- !a!safe b", f"3: the tag !a!safe {NOT_ALLOWED}"),
        ("- a\n- !!bool maybe", f"2: the tag !!bool {NOT_ALLOWED}"),
        ("- a\n- !unsafe '{{ b }}'", f"2: the tag !unsafe {NOT_ALLOWED}"),
        ("- !unsafe [a]", f"1: the tag !unsafe {NOT_ALLOWED}"),
        ("- a\n- b: !vault |\n    $ANSIBLE_VAULT", f"2: the value is {ENCRYPTED}"),
        ("- !vault-encrypted x", f"1: the value is {ENCRYPTED}"),
        # Spaces
        ("- name: a\n  \xa0framework: b", f"2: {NO_BREAK}"),
        ("- name: a\n\xa0 framework: b", f"2: {NO_BREAK}"),
        ("projects:\n\xa0 - name: a", f"2: {NO_BREAK}"),
        ("-\xa0name: a", f"1: {NO_BREAK}"),
        ("- a\n- name:\xa0b", f"2: {NO_BREAK}"),
        ("- name: \xa0b", f"1: {NO_BREAK}"),
        ("- name: b\xa0", f"1: {NO_BREAK}"),
        ("- {name:\xa0b, c: d}", f"1: {NO_BREAK}"),
        ("- name: 'a'\xa0\n", f"1: {NO_BREAK}"),
        # Git
        ("- a\n<<<<<<< HEAD\n- b\n=======\n- c\n>>>>>>> theirs\n", f"2: {CONFLICT}"),
        # Values
        (
            "- " + "9" * 5000,
            f"1: {'9' * 5000} cannot be read as a number. Quote it if it is text.",
        ),
        ("- a\n- b: 0b_", "2: 0b_ cannot be read as a number. Quote it if it is text."),
        # Keys
        ("- name: a\n  b: c\n  name: d", f"3: {REPEATED}"),
        ("name: a\nname: b", f"2: {REPEATED}"),
        ("- {name: a, 'name': b}", f"1: {REPEATED}"),
        ("- ? [a]\n  : b", f"1: {NO_KEY}"),
        ("- a: b\n  name: {{ x }}", f"2: {NO_KEY}"),
        *((f"a: b\n{key}: 1", f"2: {NO_KEY}") for key in ("on", "null", "~", "010", "1.10", "=")),
    ],
)
def test_a_problem_is_reported_at_its_line(text: str, problem: str) -> None:
    assert problem_of(text) == f"f:{problem}"


@pytest.mark.parametrize(
    ("character", "escape"),
    [
        ("\0", "\\u0000"),
        ("\x07", "\\u0007"),
        ("\f", "\\u000c"),
        ("\x1b", "\\u001b"),
        ("\ufffe", "\\ufffe"),
    ],
)
def test_a_character_that_yaml_refuses_is_named(character: str, escape: str) -> None:
    said = problem_of(f"- ä\n- b{character}")
    assert said == (
        f"f:2: it contains the character U+{ord(character):04X}, which most editors do not show."
        " Remove it, or write it as"
        f" {escape} in double quotes."
    )


@pytest.mark.parametrize("character", ["\u0085", "\u2028", "\u2029", "\r"])
@pytest.mark.parametrize("text", ["a: 1\nb: 2 # c{}    d: 3", "a: 1\n- 'b{}c'", "a: 1\n'{}: 1'"])
def test_a_character_that_ends_a_line_for_yaml_alone_is_refused(text: str, character: str) -> None:
    assert problem_of(text.format(character)).startswith(
        f"f:2: it contains the character U+{ord(character):04X}, which most editors do not show."
    )


@pytest.mark.parametrize(
    ("escaped", "character"), [("\\u2028", "\u2028"), ("\\x85", "\x85"), ("\\r", "\r")]
)
def test_an_escaped_line_end_is_text(escaped: str, character: str) -> None:
    assert value_of(f'- "a{escaped}b"') == [f"a{character}b"]


def test_lines_may_end_as_on_windows() -> None:
    assert value_of("- a\r\n- b\r\n") == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("- &a {x: 1}\n- *a", [{"x": 1}, {"x": 1}]),
        ("- {<<: {x: 1}}", [{"x": 1}]),
        ("- '" + "9" * 5000 + "'", ["9" * 5000]),
        ("- '{{ x }}'", ["{{ x }}"]),
        ("- '!unsafe'", ["!unsafe"]),
        ('- "a\\xa0b"', ["a\xa0b"]),
        ("- a\xa0b # c\xa0d\n- 'e\xa0: f'", ["a\xa0b", "e\xa0: f"]),
        ("- =", ["="]),
        ("x: {y: &a {<<: {b: 1}, b: 2}}\nz: {<<: *a, b: 3}", {"x": {"y": {"b": 2}}, "z": {"b": 3}}),
        ("- |\n  <<<<<<< HEAD\n", ["<<<<<<< HEAD\n"]),
        ("- [yes, 1.5, ~, text]", [[True, 1.5, None, "text"]]),
        ("- ['on', \"=\", '<<', '*']", [["on", "=", "<<", "*"]]),
        ("{'on': 1, 'null': 2, 2026-01-02: 3}", {"on": 1, "null": 2, "2026-01-02": 3}),
        (
            "[2026-01-02, 2024-02-30, 2024-13-45, 2026-01-02 10:00:00]",
            ["2026-01-02", "2024-02-30", "2024-13-45", "2026-01-02 10:00:00"],
        ),
    ],
)
def test_plain_yaml_is_read_as_it_is_written(text: str, value: Any) -> None:
    assert value_of(text) == value
