# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service repeats the token: no variable, cache or file of a job holds it, though ansible-core keeps invocations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from interpreters import chosen_core
from playing import Player
from sampling import both_ways
from scripted import answer_json, scripted

from ansible_collections.hosting.platform.plugins.module_utils._common.secrets import WHOLE

pytestmark = pytest.mark.core_differences

# The second could come back as a number.
TOKENS = ["token/with+signs=0123456789", "98765432109876543210"]
# What core itself writes into the file of an async job, since 2.22: the secrets that its controller does not know yet.
OF_CORE = "_ansible_new_secrets"


def written(file: Path, *variables: str) -> dict[str, Any]:
    """A task that writes the variables to a file."""
    text = "{{ {" + ", ".join(f"'{variable}': {variable}" for variable in variables) + "} | to_json }}"
    return {"ansible.builtin.copy": {"dest": str(file), "content": text}, "no_log": True}


@pytest.mark.parametrize(
    ("token", "in_process"), [(TOKENS[0], "true"), pytest.param(TOKENS[1], "false", marks=pytest.mark.thorough)]
)
def test_nothing_keeps_a_repeated_token(player: Player, token: str, in_process: str) -> None:
    user: dict[str, Any] = {"id": "usr_1", "name": f"<{token}>", "username": token, token: {f"x {token}": [token]}}
    user |= {"link": f"https://example.com/?token={quote_plus(token)}", "number": int(token) if token.isdigit() else 1}
    me = "hosting.platform.user_info"
    folder = player.folder
    tasks: list[dict[str, Any]] = [
        {me: {}, "register": "read"},
        {me: {"access_token": "{{ lookup('env', 'HOSTING_PLATFORM_ACCESS_TOKEN') }}"}, "register": "given"},
        {me: {"timeout": "many"}, "register": "invalid"},
        {me: {"unknown": 1}, "register": "unknown"},
        {me: {"base_url": "http://127.0.0.1:1", "max_retries": 0}, "register": "failed"},
        {me: {}, "register": "job", "async": 60, "poll": 0},
        {
            "ansible.builtin.async_status": {"jid": "{{ job.ansible_job_id }}"},
            "register": "in_a_job",
            "until": "in_a_job is finished",
            "retries": 60,
            "delay": 1,
        },
        {"ansible.builtin.set_fact": {"cached": "{{ [read, given, invalid, failed] }}", "cacheable": True}},
        written(folder / "variables", "read", "given", "invalid", "unknown", "failed", "in_a_job"),
    ]
    environment = {
        "ANSIBLE_INJECT_INVOCATION": "true",
        "ANSIBLE_CACHE_PLUGIN": "jsonfile",
        "ANSIBLE_CACHE_PLUGIN_CONNECTION": str(folder / "facts"),
        "ANSIBLE_ASYNC_DIR": str(folder / "jobs"),
        "HOSTING_PLATFORM_IN_PROCESS": in_process,
        "HOSTING_PLATFORM_ACCESS_TOKEN": token,
    }
    with scripted(answer_json(user)) as service:
        play = player.run(tasks, HOSTING_PLATFORM_BASE_URL=service.base_url, **environment)
    assert [task.status for task in play.tasks][:6] == ["ok", "ok", "failed", "failed", "failed", "ok"]
    variables = json.loads((folder / "variables").read_text())
    assert variables["in_a_job"]["user"]["id"] == "usr_1"
    if chosen_core() >= "2.21":  # the first that can be told to keep invocations
        assert variables["read"]["invocation"]["module_args"]["access_token"] == WHOLE
    places = {name: json.dumps(value) for name, value in variables.items()}
    places |= {file.name: file.read_text() for file in (folder / "facts").iterdir()}
    (job,) = [json.loads(file.read_text()) for file in (folder / "jobs").iterdir()]
    assert set(job.pop(OF_CORE, [token])) == {token}
    places |= {"job": json.dumps(job), "output": play.output}
    assert len(places) == 9
    assert [place for place, text in places.items() if token in text or quote_plus(token) in text] == []


@both_ways
def test_a_secret_that_was_asked_for_is_returned_as_it_is(player: Player, in_process: str) -> None:
    """Also by a service that hands out the very token that it was called with."""
    token = TOKENS[0]
    answer = {"token": token, "email": "dev@example.com", "teamId": f"team of {token}", "securityCode": token}
    options = {"email": "dev@example.com", "access_token": token}
    tasks = [
        {"hosting.platform.login_request": {**options, "token_name": "job"}, "register": "asked", "no_log": True},
        {
            "hosting.platform.login_verification": {**options, "verification_token": "pending-0123456789"},
            "register": "verified",
            "no_log": True,
        },
        written(player.folder / "variables", "asked", "verified"),
    ]
    with scripted(answer_json(answer)) as service:
        player.run(tasks, HOSTING_PLATFORM_BASE_URL=service.base_url, HOSTING_PLATFORM_IN_PROCESS=in_process)
    asked, verified = json.loads((player.folder / "variables").read_text()).values()
    assert (asked["verification_token"], asked["security_code"]) == (token, WHOLE)
    assert (verified["access_token"], verified["team_id"]) == (token, "team of ********")
