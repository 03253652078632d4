# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of a plan of each action, and the lines of the plan's text."""

from typing import Any

from results import make_result, make_view, result

from ansible_collections.hosting.platform.plugins.plugin_utils.reports._plan_text import plan_text

Row = dict[str, Any]
NOTHING: Row = {}
PLAN_FOR = "Plan for https://api.example.com/v1"


def text_of(*rows: Row, is_check: bool = False, is_whole: bool = False, **more: Any) -> list[str]:
    """The lines below the first."""
    view = make_view(make_result(list(rows), **more), is_check=is_check)
    first, *lines = plan_text(view, is_whole=is_whole).split("\n")
    assert first == PLAN_FOR
    return lines


def project(
    name: str,
    action: str,
    before: Row = NOTHING,
    after: Row = NOTHING,
    team: str = "acme",
    **more: Any,
) -> Row:
    return result("projects", name, team, action, before=dict(before), after=dict(after), **more)


CREATION = project(
    "shop", "create", after={"name": "shop", "framework": "hugo"}, source="projects/shop.yml:1"
)
HUGO = {"framework": "hugo"}
ASTRO = {"framework": "astro"}
CHANGE = project("blog", "update", HUGO, ASTRO)
OLD_ALIAS = {"kind": "aliases", "name": "old.example.com", "team": "acme"}
DELETION = project("old", "delete", {"name": "old"}, along=[OLD_ALIAS])
CREATED = "+ project acme/shop  framework: hugo  projects/shop.yml:1"
INVITED = {"email": "dev@example.com", "role": "VIEWER"}
INVITATION = result("team_members", "dev@example.com", "acme", "invite", after=INVITED)
# With which a row is shown where a plan is to be judged.
WHOLE = ({"is_check": True}, {"is_whole": True})
