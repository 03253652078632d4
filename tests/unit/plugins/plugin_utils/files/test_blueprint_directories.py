# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several directories as one blueprint: what each must be, and how their files are called."""

from pathlib import Path

import pytest
from folders import write

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_file import (
    BlueprintFiles,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_files import (
    read_directories,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._directories import (
    directories_of,
    directory_problems,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Relative paths start here."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(*paths: str) -> BlueprintFiles:
    return read_directories(directories_of(paths))


def refused(*paths: str) -> list[str]:
    return list(directory_problems(directories_of(paths)))


SHOP = "team: acme\nprojects:\n  - {name: shop}\n"
SANDBOX = "team: acme\nprojects:\n\n  - {name: sandbox}\n"


def test_several_are_one_blueprint_whose_sources_begin_with_them(folder):
    write(Path(), common__sites=SHOP, staging__acme__projects=SANDBOX)
    found = read("./common/", "staging")
    entries = read_blueprint(found.blueprint).entries
    assert [(entry.name, entry.source) for entry in entries] == [
        ("shop", "common/sites.yml:3"),
        ("sandbox", "staging/acme/projects.yml:4"),
    ]
    assert found.files == [f"{folder}/common/sites.yml", f"{folder}/staging/acme/projects.yml"]


def test_no_directory_has_precedence():
    write(Path(), common__sites=SHOP, staging__sites=SHOP)
    for paths in (("common", "staging"), ("staging", "common")):
        with pytest.raises(PlatformError) as caught:
            read_blueprint(read(*paths).blueprint)
        assert all(f"({path}/sites.yml:3)" in str(caught.value) for path in paths)


def test_sources_of_one_are_below_it():
    write(Path(), common__sites=SHOP)
    (entry,) = read_blueprint(read("common").blueprint).entries
    assert entry.source == "sites.yml:3"


def test_absolute_paths_and_those_above_stay_as_they_are(folder):
    write(Path(), common__sites=SHOP, staging__sites=SANDBOX)
    found = read(f"{folder}//common", f"../{folder.name}/staging")
    assert [entry["source"] for entry in found.entries["projects"]] == [
        f"{folder}/common/sites.yml:3",
        f"../{folder.name}/staging/sites.yml:4",
    ]


def test_defaults_of_one_do_nothing_in_another():
    write(Path(), common__defaults="team: ops\nprojects: {framework: hugo}", common__sites=SHOP)
    write(Path(), staging__sites="projects: [{name: sandbox}]")
    shop, sandbox = read("common", "staging").entries["projects"]
    assert (shop["framework"], shop["team"]) == ("hugo", "acme")
    assert sandbox.keys() - {"_place", "_places"} == {"name", "source"}


def test_problems_and_indexes_are_those_of_the_file():
    write(
        Path(), common__sites=SHOP, staging__sites="taem: acme\nprojects: [{name: a}, {name: b}, 5]"
    )
    assert read("common", "staging").problems == [
        "staging/sites.yml:1: unknown key taem. Did you mean team?",
        "projects[2] (staging/sites.yml:2): must be a dictionary of options, and is a number.",
    ]
    Path("staging/notes.txt").touch()
    assert read("common", "staging").problems[0] == (
        "staging/notes.txt: only .yml and .yaml files are allowed here."
    )


def test_each_holds_something():
    write(Path(), common__sites=SHOP)
    Path("staging").mkdir()
    nothing = "staging: it contains no blueprint files, such as projects.yml."
    assert read("common", "staging").problems == [nothing]
    write(Path(), staging__defaults="projects: {framework: hugo}")
    assert read("common", "staging").problems == []
    write(Path(), common__sites="[]")
    assert "staging" not in "".join(read("common", "staging").problems)


def test_defaults_alone_declare_nothing():
    write(Path(), common__defaults="{}", staging__defaults="{}")
    assert read("common", "staging").problems == [
        "common: it contains no blueprint files, such as projects.yml."
    ]


def test_none_is_another_one_or_lies_in_it():
    write(Path(), common__staging__sites=SHOP, production__sites=SHOP)
    Path("link").symlink_to(".")
    problem = "are the same directory, or one lies in the other. Remove one of them."
    assert refused("common", "common/") == [f"common and common {problem}"]
    assert refused("common/staging", "common") == [f"common/staging and common {problem}"]
    assert refused("link/common/staging", "production", "common") == [
        f"link/common/staging and common {problem}"
    ]
    assert refused("common", "production") == []
    write(Path(), **{"common-too__sites": SHOP})
    assert refused("common", "common-too") == []


def test_all_that_is_wrong_with_paths_is_said_at_once(folder):
    write(Path(), common__sites=SHOP)
    Path("link").symlink_to("common")
    Path("file").touch()
    longer = "x" * 300
    assert refused("link", "file", "none", longer) == [
        "link is a link, and links are not followed. Name the directory to which it leads.",
        "file cannot be read: not a directory.",
        "none does not exist.",
        f"{longer} does not exist.",
    ]
    assert refused("none") == [f"{folder}/none does not exist."]
