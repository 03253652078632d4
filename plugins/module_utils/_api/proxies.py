# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is wrong with the proxy that the environment names."""

from __future__ import annotations

from importlib.util import find_spec

from .libraries import how_to_install


def proxy_problem(proxy: str) -> str:
    """Why no connection through this proxy can even be tried. Its address may hold a password, and
    is not quoted.
    """
    if proxy.lower().startswith("socks") and not find_spec("socks"):
        return (
            "the proxy in the environment speaks SOCKS, for which the Python library PySocks is"
            f" missing. {how_to_install('PySocks')}"
        )
    return (
        "the environment (such as https_proxy) does not hold the address of a proxy."
        " Write http://host:port, or add the host of base_url to no_proxy."
    )
