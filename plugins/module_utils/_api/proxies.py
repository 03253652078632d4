# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is wrong with the proxy that the environment names."""

from __future__ import annotations

import os
from importlib.util import find_spec

from .libraries import how_to_install

ADDRESS_ADVICE = "Write http://host:port, or add the host of base_url to no_proxy."


class UnusableProxy(Exception):
    """A proxy to which no connection can even be tried."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice


def unusable_proxy(scheme: str, proxy: str) -> UnusableProxy:
    """Why no request of this scheme can be made. The address may hold a password, and is not
    quoted.
    """
    variable = _variable_of(scheme)
    if proxy.lower().startswith("socks") and not find_spec("socks"):
        problem = (
            f"the proxy in {variable} speaks SOCKS, for which the Python library PySocks is"
            " missing."
        )
        return UnusableProxy(problem, how_to_install("PySocks"))
    return UnusableProxy(f"{variable} does not hold the address of a proxy.", ADDRESS_ADVICE)


def _variable_of(scheme: str) -> str:
    """The variable that names the proxy of a scheme: the first that is set, as for requests."""
    for name in (f"{scheme}_proxy", "all_proxy"):
        for variable in (name, name.upper()):
            if os.environ.get(variable):
                return variable
    return "the system's proxy settings"
