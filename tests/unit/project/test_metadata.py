# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts that are stated in more than one file are the same in each."""

import re

import hosting_platform_emulator
import yaml
from environments import ROOT
from interpreters import OLDEST_CORE
from release import STATED, STATES

from ansible_collections.hosting.platform.plugins.module_utils._version import VERSION

README = (ROOT / "README.md").read_text(encoding="utf-8")
MODULES = {path.stem: path.read_text() for path in (ROOT / "plugins" / "modules").glob("*.py")}


def _yaml(name):
    return yaml.safe_load((ROOT / name).read_text())


def test_collection_and_emulator_state_the_same_version():
    stated = {file: STATES.findall(file.read_text())[0] for file in STATED}
    assert set(stated.values()) == {VERSION}, stated
    assert _yaml("galaxy.yml")["version"] == VERSION
    assert hosting_platform_emulator.__version__ == VERSION


def test_the_emulator_carries_the_license():
    assert (ROOT / "emulator/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_oldest_tested_core_is_the_oldest_that_is_allowed():
    assert _yaml("meta/runtime.yml")["requires_ansible"] == f">={OLDEST_CORE}.0"


def test_action_group_all_holds_every_module():
    assert _yaml("meta/runtime.yml")["action_groups"]["all"] == sorted(
        {*MODULES} - {"blueprint_validate"}
    )


def test_action_group_team_scoped_has_every_module_with_team():
    taken = ("hosting.platform.api.team\n", "E(HOSTING_PLATFORM_TEAM) is used")
    scoped = [name for name, text in MODULES.items() if any(sign in text for sign in taken)]
    assert _yaml("meta/runtime.yml")["action_groups"]["team_scoped"] == sorted(scoped)


def test_every_module_is_in_the_readme():
    assert [name for name in MODULES if f"`hosting.platform.{name}`" not in README] == []


def test_the_readme_is_read_in_one_sitting():
    assert len(README.splitlines()) <= 170


def test_every_link_of_the_readme_is_absolute():
    """Galaxy and Automation Hub show the page without the files beside it."""
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) > 10
    assert [link for link in links if not link.startswith("https://")] == []


def test_every_file_that_the_documentation_links_to_is_there():
    """Before the first release, too: the changelog is one of them."""
    ours = (
        r"https://(?:github|raw\.githubusercontent)\.com/hosting-platform/hosting\.platform/"
        r"(?:(?:blob|tree)/)?main/([\w./-]+)"
    )
    pages = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs/docsite/rst").glob("*.rst"),
    ]
    linked = set(re.findall(ours, "\n".join(page.read_text() for page in pages)))
    assert {"CHANGELOG.md", "docs/pictures/demo.svg"} <= linked
    assert [path for path in linked if not (ROOT / path).exists()] == []
