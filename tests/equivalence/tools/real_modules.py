# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real modules in what they do most: a table in order, since each task meets what the ones
before have made.
"""

from typing import Any

from scenarios import Scenario

OWN = {"name": "own"}
SEED: dict[str, Any] = {
    "users": [{"email": "dev@example.com"}],
    "teams": [{"slug": "acme", "name": "Acme"}, {"slug": "other", "name": "Other"}],
    "projects": [
        {"name": "api", "team": "acme", "framework": "nextjs"},
        {"name": "docs", "team": "other"},
        OWN,
    ],
    "domains": [{"name": "example.com", "team": "acme"}],
    "aliases": [{"alias": "api.example.com", "project": "api", "team": "acme"}],
}

BLUEPRINT = {
    "projects": [{"name": "api", "framework": "vue"}, {"name": "{{ '{{' }} x }}"}],
    "aliases": [{"alias": "www.example.com", "project": "api"}],
}


# The service of each way has an address of its own, of which steps are made.
STEPS = ("step", "steps")
# Before it creates what it has not found, it asks again if the list is older than half a second.
WHEN_APPLIED = (*STEPS, "requests")


def scenario_of(module: str, name: str, options: dict[str, Any], **more: Any) -> Scenario:
    return Scenario(f"{module}: {name}", options, module=f"hosting.platform.{module}", **more)


def project(name: str, options: dict[str, Any], **task: Any) -> Scenario:
    return scenario_of("project", name, {"name": "web", "team": "acme", **options}, **task)


EMAIL = {"email": "dev@example.com"}
INVITATION = {**EMAIL, "team": "acme", "role": "VIEWER"}
LOGIN = {**EMAIL, "token_name": "job"}
VERIFICATION = {**EMAIL, "verification_token": "never-a-token-0123456789", "wait": False}
CHECK: dict[str, Any] = {"check_mode": True, "diff": True}
LOOP = ["a", "b", "c", "d"]

REAL_SCENARIOS = [
    project("create in check mode", {"framework": "astro"}, **CHECK),
    project("create", {"framework": "astro"}, diff=True),
    project("unchanged", {"framework": "astro"}, diff=True),
    project("update in check mode", {"framework": "vue"}, **CHECK),
    project("update", {"framework": "vue", "build_command": "ü \u2028"}, diff=True),
    project("create in a loop", {"name": "{{ item }}"}, loop=LOOP, diff=True),
    project("unchanged in a loop", {"name": "{{ item }}"}, loop=LOOP),
    project("update in a loop", {"name": "{{ item }}", "framework": "vue"}, loop=LOOP, diff=True),
    project(
        "delete in a loop",
        {"name": "{{ item }}", "state": "absent"},
        loop=[*LOOP, "never"],
        diff=True,
    ),
    project("delete in check mode", {"state": "absent"}, **CHECK),
    project("delete", {"state": "absent"}, diff=True),
    project("deleted already", {"state": "absent"}),
    project("without a team", {"name": "own", "team": "{{ omit }}", "framework": "vue"}, diff=True),
    project("looks like a template", {"name": "{{ '{{' }} 1 + 1 }}"}, diff=True),
    project("teams in turn", {"name": "api", "team": "{{ item }}"}, loop=["acme", "other", "acme"]),
    # The message names the host, with its port.
    project("wrong token", {"access_token": "wrong-token-0123456789abcdef"}, aside=("msg",)),
    project("no such team", {"team": "nobody"}),
    project("no such team in check mode", {"team": "nobody"}, **CHECK),
    project("absent in no such team", {"team": "nobody", "state": "absent"}),
    project("empty", {"team": "{{ none }}", "id": "", "access_token": None}, way="none"),
    project("empty in check mode", {"team": "{{ none }}", "framework": "vue"}, **CHECK),
    project("empty ids in check mode", {"id": "{{ item }}"}, loop=[None, ""], **CHECK),
    project("empty team beside own_scope", {"team": None, "own_scope": True}, **CHECK),
    project("masked", {"build_command": "echo ********"}),
    scenario_of(
        "alias",
        "empty project in check mode",
        {"alias": "api.example.com", "project": None, "team": "acme"},
        **CHECK,
    ),
    project("certificates not checked", {"name": "api", "validate_certs": False}),
    project(
        "certificates not checked, in a loop",
        {"name": "api", "validate_certs": "{{ item }}"},
        loop=[False, True],
    ),
    scenario_of("project_info", "all", {"team": "acme"}),
    scenario_of(
        "project_info", "in a loop", {"team": "{{ item }}"}, loop=["acme", "other", "nobody"]
    ),
    scenario_of(
        "team",
        "create",
        {"slug": "makers", "name": "Makers", "description": "They make"},
        diff=True,
    ),
    scenario_of("team", "update", {"slug": "makers", "name": "The Makers"}, diff=True),
    scenario_of("team", "delete", {"slug": "makers", "state": "absent"}, diff=True),
    scenario_of("team_info", "all", {}),
    scenario_of("team_member", "check mode warns", INVITATION, **CHECK),
    scenario_of("team_member", "invite", INVITATION, diff=True),
    scenario_of("team_member", "again", INVITATION),
    scenario_of(
        "team_join", "wrong code", {"team": "acme", "invite_code": "never-the-code-0123456789"}
    ),
    scenario_of(
        "alias", "create", {"alias": "www.example.com", "project": "api", "team": "acme"}, diff=True
    ),
    scenario_of(
        "alias", "unchanged", {"alias": "WWW.example.com", "project": "api", "team": "acme"}
    ),
    scenario_of(
        "alias", "no such project", {"alias": "x.example.com", "project": "nothing", "team": "acme"}
    ),
    scenario_of(
        "alias",
        "no such project in check mode",
        {"alias": "x.example.com", "project": "no", "team": "acme"},
        **CHECK,
    ),
    scenario_of(
        "alias",
        "delete",
        {"alias": "www.example.com", "team": "acme", "state": "absent"},
        diff=True,
    ),
    scenario_of("alias_info", "all", {"team": "acme"}),
    scenario_of("domain", "asserted", {"name": "example.com", "team": "acme"}),
    scenario_of("domain", "missing", {"name": "example.org", "team": "acme"}),
    scenario_of(
        "domain",
        "delete in check mode",
        {"name": "example.com", "team": "acme", "state": "absent"},
        **CHECK,
    ),
    scenario_of("domain_info", "all", {"team": "acme"}),
    scenario_of("project_domain_info", "all", {"project": "api", "team": "acme"}),
    scenario_of("user_info", "me", {}),
    scenario_of(
        "blueprint", "check mode", {"team": "acme", "blueprint": BLUEPRINT}, **CHECK, aside=STEPS
    ),
    scenario_of(
        "blueprint",
        "apply",
        {"team": "acme", "blueprint": BLUEPRINT, "workers": 1},
        diff=True,
        aside=WHEN_APPLIED,
    ),
    scenario_of("blueprint", "again", {"team": "acme", "blueprint": BLUEPRINT}, diff=True),
    scenario_of(
        "blueprint", "invalid", {"team": "acme", "blueprint": {"projects": [{"nme": "x"}]}}
    ),
    scenario_of("blueprint_info", "acme", {"teams": ["acme"]}),
    scenario_of("login_request", "check mode", LOGIN, **CHECK),
    scenario_of(
        "login_request", "no_log", LOGIN, aside=("verification_token", "security_code"), no_log=True
    ),
    scenario_of("login_verification", "not clicked", VERIFICATION),
]
