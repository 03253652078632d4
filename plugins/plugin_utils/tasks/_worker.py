# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ansible's worker process as a place where modules run."""

from __future__ import annotations

import contextlib
import functools
import gc
import logging
import os
import sys
from collections.abc import Iterator

from ansible import constants

from ...module_utils._api import connection_files, faults, request_log
from ...module_utils._model import deletion, own_scope
from ...module_utils._model.kinds import alias_records, cascades
from ._options import Environment, Variables

# What modules import late: once here, before the fork, and not in each worker.
IMPORTED_EARLY = (
    connection_files,
    faults,
    request_log,
    deletion,
    own_scope,
    alias_records,
    cascades,
)


@contextlib.contextmanager
def module_environment(environment: Environment, directory: str) -> Iterator[None]:
    """The environment of a module process: the task's variables, the playbook's directory, and no
    logging configured.

    In a worker, ANSIBLE_LOG_PATH configures logging, which would include urllib3's messages.
    Disabling it takes a twentieth of an item's time, so only then.
    """
    is_logged = logging.getLogger().hasHandlers()
    before = {name: os.environ[name] for name in environment if name in os.environ}
    directory_before = os.getcwd()
    disabled = logging.root.manager.disable
    try:
        os.environ.update(environment)
        os.chdir(directory)
        if is_logged:
            logging.disable(logging.CRITICAL)
        yield
    finally:
        if is_logged:
            logging.disable(disabled)
        os.chdir(directory_before)
        for name in environment:
            os.environ.pop(name, None)
        os.environ.update(before)


@functools.cache
def freeze_inherited_objects(_worker: int) -> None:
    """Let Python's garbage collector pass over what the fork has brought along, once in each
    worker: it is no garbage, and looking through it copies its memory.
    """
    gc.freeze()


@functools.cache
def is_this_python(path: str) -> bool:
    """True if file and directory are those of this process: a virtual environment's `python` links
    to another Python.
    """
    return _place(path) == _place(sys.executable)


def _place(path: str) -> tuple[str, str]:
    return os.path.realpath(path), os.path.realpath(os.path.dirname(path))


def shows_invocation(task_vars: Variables) -> bool:
    """True if results show the module's options: a setting since ansible-core 2.21; before, they
    always do.
    """
    try:
        return bool(constants.config.get_config_value("INJECT_INVOCATION", variables=task_vars))
    except Exception:  # noqa: BLE001 (each core raises a different error for an unknown setting)
        return True
