# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one place that knows AnsibleModule: runs a module in a process of its own."""

from __future__ import annotations

import os
from typing import Any, NoReturn

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

from .._api.controller import VARIABLE
from .._api.http import MISSING_LIBRARY, how_to_install
from .._api.worker import Run
from .._errors import PlatformError
from .module import Invocation, Module, Options, Result


def run(module: Module) -> None:
    """Run the module, and end the process with its result."""
    process = _Process(module)
    if MISSING_LIBRARY:
        process.fail_json(
            f"{missing_required_lib(MISSING_LIBRARY)}. {how_to_install(MISSING_LIBRARY)}",
            failure=PlatformError("").failure,
        )
    this = Run(controller=os.environ.get(VARIABLE, ""))
    process.end(module.perform(Invocation(process.given, process.params, process.check_mode, this)))


class _Process(AnsibleModule):
    """``given``: the arguments as they were given; empty if a future core no longer loads them this way."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.given: Options = {}
        specification = module.specification
        super().__init__(dict(specification.options), supports_check_mode=True, **specification.rules)  # type: ignore[no-untyped-call]

    def _load_params(self, *args: Any, **kwargs: Any) -> None:
        super()._load_params(*args, **kwargs)  # type: ignore[no-untyped-call]
        loaded = self.params
        of_core = {name: value for name, value in loaded.items() if name.startswith("_ansible_")}
        self.params = {name: value for name, value in loaded.items() if name not in of_core}
        try:
            self.given = self.module.accepted(self.params)
        except PlatformError as error:
            self.fail_json(str(error), failure=error.failure)
        # A copy, since AnsibleModule changes it later.
        self.params = {**of_core, **self.given}

    def log(self, *args: Any, **kwargs: Any) -> None:
        """Do not write to the system log: options do not belong there, and a worker does not write to it either."""

    def fail_json(self, msg: str, **result: Any) -> NoReturn:
        """Also called by AnsibleModule, for errors in the options."""
        self.end(self.module.failure(Invocation(self.given, self.params, False), str(msg), **result))

    def end(self, result: Result) -> NoReturn:
        for warning in result.pop("warnings"):
            self.warn(warning)
        # A service may hand out the token that it was called with. Until 2.21 core would mask it.
        self.no_log_values.clear()
        if "failed" in result:
            super().fail_json(**result)
        super().exit_json(**result)
        raise AssertionError("AnsibleModule has not ended the process")
