# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No secret is shown: not by a module, right or wrong, nor by what Ansible keeps, even if a service
repeats it.
"""

import json
from typing import Any

import pytest
from environments import ROOT
from player import Player
from sampling import sampled

pytestmark = pytest.mark.core_differences

# Handed over as variables: of a playbook itself, ansible-core quotes the lines around a task that
# failed.
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
    "login_verification": {
        "email": EMAIL,
        "verification_token": "{{ wrong_verification }}",
        "wait": False,
    },
}

# Check mode takes what they name for something that an earlier task of the play makes.
PREDICTED = {"project_info", "project_domain_info", "alias", "alias_info", "domain_info"}
# It sends nothing of a join or a login.
PREDICTED |= {"team_join", "login_verification"}


# What core itself writes into the file of an async job, since 2.22: the secrets that its controller
# does not know yet.
OF_CORE = "_ansible_new_secrets"
FINISHED = {"register": "of_job", "until": "of_job is finished", "retries": 60, "delay": 1}


def test_the_table_holds_every_module() -> None:
    assert (
        set(RIGHT) | {"login_verification"}
        == set(WRONG)
        == {path.stem for path in (ROOT / "plugins" / "modules").glob("*.py")}
        - {"blueprint_validate"}
    )


@pytest.mark.parametrize("arguments", sampled([[], ["--check"]], 2), ids=["run", "check"])
def test_secrets_appear_in_no_output_or_result(player: Player, arguments: list[str]) -> None:
    """The service even repeats the token in every answer and message."""
    player.emulator.switch(echo_token=True)
    player.emulator.seed(teams=[{"slug": "acme", "inviteCode": "code-0123456789"}])
    # The documentation asks for no_log where a result has to hold a secret.
    tasks: list[dict[str, Any]] = [
        {
            f"hosting.platform.{module}": options,
            "register": f"of_{module}",
            "no_log": module == "login_request",
        }
        for module, options in RIGHT.items()
    ]
    verify = {
        "email": EMAIL,
        "verification_token": "{{ of_login_request.verification_token }}",
        "wait": False,
    }
    refused = [
        f"hosting.platform.{module}" for module in ("user_info", "project_info", "blueprint_info")
    ]
    tasks += [{f"hosting.platform.{module}": options} for module, options in WRONG.items()]
    tasks += [
        {"hosting.platform.login_verification": verify},
        *({module: {"access_token": "{{ wrong_token }}"}} for module in refused),
        {"hosting.platform.user_info": {"access_token": "{{ unsendable_token }}"}},
        {"hosting.platform.user_info": {"base_url": "http://127.0.0.1:1", "max_retries": 0}},
        {"hosting.platform.user_info": {}, "register": "job", "async": 60, "poll": 0},
        {"ansible.builtin.async_status": {"jid": "{{ job.ansible_job_id }}"}, **FINISHED},
        {"ansible.builtin.set_fact": {"kept": "{{ [of_project, of_job] }}", "cacheable": True}},
    ]
    secrets = [player.emulator.token, *SECRETS.values()]
    (player.folder / "secrets.json").write_text(json.dumps(SECRETS), encoding="utf-8")
    facts = player.folder / "facts"
    cache = {"ANSIBLE_CACHE_PLUGIN": "jsonfile", "ANSIBLE_CACHE_PLUGIN_CONNECTION": str(facts)}
    cache |= {"ANSIBLE_ASYNC_DIR": str(player.folder / "jobs"), "ANSIBLE_INJECT_INVOCATION": "true"}

    play = player.run(tasks, "-vvvv", "--diff", "-e", "@secrets.json", *arguments, **cache)

    assert {task.status for task in play.tasks[: len(RIGHT)]} == {"ok"} or arguments == ["--check"]
    wrong = play.tasks[len(RIGHT) : len(RIGHT) + len(WRONG)]
    failed = {module for module, task in zip(WRONG, wrong, strict=True) if task.status == "failed"}
    assert failed == set(WRONG) - (PREDICTED if arguments else set())
    kept = "".join(file.read_text(encoding="utf-8") for file in facts.iterdir())
    assert "kept" in kept
    jobs = [json.loads(file.read_text()) for file in (player.folder / "jobs").glob("*")]
    assert all(
        set(job.pop(OF_CORE, [player.emulator.token])) == {player.emulator.token} for job in jobs
    )
    places = {
        "output": play.output,
        "events": json.dumps([task.result for task in play.tasks]),
        "facts": kept,
        "jobs": json.dumps(jobs),
    }
    for place, text in places.items():
        assert [secret for secret in secrets if secret in text] == [], f"the {place} show a secret"
