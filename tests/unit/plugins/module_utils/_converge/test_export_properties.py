# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a module returns of a platform full of odd texts, given back, changes nothing or fails before
the first write: an export, in a variable and in files, and each object of an ``_info`` module.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from blueprints import Blueprint
from client import TOKEN
from hypothesis import given
from hypothesis import strategies as st
from in_process import InProcess
from modules import perform
from platforms import presentations
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_files import (
    read_directories,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._directories import Directory
from ansible_collections.hosting.platform.plugins.plugin_utils.files._export_files import (
    ExportFiles,
)

ODD = [
    *(
        " ",
        " a",
        "a ",
        "a  b",
        "a\nb",
        "a\tb",
        "a\u2028b",
        "a\u0085b",
        "a\rb",
        "\u00a0a",
        "\ufeffa",
    ),
    *("yes", "~", "null", "010", "1_000", "1.10", "2026-01-02", "=", "<<", "*a", "&a", "!a", "- a"),
    *("# a", "a: b", "[a]", "{a}", "a,b", "%a", "@a", "`a", "'", '"', "\\", "|", "<<<<<<< a"),
    *("{{ a }}", "{% a %}", "a{#b", "#jinja2:a", "$ANSIBLE_VAULT;1.1", "a/b", ".", "..", "A", "a"),
    *("cafe\u0301", "caf\u00e9", "\u202ea", "\U0001f680", "a" * 100, "?", "[!a]"),
    *("*" * 8, "*" * 9, "*" * 16, f"b{'*' * 8}", TOKEN, f"a {TOKEN}", f"a{TOKEN}/"),
    "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER",
]
odd = st.sampled_from(ODD) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=4
)
LISTED = {
    "teams": "team_info",
    "projects": "project_info",
    "aliases": "alias_info",
    "domains": "domain_info",
}
FIELDS = ("buildCommand", "framework", "outputDirectory")


@st.composite
def platforms(draw: Any) -> dict[str, list[dict[str, Any]]]:
    """A team, and projects in it and in none, each perhaps with an alias."""
    projects: list[dict[str, Any]] = []
    aliases = []
    for number, name in enumerate(draw(st.lists(odd, min_size=1, max_size=5, unique=True))):
        scope = draw(st.sampled_from([{"team": "acme"}, {"team": "acme"}, {}]))
        fields = draw(st.dictionaries(st.sampled_from(FIELDS), odd, max_size=2))
        projects.append({"name": name, **scope, **fields})
        if draw(st.booleans()):
            aliases.append({"alias": f"a{number}.example.com", "project": name, **scope})
    team = {"slug": "acme", "name": draw(odd)}
    domains = [{"name": "a.example.org", "team": "acme"}, {"name": "b.example.org"}]
    return {"teams": [team], "projects": projects, "aliases": aliases, "domains": domains}


def exported(base_url: str, folder: str) -> tuple[Blueprint, Blueprint]:
    """An export as it is returned, and as its files are read; without what fails it. What that is,
    its messages say.
    """
    ignore: list[Any] = []
    for _round in range(3):
        result = perform("blueprint_info", base_url, ignore=ignore)
        message = result.get("msg", "")
        if not message:
            try:
                ExportFiles(result["blueprint"], "teams", folder, []).write()
            except PlatformError as error:
                message = str(error)
            else:
                found = read_directories([Directory(Path(folder))])
                assert found.problems == []
                return result["blueprint"], found.blueprint
        ignore += json.loads(message.splitlines()[-1].partition("out: ")[2])
    raise AssertionError(f"{message}\n{ignore}")


@examples(80)
@given(platform=platforms(), shown=presentations)
def test_an_export_given_back_changes_nothing(
    in_process: InProcess, platform: dict[str, list[dict[str, Any]]], shown: dict[str, Any]
) -> None:
    in_process.reset()
    in_process.seed(**platform)
    in_process.switch(**shown)
    with TemporaryDirectory() as folder:
        blueprints = exported(in_process.base_url, folder)
    for blueprint in blueprints:
        result = perform("blueprint", in_process.base_url, blueprint=blueprint)
        assert "msg" not in result, result["msg"]
        assert [row for row in result["results"] if row["changed"]] == []
    assert in_process.writes == []


@examples(80)
@given(platform=platforms(), shown=presentations)
def test_an_object_given_back_changes_nothing_or_fails_before_the_first_write(
    in_process: InProcess, platform: dict[str, list[dict[str, Any]]], shown: dict[str, Any]
) -> None:
    in_process.reset()
    in_process.seed(**platform)
    in_process.switch(**shown)
    for kind, info in LISTED.items():
        options = KINDS[kind].argument_spec.options
        for scope in ({"team": "acme"}, {"own_scope": True}) if kind != "teams" else ({},):
            for record in perform(info, in_process.base_url, **scope)[kind]:
                values = {option: record[option] for option in options if record.get(option)}
                values.pop("id", None)
                result = perform(KINDS[kind].singular, in_process.base_url, **values, **scope)
                assert result.get("failed") or not result["changed"], result
    assert in_process.writes == []
