# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies for platforms, blueprints for them, ways to present them, and manual changes."""

from itertools import product
from typing import Any

from hypothesis import strategies as st

Document = dict[str, list[dict[str, Any]]]

TEAMS = ["acme", "zeta"]
SCOPES = [*TEAMS, ""]
NAMES = ["web", "a/b c", "{{ 7 * 6 }}", "näme", "12345"]
TEXTS = ["", "astro", "1.10", "{{ x }}"]
KEYS = {
    "framework": "framework",
    "build_command": "buildCommand",
    "output_directory": "outputDirectory",
}
LABELS = ["www", "cdn", "old"]

# The switches that change only how the same platform is shown, or found.
PRESENTATION_SWITCHES: dict[str, list[Any]] = {
    "not_found": [404, 400, 403],
    "list_order": ["descending", "ascending", "ascending_pages"],
    "bounds": ["exclusive", "inclusive", "since_inclusive"],
    "next_value": ["last", "following", "past_last", "before_last"],
    "next_on_full_last_page": [False, True],
    "next_always": [False, True],
    "limit_cap": [0, 5],
    "limit_refuse_over": [0, 3],
    "limit_refuse_status": [400, 422],
    "updated_at": ["every_patch", "on_change"],
    "unset_fields": ["empty", "null", "missing"],
    "extra_fields": [False, True],
    "create_status": [200, 201],
    "delete_status": [200, 204],
    "id_or_name_precedence": ["id", "name"],
    "ids": ["prefixed", "numeric", "short"],
    "project_on_get": ["of_callers_teams", "of_its_scope", "of_everybody"],
    "alias_on_get": ["of_callers_teams", "of_its_scope", "of_everybody"],
    "team_id_on_get": ["ignored", "honoured", "refused"],
    "alias_result": ["record", "empty", "project"],
    "name_required_on_patch": [False, True],
    "alias_team_id": ["id", "unset"],
    "personal_team_id": ["id", "unset"],
}
# Where every page has a next, a first page of objects created in one moment is refused, if others
# follow on pages no wider: a list may hide some of them. Runs on several threads create objects in
# one moment.
presentations = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(of) for name, of in PRESENTATION_SWITCHES.items()}
).filter(lambda shown: not (shown.get("next_always") and shown.get("limit_cap")))

homes = st.sampled_from(SCOPES)
names = st.sampled_from(NAMES)
places = st.sampled_from(list(product(SCOPES, NAMES)))
labels = st.sampled_from(LABELS)
values = st.dictionaries(st.sampled_from(list(KEYS)), st.sampled_from(TEXTS))


def host(label: str, scope: str) -> str:
    """An alias that is unique to a scope."""
    return f"{label}.{scope or 'own'}.example.com"


def scope_options(scope: str) -> dict[str, str]:
    return {"team": scope} if scope else {}


@st.composite
def platforms(draw: Any) -> Document:
    """An initial platform: two teams, and projects, aliases and domains of theirs and of the own
    scope.
    """
    taken = draw(st.lists(places, min_size=4, max_size=9, unique=True))
    assignments = draw(st.lists(st.tuples(labels, st.sampled_from(taken)), max_size=4))
    hosts = {host(label, scope): (scope, name) for label, (scope, name) in assignments}
    own = {place: alias for alias, place in hosts.items() if draw(st.booleans())}
    projects = []
    for scope, name in taken:
        filled = {KEYS[option]: text for option, text in draw(values).items() if text}
        alias = {"alias": own[scope, name]} if (scope, name) in own else {}
        projects.append({"name": name, **scope_options(scope), **filled, **alias})
    aliases = [
        {"alias": alias, "project": name, **scope_options(scope)}
        for alias, (scope, name) in hosts.items()
        if alias not in own.values()
    ]
    domains = [
        {"name": host("old", scope), **scope_options(scope)}
        for scope in draw(st.lists(homes, max_size=2, unique=True))
    ]
    teams = [{"slug": slug, "name": draw(st.sampled_from(["", "Acme"]))} for slug in TEAMS]
    return {"teams": teams, "projects": projects, "aliases": aliases, "domains": domains}
