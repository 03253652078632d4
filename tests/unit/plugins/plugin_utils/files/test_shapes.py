# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files as people write them, each alone in a directory: one problem, with its line and what to
write; or none.
"""

from pathlib import Path

import pytest
from blueprint_files import all_problems


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        (
            "empty.yml",
            "# nothing yet\n",
            "empty.yml: it declares nothing. Delete it, or write an empty list: projects: []",
        ),
        (
            "acme.yml",
            "team: acme\n",
            "acme.yml:1: it declares nothing. Delete it, or write an empty list: projects: []",
        ),
        (
            "acme.yml",
            "{}\n",
            "acme.yml:1: it declares nothing. Delete it, or write an empty list: projects: []",
        ),
        (
            "cut.yml",
            "team: acme\nprojects:\n",
            "cut.yml:2: projects has no value. If it declares none, write an empty list:"
            " projects: []",
        ),
        (
            "bad_number.yml",
            "team: acme\nprojects:\n  - name: shop\n    output_directory: 0b_\n",
            "bad_number.yml:4: 0b_ cannot be read as a number. Quote it if it is text.",
        ),
        (
            "on.yml",
            "team: acme\non: [push]\nprojects: []\n",
            "on.yml:2: a key is no text for YAML. Quote it, or a value that begins with braces.",
        ),
        (
            "star.yml",
            "team: acme\naliases: [{alias: *.example.com, project: shop}]\n",
            "star.yml:2: it is not valid YAML: while scanning an alias (from line 2), did not find"
            " expected alphabetic or numeric character. Quote a value that begins with a sign.",
        ),
        (
            "separator.yml",
            "projects:\n  - name: shop   # sells things\u2028    state: absent\n",
            "separator.yml:2: it contains the character U+2028, which most editors do not show."
            " Remove it, or write it as \\u2028 in double quotes.",
        ),
        (
            "tab.yml",
            "team: acme\nprojects:\n\t- name: shop\n",
            "tab.yml:3: it is not valid YAML: while scanning for the next token (from line 3), found"
            " character that cannot start any token. Quote a value that begins with a sign. Replace"
            " tabs by spaces.",
        ),
        (
            "caf\udce9.yml",
            "projects: []\n",
            "caf\udce9.yml: its name is not valid UTF-8. Rename it.",
        ),
        (
            "bad_date.yml",
            "team: acme\nprojects:\n  - name: shop\n    output_directory: 2024-13-45\n",
            None,
        ),
        (
            "defaults_key.yml",
            "team: acme\ndefaults:\n  projects: {framework: nextjs}\nprojects:\n  - name: shop\n",
            "defaults_key.yml:2: defaults stand in a file of their own, defaults.yml of the"
            " folder.",
        ),
        (
            "nested.yml",
            "team: acme\nprojects:\n  - name: shop\n    aliases:\n      - www.example.com\n"
            "      - {alias: old.example.com, state: absent}\n",
            None,
        ),
    ],
)
def test_a_file_has_one_problem_or_none(
    tmp_path: Path, name: str, content: str, problem: str | None
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")
    assert all_problems(tmp_path, {"team": "task"}) == ([] if problem is None else [problem])


def test_a_problem_in_a_nested_alias_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "acme.yml").write_text(
        "team: acme\nprojects:\n  - name: shop\n    aliases:\n      - 010\n      -"
        " {alias: a.example.com, sate: x}\n"
        "      - {alias: 1_0, source: x, parameters: {ttl: 0x10}}\n"
    )
    assert all_problems(tmp_path, {"team": "task"}) == [
        "projects[0] shop (acme.yml:3): aliases must be text, but YAML reads 010 as the number"
        " 8. Quote it.",
        "projects[0].aliases[2] 10 (acme.yml:7): alias must be text, but YAML reads 1_0 as the"
        " number 10. Quote it.",
        "projects[0].aliases[2] 10 (acme.yml:7): source is set automatically. Remove it.",
        "projects[0].aliases[1] a.example.com (acme.yml:6): unknown option sate. Did you mean"
        " state?",
    ]
