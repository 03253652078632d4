# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one place that knows AnsibleModule: runs a module in a process of its own."""

from __future__ import annotations

from typing import Any, NoReturn

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

from .._api.http import MISSING_LIBRARY, how_to_install
from .._errors import PlatformError
from .module import Invocation, Module, Result


def run(module: Module) -> None:
    """Run the module, and end the process with its result. The action plugin has already checked the types."""
    process = _Process(module)
    if MISSING_LIBRARY:
        process.fail_json(
            f"{missing_required_lib(MISSING_LIBRARY)}. {how_to_install(MISSING_LIBRARY)}",
            failure=PlatformError("").failure,
        )
    process.end(module.perform(Invocation(process.given, process.params, process.check_mode)))


class _Process(AnsibleModule):
    def __init__(self, module: Module) -> None:
        self.module = module
        self._absent: set[str] = set()
        options = {name: self._noting(name, definition) for name, definition in module.specification.options.items()}
        super().__init__(options, supports_check_mode=True, **module.specification.rules)  # type: ignore[no-untyped-call]

    def _noting(self, name: str, definition: dict[str, Any]) -> dict[str, Any]:
        """The definition of an option that notes when its value comes from the environment."""
        find, *arguments = definition.get("fallback", [None])

        def find_and_note(*variables: str) -> Any:
            self._absent.add(name)
            return find(*variables)

        return {**definition, "fallback": (find_and_note, *arguments)} if find else definition

    @property
    def given(self) -> dict[str, Any]:
        """The options with a value that does not come from the environment."""
        return {name: value for name, value in self.params.items() if value is not None and name not in self._absent}

    def log(self, *args: Any, **kwargs: Any) -> None:
        """Do not write to the system log: options do not belong there, and a worker does not write to it either."""

    def fail_json(self, msg: str, **result: Any) -> NoReturn:
        """Also called by AnsibleModule, for errors in the options."""
        self.end(self.module.failure(Invocation({}, self.params, False), str(msg), **result))

    def end(self, result: Result) -> NoReturn:
        for warning in result.pop("warnings"):
            self.warn(warning)
        # A service may hand out the token that it was called with. Until 2.21 core would mask it.
        self.no_log_values.clear()
        if "failed" in result:
            super().fail_json(**result)
        super().exit_json(**result)
        raise AssertionError("AnsibleModule has not ended the process")
