# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The README tells of all that there is; and tests that exist prove every sentence of the
specification.
"""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml

from hosting_platform_emulator.serving.fault_answers import FAULTS
from hosting_platform_emulator.state.switches import SWITCHES
from support import Api, command, pairs

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SWITCHES)
def test_switch_has_its_row(name: str) -> None:
    (row,) = [line for line in README.splitlines() if line.startswith(f"| `{name}` |")]
    _, _, values, meaning, _ = row.split("|")
    switch = SWITCHES[name]
    assert meaning.strip() == switch.meaning
    if switch.values:
        assert values.strip() == ", ".join(f"`{str(value).lower()}`" for value in switch.values)
    else:
        assert values.strip().startswith(f"`{switch.default}`")


def test_faults_are_listed() -> None:
    section = README.partition("## Faults")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    names = ",".join(rows).split(",")
    assert {name.strip().strip("`") for name in names} == set(FAULTS)


def test_options_are_listed() -> None:
    text = subprocess.run(command("--help"), capture_output=True, text=True, check=True).stdout
    options = {word.strip("[],") for word in text.split() if word.startswith(("--", "[--"))} - {
        "--help",
        "--version",
    }
    assert [option for option in sorted(options) if f"`{option}" not in README] == []


def test_example_of_the_library(capfd: pytest.CaptureFixture[str]) -> None:
    (example,) = [block for block in README.split("```python\n")[1:] if block.startswith("from")]
    code = example.partition("```")[0].replace(
        "print(", "print(platform.state()['teams'][0]['slug'], "
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert capfd.readouterr().out.startswith("acme http://127.0.0.1:")


def test_example_seed_is_one(api: Api) -> None:
    document = README.partition("```json\n")[2].partition("```")[0]
    answer = api.post("/_emulator/seed", content=document)
    assert list(answer.json()) == [
        "users",
        "teams",
        "domains",
        "projects",
        "aliases",
        "project_domains",
    ]


HERE = Path(__file__).parent
SECTIONS: dict[str, dict[str, str]] = yaml.safe_load(
    (HERE / "sentences.yml").read_text(encoding="utf-8")
)
SENTENCES = [(section, text, SECTIONS[section][text]) for section, text in pairs(SECTIONS)]


@cache
def functions(name: str) -> frozenset[str]:
    tree = ast.parse((HERE / f"test_{name}.py").read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param(text, named, id=f"{number}, section {section}")
        for number, (section, text, named) in enumerate(SENTENCES, start=1)
    ],
)
def test_sentence_names_tests_that_exist(text: str, named: str) -> None:
    tests = [test.partition("::") for test in named.split()]
    assert tests, text
    missing = [function for name, _, function in tests if function not in functions(name)]
    assert missing == [], f"{text} names tests that do not exist"
