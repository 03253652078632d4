# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No secret is shown: not by a module, right or wrong, nor by what Ansible keeps, even if a service repeats it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from environments import ROOT
from interpreters import chosen_core
from player import Player
from stub_server import json_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._api.masking import WHOLE

pytestmark = pytest.mark.core_differences

# Handed over as variables: of a playbook itself, ansible-core quotes the lines around a task that failed.
SECRETS = {
    "wrong_token": "wrong-token-0123456789",
    "unsendable_token": "with a space 0123456789",
    "wrong_code": "wrong-invite-code-0123456789",
    "wrong_verification": "wrong-verification-token-0123456789",
}
EMAIL = "owner@example.com"

RIGHT: dict[str, dict[str, Any]] = {
    "team": {"slug": "acme", "name": "Acme"},
    "team_info": {"team": "acme"},
    "team_member": {"team": "acme", "email": "dev@example.com", "role": "VIEWER"},
    "team_join": {"team": "acme", "invite_code": "{{ wrong_code }}"},
    "project": {"name": "web", "team": "acme", "framework": "astro"},
    "project_info": {"team": "acme"},
    "project_domain_info": {"project": "web", "team": "acme"},
    "alias": {"alias": "www.example.com", "project": "web", "team": "acme"},
    "alias_info": {"team": "acme"},
    "domain": {"name": "example.com", "team": "acme", "state": "absent"},
    "domain_info": {"team": "acme"},
    "user_info": {},
    "blueprint": {"blueprint": {"projects": [{"name": "api", "team": "acme"}]}},
    "blueprint_info": {},
    "login_request": {"email": EMAIL, "token_name": "job"},
}
WRONG: dict[str, dict[str, Any]] = {
    "team": {"slug": "acme", "name": "x" * 257},
    "team_info": {"team": "acme", "max_retries": "many"},
    "team_member": {"team": "acme", "email": "dev@example.com", "role": "KING"},
    "team_join": {"team": "nobody", "invite_code": "{{ wrong_code }}"},
    "project": {"name": "web", "team": "acme", "framwork": "astro"},
    "project_info": {"team": "nobody"},
    "project_domain_info": {"project": "none", "team": "acme"},
    "alias": {"alias": "www.example.com", "project": "none", "team": "acme"},
    "alias_info": {"team": "acme", "project": "none"},
    "domain": {"name": "example.com", "team": "acme"},
    "domain_info": {"team": "nobody"},
    "user_info": {"timeout": -1},
    "blueprint": {"blueprint": {"project": []}},
    "blueprint_info": {"teams": ["nobody"]},
    "login_request": {"email": "", "token_name": "job"},
    "login_verification": {"email": EMAIL, "verification_token": "{{ wrong_verification }}", "wait": False},
}


def test_the_table_holds_every_module() -> None:
    assert (
        set(RIGHT) | {"login_verification"}
        == set(WRONG)
        == {path.stem for path in (ROOT / "plugins" / "modules").glob("*.py")} - {"blueprint_validate"}
    )


def test_secrets_appear_in_no_output_or_result(player: Player) -> None:
    """The service even repeats the token in every answer and message."""
    player.emulator.switch(echo_token=True)
    player.emulator.seed(teams=[{"slug": "acme", "inviteCode": "code-0123456789"}])
    # The documentation asks for no_log where a result has to hold a secret.
    tasks: list[dict[str, Any]] = [
        {f"hosting.platform.{module}": options, "register": f"of_{module}", "no_log": module == "login_request"}
        for module, options in RIGHT.items()
    ]
    verify = {"email": EMAIL, "verification_token": "{{ of_login_request.verification_token }}", "wait": False}
    refused = [f"hosting.platform.{module}" for module in ("user_info", "project_info", "blueprint_info")]
    tasks += [{f"hosting.platform.{module}": options} for module, options in WRONG.items()]
    tasks += [
        {"hosting.platform.login_verification": verify},
        *({module: {"access_token": "{{ wrong_token }}"}} for module in refused),
        {"hosting.platform.user_info": {"access_token": "{{ unsendable_token }}"}},
        {"hosting.platform.user_info": {"base_url": "http://127.0.0.1:1", "max_retries": 0}},
        {"ansible.builtin.set_fact": {"kept": "{{ of_project }}", "cacheable": True}},
    ]
    secrets = [player.emulator.token, *SECRETS.values()]
    (player.folder / "secrets.json").write_text(json.dumps(SECRETS), encoding="utf-8")
    facts = player.folder / "facts"
    cache = {"ANSIBLE_CACHE_PLUGIN": "jsonfile", "ANSIBLE_CACHE_PLUGIN_CONNECTION": str(facts)}

    for arguments in (["--check"], []):
        play = player.run(tasks, "-vvvv", "--diff", "-e", "@secrets.json", *arguments, **cache)

        assert {task.status for task in play.tasks[: len(RIGHT)]} == {"ok"} or arguments == ["--check"]
        assert [task.status for task in play.tasks].count("failed") >= len(WRONG)
        kept = "".join(file.read_text(encoding="utf-8") for file in facts.iterdir())
        assert "kept" in kept
        places = {"output": play.output, "events": json.dumps([task.result for task in play.tasks]), "facts": kept}
        for place, text in places.items():
            assert [secret for secret in secrets if secret in text] == [], f"the {place} show a secret"


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
def test_echoed_token_is_masked_in_results_caches_and_logs(player: Player, token: str, in_process: str) -> None:
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
    with stub_server(json_response(user)) as service:
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
