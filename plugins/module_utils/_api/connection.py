# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The connection options that every module and the inventory plugin share."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from ansible.module_utils.errors import AnsibleFallbackNotFound

from .._errors import InvalidOption, MissingOption, PlatformError

LOOPBACK = re.compile(r"localhost|127(\.[0-9]+){3}|::1")
# After the scheme a host, and perhaps a port and a path.
ADDRESS = re.compile(
    r"https?://([^\s/?#@\\:\[\]]+|\[[0-9a-fA-F:.]+\])(:[0-9]*)?(/[^\s?#\\]*)?", re.IGNORECASE
)
PRINTABLE_ASCII = re.compile(r"[\x21-\x7e]+\Z")
TOKEN_OPTIONS = ("access_token", "access_token_path")
DAY_SECONDS = 86_400
MOST_RETRIES = 1000
# Definitions of options, or their values, by the names of the options.
Options = Mapping[str, Any]
OPTIONS: dict[str, Options] = {
    "base_url": {"type": "str", "required": True},
    "access_token": {"type": "str", "no_log": True},
    "access_token_path": {"type": "path", "no_log": False},
    "timeout": {"type": "float", "default": 30.0},
    "max_retries": {"type": "int", "default": 5},
    "max_retry_delay": {"type": "float", "default": 300.0},
    "validate_certs": {"type": "bool", "default": True},
    "ca_path": {"type": "path"},
    "request_log": {"type": "path"},
    "client_cert": {"type": "path"},
    "client_key": {"type": "path"},
}
PATH_OPTIONS = [name for name, option in OPTIONS.items() if option["type"] == "path"]


def env_fallback_unless_empty(name: str, otherwise: str | None = None) -> str:
    """The value of an environment variable.

    Controllers inject empty credential fields as empty variables, which count as unset.
    """
    value = os.environ.get(name) or otherwise
    if value is None:
        raise AnsibleFallbackNotFound
    return value


def from_environment(
    variable: str, *, is_required: bool = False
) -> tuple[Callable[..., str], list[str]]:
    """The ``fallback`` of an argument specification that reads this environment variable.

    A required option is empty then: `Connection` reports that it is missing, and names option and
    variable.
    """
    return env_fallback_unless_empty, [variable, ""] if is_required else [variable]


def variable_of(option: str) -> str:
    """The environment variable of a connection option."""
    return f"HOSTING_PLATFORM_{option.upper()}"


def connection_options() -> dict[str, Any]:
    """The argument specification of the connection options, each with an environment variable."""
    options = {}
    for name, option in OPTIONS.items():
        fallback = from_environment(variable_of(name), is_required="required" in option)
        options[name] = {**option, "fallback": fallback}
    return options


@dataclasses.dataclass(frozen=True)
class Connection:
    """The validated connection options. Times are in seconds.

    ``warnings``: what makes it less secure.
    """

    base_url: str
    access_token: str | None = dataclasses.field(default=None, repr=False)
    timeout: float = 30.0
    max_retries: int = 5
    max_retry_delay: float = 300.0
    validate_certs: bool = True
    ca_path: str | None = None
    client_cert: str | None = None
    client_key: str | None = None
    request_log: str | None = None
    # Where the token comes from, as messages say it; empty without one.
    token_place: str = ""
    warnings: Sequence[str] = dataclasses.field(default=(), compare=False)

    @classmethod
    def from_options(
        cls,
        options: Options,
        *,
        token_required: bool = False,
        given: Options | None = None,
    ) -> Connection:
        """Raises PlatformError, before anything is sent, for what is missing or cannot work.

        ``given``: the options without the values from the environment; by default ``options``.
        """
        given = options if given is None else given
        chosen = _chosen_token(options, given, is_required=token_required)
        values: dict[str, Any] = {**options, **chosen}
        _check_given(values, token_required=token_required)
        _check_values(values)
        warnings: list[str] = []
        paths = {option: values[option] for option in PATH_OPTIONS if values.get(option)}
        if paths:
            from .connection_files import check_files, read_token  # few tasks name files

            check_files(paths)
            if "access_token_path" in paths:
                values["access_token"], warnings = read_token(paths["access_token_path"])
        if values["access_token"] is not None:
            _check_token(values["access_token"], values["access_token_path"])
        values["base_url"] = values["base_url"].rstrip("/")
        values["warnings"] = [*warnings, *_warnings(values)]
        names = [field.name for field in dataclasses.fields(cls)]
        return cls(**{name: values[name] for name in names if name in values})


def _warnings(values: Options) -> Iterator[str]:
    if not values["validate_certs"]:
        yield "validate_certs is false, so anyone on the network path can read and change the data."
    address = urlsplit(values["base_url"])
    is_local = LOOPBACK.fullmatch(address.hostname or "")
    if address.scheme == "http" and values["access_token"] and not is_local:
        yield "base_url uses plain http, so the access token is sent unencrypted. Use https."


def _chosen_token(options: Options, given: Options, *, is_required: bool) -> Options:
    """The token, or the path of the file that holds it, and where it comes from: an option beats
    both variables. Raises PlatformError if both are set.
    """
    in_options = [name for name in TOKEN_OPTIONS if given.get(name) is not None]
    chosen = {name: options.get(name) for name in in_options or TOKEN_OPTIONS}
    token = chosen.get("access_token")
    path = chosen.get("access_token_path")
    if token and path:
        one, other = in_options or [variable_of(option) for option in TOKEN_OPTIONS]
        raise PlatformError(f"{one} and {other} are both set. Unset one of them.")
    if not (is_required or in_options):
        path = None  # the variable may already name the file that this login will write
    place = f"the token in {path}" if path else ""
    if token:
        place = "access_token" if in_options else variable_of("access_token")
    return {"access_token": token, "access_token_path": path or None, "token_place": place}


def _check_given(values: Options, *, token_required: bool) -> None:
    if not values["base_url"]:
        variable = variable_of("base_url")
        advice = f"Set it to the address of the service, such as https://host, or set {variable}."
        raise MissingOption("base_url", f"is not set. {advice}")
    if token_required and not values["token_place"]:
        variables = " or ".join(variable_of(option) for option in TOKEN_OPTIONS)
        otherwise = f"access_token_path to the file that holds it, or {variables}"
        advice = f"Set it to the token of a login, or {otherwise}."
        raise MissingOption("access_token", f"is not set. {advice}")


def is_usable_address(value: str) -> bool:
    """True if the value can be a ``base_url``. Only then may it be shown: user info may be a
    secret.
    """
    try:
        return bool(ADDRESS.fullmatch(value)) and urlsplit(value).port != 0
    except ValueError:
        return False


def check_seconds(option: str, value: float, *, may_be_zero: bool) -> None:
    """Raises InvalidOption for a time outside the accepted range, NaN included."""
    if not 0 <= value <= DAY_SECONDS or (value == 0 and not may_be_zero):
        least = "from 0" if may_be_zero else "greater than 0 and up"
        raise InvalidOption(
            option, f"must be a number of seconds {least} to {DAY_SECONDS} (one day)."
        )


def _check_values(values: Options) -> None:
    """Raises InvalidOption for an address or a number that cannot work."""
    if not is_usable_address(values["base_url"]):
        problem = (
            "is not a usable address. Write https://host, https://host:port or https://host/path"
        )
        raise InvalidOption(
            "base_url", f"{problem}, without user info (name@), spaces, query (?) or fragment (#)."
        )
    check_seconds("timeout", values["timeout"], may_be_zero=False)
    check_seconds("max_retry_delay", values["max_retry_delay"], may_be_zero=True)
    if not 0 <= values["max_retries"] <= MOST_RETRIES:
        raise InvalidOption("max_retries", f"must be a whole number from 0 to {MOST_RETRIES}.")


def _check_token(token: str, path: str | None) -> None:
    """Raises InvalidOption for a token, perhaps of a file, that no header can carry."""
    if PRINTABLE_ASCII.match(token):
        return
    option = "access_token_path" if path else "access_token"
    place = f"{path} " if path else ""
    problem = f"{place}contains a space, a line break or a character that is not printable ASCII."
    raise InvalidOption(
        option, f"{problem} Give the token and nothing else, without the word Bearer."
    )
