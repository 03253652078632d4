# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converging and exporting whole blueprints in tests, without a playbook."""

from collections.abc import Callable
from typing import Any

from client import make_api, make_platform
from emulated import ControlledEmulator

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.options import (
    DEFAULT_OPTIONS,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.converge import (
    converge_blueprint,
    read_task,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.export import (
    export_blueprint,
    read_export,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.platform import Platform

Blueprint = dict[str, list[dict[str, Any]]]


OPTIONS = {**DEFAULT_OPTIONS, "workers": 4}

OPTIONS_OF_THE_CLIENT = ("access_token", "clock", "max_retries", "max_retry_delay")

# A platform, and a blueprint that changes it in every way there is. An alias passes from one
# project that is renamed to another.
BEFORE_EVERY_CHANGE: Blueprint = {
    "teams": [{"slug": "acme", "name": "Acme"}, {"slug": "zeta"}, {"slug": "gone"}],
    "projects": [
        {"name": "theirs", "team": "gone"},
        *({"name": f"p{number}", "team": "acme", "framework": "hugo"} for number in range(5)),
        {"name": "site", "team": "zeta", "buildCommand": "make"},
        {"name": "own", "framework": "hugo"},
        {"name": "mine"},
    ],
    "aliases": [
        {"alias": "www.example.com", "project": "p0", "team": "acme"},
        {"alias": "old.example.com", "project": "p1", "team": "acme"},
        {"alias": "me.example.com", "project": "own"},
    ],
    "domains": [{"name": "example.org", "team": "zeta"}],
}
EVERY_CHANGE: Blueprint = {
    "teams": [
        {"slug": "apex", "previously": ["acme"]},
        {"slug": "zeta", "name": "Zeta"},
        {"slug": "nova"},
        {"slug": "gone", "state": "absent"},
    ],
    "team_members": [{"team": "apex", "email": "dev@example.com", "role": "VIEWER"}],
    "projects": [
        {"name": "p9", "team": "apex", "previously": ["p0"], "framework": "astro"},
        {"name": "p8", "team": "apex", "previously": ["p3"]},
        {"name": "p1", "team": "apex", "framework": "", "build_command": ""},
        {"name": "p2", "team": "apex", "state": "absent"},
        {"name": "new", "team": "nova", "framework": "astro", "dev_command": ""},
        {"name": "site", "team": "zeta", "framework": "astro", "build_command": ""},
        {"name": "own", "own_scope": True, "framework": "astro"},
        {"name": "mine", "own_scope": True, "state": "absent"},
    ],
    "aliases": [
        {"alias": "WWW.example.com.", "project": "p8", "team": "apex"},
        {"alias": "old.example.com", "team": "apex", "state": "absent"},
        {"alias": "me.example.com", "own_scope": True, "state": "absent"},
        {"alias": "new.example.com", "project": "new", "team": "nova"},
    ],
    "domains": [{"name": "example.org", "team": "zeta", "state": "absent"}],
}


def converge(
    base_url: str,
    blueprint: Any,
    check_mode: bool = False,
    say: Callable[[str], None] | None = None,
    planned: Callable[[dict[str, Any]], None] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The result of the module ``blueprint``, some of whose options are the client's; raises the
    error if it fails. ``planned`` gets the plan with its warnings.
    """
    connection = {name: options.pop(name) for name in OPTIONS_OF_THE_CLIENT if name in options}

    def on_plan(plan: dict[str, Any]) -> None:
        if planned:
            planned({**plan, "warnings": [*map(str, platform.warnings)]})

    platform = Platform(
        make_api(base_url, say=say, **connection), on_plan=on_plan if planned else None
    )
    task = read_task({**OPTIONS, "blueprint": blueprint, **options})
    result = converge_blueprint(platform, task, check_mode)
    return {**result, "warnings": [*map(str, platform.warnings)]}


def converge_or_result(
    base_url: str, blueprint: Any, check_mode: bool = False, **options: Any
) -> dict[str, Any]:
    """The result of the module; if it fails, with ``msg``."""
    try:
        return converge(base_url, blueprint, check_mode, **options)
    except PlatformError as error:
        return {**error.result, **error.to_result()}


def check_then_converge(base_url: str, blueprint: Any, **options: Any) -> dict[str, Any]:
    """The result of a run that is held to the plan of check mode, equals it, and leaves nothing to
    do.
    """
    check = converge(base_url, blueprint, check_mode=True, **options)
    run = converge(base_url, blueprint, **options, approved=check["steps"])
    assert run["results"] == check["results"]
    assert converge(base_url, blueprint, **options)["changed"] is False
    return run


def refusal_message(emulator: ControlledEmulator, blueprint: Any, **options: Any) -> str:
    """The message with which check mode and the run refuse a blueprint, alike, before the first
    write.
    """
    check, run = (
        converge_or_result(emulator.base_url, blueprint, is_check, **options)
        for is_check in (True, False)
    )
    assert run["msg"] == check["msg"]
    assert "failure" not in run
    assert run.get("refused", False) is ("results" in run), "a plan that fails is refused"
    assert emulator.writes == []
    return str(run["msg"])


def refusal_without_requests(emulator: ControlledEmulator, blueprint: Any, **options: Any) -> str:
    """The message with which a blueprint is refused before the first request."""
    message = refusal_message(emulator, blueprint, **options)
    assert emulator.requests() == []
    return message


def export(base_url: str, undeclared_in: Any = None, **options: Any) -> Blueprint:
    """The result of the module ``blueprint_info``."""
    declared = [undeclared_in or {}]
    kinds = ["teams", "projects", "aliases", "domains"]
    defaults = {
        "teams": None,
        "kinds": kinds,
        "workers": 4,
        "ignore": [],
        "undeclared_in": declared,
    }
    return export_blueprint(make_platform(base_url), read_export({**defaults, **options}))


def actions(result: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Kind, name and action of every result that is not ``none``."""
    rows = ((entry["kind"], entry["name"], entry["action"]) for entry in result["results"])
    return [row for row in rows if row[2] != "none"]


def reasons(result: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Name and reason of every result."""
    return [(entry["name"], entry["reason"]) for entry in result["results"]]


def steps(result: dict[str, Any]) -> list[str]:
    """The ids of the steps, in the order of the entries."""
    return [entry["step"] for entry in result["results"] if entry["step"]]
