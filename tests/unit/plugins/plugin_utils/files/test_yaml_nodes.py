# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with YAML is said at its line, and says what to write; what is right is read as it
is written.
"""

from typing import Any

import pytest
import yaml

from ansible_collections.hosting.platform.plugins.plugin_utils.files._file_problem import (
    FileProblem,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._yaml_checks import (
    check_node,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._yaml_files import parse
from ansible_collections.hosting.platform.plugins.plugin_utils.files._yaml_problems import (
    parser_problem,
)


def value_of(text: str) -> Any:
    return parse(text)[0]


def problem_of(text: str) -> str:
    with pytest.raises(FileProblem) as problem:
        value_of(text)
    return problem.value.at("f")


REPEATED = "the key name is repeated. It is first set in line 1."
HYPHEN = "write a hyphen before it."
TEMPLATE = "a value that contains {{ must be quoted, and is text: files are data."
TAB = "a tab stands where YAML takes only spaces. Replace it by spaces."
NEVER_CLOSED = "a quote is opened here, and never closed."
NO_BREAK = "a non-breaking space stands where YAML takes only spaces. Replace it by spaces."
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
            "2: it is not valid YAML: expected a single document in the stream, but found"
            " another document.",
        ),
        (
            "- a: b: c",
            "1: it is not valid YAML: mapping values are not allowed in this context. Quote a"
            " value that contains a"
            " colon and a space.",
        ),
        ("- ? [a]\n  : b", "1: a key is no text, but a list or a dictionary."),
        (
            "- a: b\n  name: {{ x }}",
            "2: a value that begins with {{ must be quoted, and is text: files are data.",
        ),
        (
            "- a: b\n- c: d\n e: f",
            "3: it is not valid YAML: while parsing a block collection, did not find expected '-'"
            " indicator. Is a line indented wrongly, or is a hyphen or a quote missing?",
        ),
        ("- name: a\n  b: c\n  name: d", f"3: {REPEATED} If a new entry begins here, {HYPHEN}"),
        ("name: a\nname: b", f"2: {REPEATED}"),
        ("- {name: a, name: b}", f"1: {REPEATED}"),
        ("a: [www.{{ x }}]", f"1: {TEMPLATE}"),
        ("a: [b, {{ x }}.c]", f"1: {TEMPLATE}"),
        ("a: [{b: {{ x }}-c}]", f"1: {TEMPLATE}"),
        ("a:\n  - {{ x }}.c", f"2: {TEMPLATE}"),
        ("a: {{ x }}-b", f"1: {TEMPLATE}"),
        (
            "a: [1, 2\nb: 3",
            "2: a comma, a quote or the closing ] is missing. What it closes begins in line 1.",
        ),
        (
            'a: ["{{ x }}", b c: {d]',
            "1: a comma, a quote or the closing } is missing. What it closes begins in line 1.",
        ),
        # Signs
        ("- *x", "1: a value that begins with * must be quoted."),
        ("a: b\nalias: *.example.com", "2: a value that begins with * must be quoted."),
        ("a: ä\n[{alias: *.example.com}]", "2: a value that begins with * must be quoted."),
        ("- &&x", "1: a value that begins with & must be quoted."),
        ("- @scope/package", "1: a value that begins with @ must be quoted."),
        ("- `npm`", "1: a value that begins with ` must be quoted."),
        ("- %x", "1: a value that begins with % must be quoted."),
        ("- |x", "1: a value that begins with | must be quoted."),
        ("- a\n- =", "2: = alone has a meaning of its own in YAML. Quote it."),
        ("- a\n- b: <<", "2: << alone has a meaning of its own in YAML. Quote it."),
        # Tabs and quotes
        ("a:\n\t- b", f"2: {TAB}"),
        ("- a: b\n\tc: d", f"2: {TAB}"),
        ("- a: b\n  \tc: d", f"2: {TAB}"),
        ('- a\n- name: "shop\n- b', f"2: {NEVER_CLOSED}"),
        ("- a: 'b\n  c: d", f"1: {NEVER_CLOSED}"),
        (
            '- a: "b\n  c: "d"',
            "2: it is not valid YAML: while parsing a block mapping, did not find expected key."
            " Is a line indented wrongly, or is a hyphen or a quote missing?",
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
        ("- " + "9" * 5000, "1: a number has 5000 characters. Quote it if it is text."),
        ("- a\n- 0x" + "f" * 5000, "2: a number has 5002 characters. Quote it if it is text."),
        ("- {0b" + "1" * 101 + ": 1}", "1: a number has 103 characters. Quote it if it is text."),
        ("- a\n- b: 0b_", "2: 0b_ cannot be read as a number. Quote it if it is text."),
        # Keys
        ("a: b\non: [push]", "2: YAML reads the key on as a boolean. Quote it."),
        ("a: b\nyes: 1", "2: YAML reads the key yes as a boolean. Quote it."),
        ("null: 1", "1: YAML reads the key null as null. Quote it."),
        ("- ?\n  : 1", "1: YAML reads the key without a name as null. Quote it."),
        ("- {010: 1}", "1: YAML reads the key 010 as the number 8. Quote it."),
        ("- {1.10: 1}", "1: YAML reads the key 1.10 as a number with a fraction. Quote it."),
        ("{=: 1}", "1: = alone has a meaning of its own in YAML. Quote it."),
        ("{a: 1, 'a': 2}", "1: the key a is repeated. It is first set in line 1."),
    ],
)
def test_a_problem_is_reported_at_its_line(text: str, problem: str) -> None:
    assert problem_of(text) == f"f:{problem}"


@pytest.mark.parametrize(
    ("character", "escape"),
    [("\0", "\\x00"), ("\x07", "\\x07"), ("\f", "\\x0c"), ("\x1b", "\\x1b"), ("\ufffe", "\\ufffe")],
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
        ("- a\xa0b\n- '\xa0'\n- |\n  \xa0a:\xa0b\n", ["a\xa0b", "\xa0", "\xa0a:\xa0b\n"]),
        ("- |\n  <<<<<<< HEAD\n", ["<<<<<<< HEAD\n"]),
        ("- [yes, 1.5, ~, text]", [[True, 1.5, None, "text"]]),
        ("- ['on', \"=\", '<<', '*']", [["on", "=", "<<", "*"]]),
        ("{'on': 1, 'null': 2, 5: 3}", {"on": 1, "null": 2, 5: 3}),
        (
            "[2026-01-02, 2024-02-30, 2024-13-45, 2026-01-02 10:00:00]",
            ["2026-01-02", "2024-02-30", "2024-13-45", "2026-01-02 10:00:00"],
        ),
    ],
)
def test_plain_yaml_is_read_as_it_is_written(text: str, value: Any) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("aliases: [{alias: *.example.com}]", 1),
        ("- a\n- *x", 2),
        ("a:\n\t- b", 2),
        ("- a\n- 'b", 2),
        ("- @a", 1),
    ],
)
def test_the_parser_in_python_finds_the_same(text: str, line: int) -> None:
    """PyYAML without libyaml has other words."""
    said = problem_of(text)
    with pytest.raises(yaml.MarkedYAMLError) as error:
        yaml.compose(text, yaml.SafeLoader)
    assert parser_problem(error.value, text).at("f") == said
    assert said.startswith(f"f:{line}: ")


def test_a_text_that_no_utf_8_can_represent_is_refused() -> None:
    """libyaml refuses it by itself."""
    with pytest.raises(FileProblem, match="a text is not valid UTF-8") as problem:
        check_node(yaml.compose('- a\n- "\\ud800"', yaml.SafeLoader))
    assert problem.value.line == 2
