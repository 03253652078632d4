# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module as a function: what its result tells, and what it hides."""

import importlib
from typing import Any

import pytest
from environments import ROOT

from ansible_collections.hosting.platform.plugins.module_utils._model.options import ArgumentSpec
from ansible_collections.hosting.platform.plugins.module_utils._run.invocation import Invocation
from ansible_collections.hosting.platform.plugins.module_utils._run.module import Module

TOKEN = "first-secret-0123456789"
FOUND = "third-secret-5555544444"
OPTIONS: dict[str, Any] = {"token": {"type": "str", "no_log": True}, "name": {"type": "str"}}
PARAMS = {"token": TOKEN, "name": f"has {TOKEN}"}
NAMES = sorted(
    file.stem for file in (ROOT / "plugins/modules").glob("*.py") if file.stem != "__init__"
)


def module_called(name):
    return importlib.import_module(
        f"ansible_collections.hosting.platform.plugins.modules.{name}"
    ).MODULE


def result(work, **details):
    return Module(ArgumentSpec(OPTIONS), work, **details).perform(
        Invocation({}, dict(PARAMS), check_mode=False)
    )


def test_secrets_are_hidden_wherever_they_are_told():
    def work(invocation):
        invocation.secrets.append(FOUND)
        invocation.warnings.append(f"beware of {FOUND}")
        return {"changed": True, "told": [TOKEN, f"and {FOUND}", {FOUND: 1}]}

    done = result(work)
    assert not any(secret in str(done) for secret in (TOKEN, FOUND))
    assert done["invocation"]["module_args"]["token"] == "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
    assert done["changed"] is True
    assert "failed" not in done


def test_a_warning_is_told_once_and_on_one_line():
    def work(invocation):
        invocation.warnings += ["one\ntwo", "one\ntwo", "three"]
        return {"changed": False}

    assert result(work)["warnings"] == ["one\\u000atwo", "three"]


def test_secret_that_was_asked_for_is_returned_and_masked_everywhere_else():
    """A service may hand out the very token that it was called with."""
    done = result(
        lambda _invocation: {"changed": True, "key": TOKEN, "team": f"of {TOKEN}"},
        unmasked_key="key",
    )
    assert (done["key"], done["team"]) == (TOKEN, "of ********")
    for name, key in (
        ("login_request", "verification_token"),
        ("login_verification", "access_token"),
    ):
        assert module_called(name).unmasked_key == key


@pytest.mark.parametrize("name", NAMES)
def test_no_option_needs_what_only_a_module_process_would_say(name):
    """The worker's side does not tell deprecations of options, nor that an alias was used."""
    module = module_called(name)
    said = {"aliases", "deprecated_aliases", "removed_in_version", "removed_at_date"}
    options = list(module.specification.options.values())
    for option in options:
        options += option.get("options", {}).values()
        assert not said & option.keys()
    assert len(options) >= len(module.specification.options) > 0
