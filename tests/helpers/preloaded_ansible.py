# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads ansible-core once, and forks for each command requested by a line on standard input; runs
with any core.
"""

import gc
import importlib
import json
import os
import pkgutil
import random
import sys
import warnings
from typing import Any

# Where each command begins.
COMMANDS = {
    "ansible": ("ansible.cli.adhoc", "AdHocCLI"),
    "ansible-inventory": ("ansible.cli.inventory", "InventoryCLI"),
    "ansible-playbook": ("ansible.cli.playbook", "PlaybookCLI"),
}


def preload() -> None:
    """Load what every command loads after its start."""
    for module, _name in COMMANDS.values():
        importlib.import_module(module)
    from ansible.plugins import loader

    loader.init_plugin_loader()
    # Each command configures it again, without effect.
    warnings.filterwarnings("ignore", message="AnsibleCollectionFinder has already been configured")
    importlib.import_module("ansible_collections.ansible.builtin")
    for name in (
        "ansible.executor.playbook_executor",
        "ansible.plugins.strategy.linear",
        "requests",
    ):
        importlib.import_module(name)
    for kind in ("become", "callback", "connection", "inventory", "shell", "vars"):
        list(getattr(loader, f"{kind}_loader").all(class_only=True))
    # Each worker would load them for its task.
    for jinja_plugins in (loader.filter_loader, loader.test_loader):
        list(jinja_plugins.all())
    package = importlib.import_module("ansible_collections.hosting.platform.plugins.action")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    # Nothing of it will be collected, so no child looks at it, which would copy its memory.
    gc.freeze()


def serve() -> None:
    """Answer each request with the command's return code, until standard input is closed."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            run(**json.loads(line))
        _ended, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def run(
    command: list[str], folder: str, environment: dict[str, str], stdout: str, stderr: str
) -> None:
    """Run the command in this process, which ends with it."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, stdout, os.O_WRONLY | os.O_APPEND),
        (2, stderr, os.O_WRONLY | os.O_APPEND),
    ):
        opened = os.open(path, flags)
        os.dup2(opened, number)
        os.close(opened)
    random.seed()
    own_temporary_folder()
    sys.argv = command
    module, name = COMMANDS[os.path.basename(command[0])]
    cli: Any = getattr(importlib.import_module(module), name)
    cli.cli_executor(command)


def own_temporary_folder() -> None:
    """Give the process its own temporary folder, so that it removes no other's at exit."""
    import atexit

    from ansible import constants
    from ansible.config import manager

    atexit.unregister(manager.cleanup_tmp_file)
    constants.DEFAULT_LOCAL_TMP = constants.config.get_config_value(
        "DEFAULT_LOCAL_TMP", variables=vars(constants)
    )


if __name__ == "__main__":
    preload()
    serve()
