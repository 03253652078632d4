# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules as functions: the result of a task, without Ansible."""

import importlib
from typing import Any
from unittest.mock import patch

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from client import TOKEN, HttpInProcess, ManualClock
from in_process import EMULATORS

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._api.http import HttpClient
from ansible_collections.hosting.platform.plugins.module_utils._api.run import Run, process_cache
from ansible_collections.hosting.platform.plugins.module_utils._run import platform_module
from ansible_collections.hosting.platform.plugins.module_utils._run.invocation import Invocation
from ansible_collections.hosting.platform.plugins.module_utils._run.module import Module


def module_called(name: str) -> Module:
    """The module of this name."""
    module = importlib.import_module(
        f"ansible_collections.hosting.platform.plugins.modules.{name}"
    ).MODULE
    assert isinstance(module, Module)
    return module


def perform(name: str, base_url: str, /, check_mode: Any = False, **options: Any) -> dict[str, Any]:
    """What a task of its own registers: nothing is kept of an earlier one."""
    module = module_called(name)
    given = {"base_url": base_url, "access_token": TOKEN, **options}
    validator = ArgumentSpecValidator(
        dict(module.specification.options), **module.specification.rules
    )
    checked = validator.validate(given)
    assert not checked.error_messages, checked.error_messages
    process_cache.cache_clear()
    with patch.object(platform_module, "HttpClient", _http_client):
        return module.perform(Invocation(given, checked.validated_parameters, check_mode))


def _http_client(connection: Connection, run: Run) -> HttpClient:
    """The client of the service, which may be an emulator in this process."""
    if connection.base_url in EMULATORS:
        return HttpInProcess(connection, run, ManualClock())
    return HttpClient(connection, run)
