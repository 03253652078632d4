# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the README and the site tell of places to meet, of support and of versions."""

from __future__ import annotations

import re

import yaml
from environments import ROOT
from guides import GUIDES

README = (ROOT / "README.md").read_text(encoding="utf-8")
SITE = ROOT / "docs/docsite"
FORUM = "https://forum.ansible.com"
GET_HELP = f"{FORUM}/tags/c/help/6/none/hosting-platform"
TAG = f"{FORUM}/tag/hosting-platform"


def section(title: str, text: str = README) -> str:
    found = re.search(rf"^## {title}\n(.+?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def of_site(name: str) -> dict[str, object]:
    content = yaml.safe_load((SITE / name).read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def test_readme_welcomes_to_the_forum() -> None:
    told = section("Communication")
    assert f"[Get Help]({GET_HELP})" in told
    assert f"tag\n  `hosting-platform`]({TAG})" in told or f"tag `hosting-platform`]({TAG})" in told
    assert re.search(r"welcome.+join", told, re.IGNORECASE | re.DOTALL)
    assert "CODE_OF_CONDUCT.md" in told


def test_site_names_the_same_places() -> None:
    communication = of_site("links.yml")["communication"]
    assert isinstance(communication, dict)
    assert [forum["url"] for forum in communication["forums"]] == [GET_HELP, TAG]
    rooms = [room["room"] for room in communication["matrix_rooms"]]
    assert rooms
    assert [room for room in rooms if f"https://matrix.to/#/{room}" not in section("Communication")] == []


def test_site_has_the_changelog_and_the_variables_that_only_guides_describe() -> None:
    config = of_site("config.yml")
    guides = "".join(page.read_text(encoding="utf-8") for page in GUIDES.values())
    described = set(re.findall(r"^\.\. envvar:: (\w+)", guides, re.MULTILINE))
    assert described
    assert config == {"envvar_directives": sorted(described), "changelog": {"write_changelog": True}}


def test_installation_serves_automation_hub_and_galaxy() -> None:
    told = section("Installation")
    assert 0 < told.index("- **Automation Hub**") < told.index("- **[Ansible Galaxy]")
    assert "ansible-galaxy collection install hosting.platform\n" in told
    # Who has Automation Hub has execution environments, and no ansible-core of pip's.
    assert not re.search(r"pip3? install (--\S+ )*ansible", README)


def test_support_is_told_for_automation_hub_and_galaxy() -> None:
    told = section("Support")
    hub, galaxy = told.index("Automation Hub"), told.index("Ansible Galaxy")
    assert hub < galaxy
    assert "*Create issue*" in told[hub:galaxy]
    assert GET_HELP in told[galaxy:]
    # Nobody has certified it yet: a condition is true for either reader.
    assert "If your Automation Hub offers the collection as Red Hat Ansible Certified Content" in told


def test_support_ends_with_a_major_version() -> None:
    told = section("Release Notes and Roadmap")
    assert "semantic versioning" in told
    assert "Support for an old ansible-core or Python ends only with a major version" in told
    assert "at least one minor version before" in told
    page = GUIDES["compatibility"].read_text(encoding="utf-8")
    assert re.search(r"Support for an ansible-core or a Python ends with a major\s+version", page)
    for text in (told, (ROOT / "SECURITY.md").read_text(encoding="utf-8"), page):
        assert "for one year for the last release of the previous major version" in " ".join(text.split())


def test_compatibility_page_says_of_every_surface_what_is_stable() -> None:
    """The surfaces that the project writes for others to read, and a row for each."""
    page = GUIDES["compatibility"].read_text(encoding="utf-8")
    cell = r"    - ?(.*\n(?:      .+\n)*)"
    rows = re.findall(rf"^  \* - (.+)\n{cell}{cell}", page, re.MULTILINE)
    assert {row[0] for row in rows} >= {
        "Modules, plugins, roles and playbooks",
        "Options, role variables and environment variables",
        "Results",
        "Hosts of the inventory",
        "Files of a blueprint",
        "The plan file",
        "Step ids",
        "The request log",
        "The JSON schemas",
        "The emulator",
    }
    assert [what for what, stable, _other in rows if not stable.strip()] == ["Everything else"]
