# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How to reach the service: the connection options that every module and the inventory plugin share."""

from __future__ import annotations

import dataclasses
import ipaddress
import os
import re
import typing as t
from urllib.parse import urlsplit

from ansible.module_utils.common.parameters import env_fallback
from ansible.module_utils.errors import AnsibleFallbackNotFound

from .errors import InvalidOption

PRINTABLE_ASCII = re.compile(r"[\x21-\x7e]+\Z")
NEVER_IN_ADDRESSES = re.compile(r"[\x00-\x20\x7f\\]")
DAY_SECONDS = 86_400


def filled_env_fallback(*names: str) -> str:
    """The first of these environment variables that holds something.

    Controllers inject the empty fields of a credential as empty variables: these count as not set.
    """
    for name in names:
        if os.environ.get(name):
            return str(env_fallback(name))
    raise AnsibleFallbackNotFound


def from_environment(variable: str) -> tuple[t.Callable[..., str], list[str]]:
    """The ``fallback`` of an argument specification that reads this environment variable."""
    return (filled_env_fallback, [variable])


def connection_options(token_required: bool = True) -> dict[str, t.Any]:
    """The argument specification of the connection options."""
    return {
        "base_url": {"type": "str", "required": True, "fallback": from_environment("HOSTING_PLATFORM_BASE_URL")},
        "access_token": {
            "type": "str",
            "required": token_required,
            "no_log": True,
            "fallback": from_environment("HOSTING_PLATFORM_ACCESS_TOKEN"),
        },
        "timeout": {"type": "float", "default": 30.0, "fallback": from_environment("HOSTING_PLATFORM_TIMEOUT")},
        "max_retries": {"type": "int", "default": 5, "fallback": from_environment("HOSTING_PLATFORM_MAX_RETRIES")},
        "max_retry_delay": {
            "type": "float",
            "default": 30.0,
            "fallback": from_environment("HOSTING_PLATFORM_MAX_RETRY_DELAY"),
        },
        "validate_certs": {
            "type": "bool",
            "default": True,
            "fallback": from_environment("HOSTING_PLATFORM_VALIDATE_CERTS"),
        },
        "ca_path": {"type": "path", "fallback": from_environment("HOSTING_PLATFORM_CA_PATH")},
        "client_cert": {"type": "path", "fallback": from_environment("HOSTING_PLATFORM_CLIENT_CERT")},
        "client_key": {"type": "path", "fallback": from_environment("HOSTING_PLATFORM_CLIENT_KEY")},
    }


@dataclasses.dataclass(frozen=True)
class Connection:
    """The connection options, checked. Times are in seconds."""

    base_url: str
    access_token: str | None = dataclasses.field(default=None, repr=False)
    timeout: float = 30.0
    max_retries: int = 5
    max_retry_delay: float = 30.0
    validate_certs: bool = True
    ca_path: str | None = None
    client_cert: str | None = None
    client_key: str | None = None

    @classmethod
    def from_options(cls, options: t.Mapping[str, t.Any]) -> Connection:
        """Raises InvalidOption for a value that cannot work, before anything is sent."""
        values: dict[str, t.Any] = {field.name: options.get(field.name) for field in dataclasses.fields(cls)}
        values["base_url"] = _checked_base_url(values["base_url"])
        _check_token(values["access_token"])
        _check_numbers(values)
        _check_files(values)
        return cls(**values)

    @property
    def verify(self) -> bool | str:
        """What requests calls ``verify``."""
        return (self.ca_path or True) if self.validate_certs else False

    @property
    def client_certificate(self) -> str | tuple[str, str] | None:
        """What requests calls ``cert``."""
        if self.client_cert and self.client_key:
            return (self.client_cert, self.client_key)
        return self.client_cert

    @property
    def warnings(self) -> list[str]:
        """What the user should know of a connection that is less safe than it could be."""
        found = []
        if not self.validate_certs:
            found.append("validate_certs is false: anyone on the way can read and change what is sent.")
        parts = urlsplit(self.base_url)
        if parts.scheme == "http" and self.access_token and not _is_loopback(parts.hostname or ""):
            found.append("base_url is plain http: the access token travels in clear. Use https.")
        return found


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _checked_base_url(value: t.Any) -> str:
    """The address without a trailing slash. It is never quoted: a user info part of it may be a secret."""
    problem = None
    try:
        parts = urlsplit(value or "")
        parts.port  # noqa: B018 (raises ValueError for a port that is none)
    except ValueError:
        raise InvalidOption("base_url", "is not an address. Give it as https://host, or https://host:port.") from None
    if not value:
        problem = "is empty. Give the service's address, such as https://host."
    elif NEVER_IN_ADDRESSES.search(value):
        problem = "holds a space, a control character or a backslash. Give it as https://host."
    elif parts.scheme not in ("http", "https"):
        problem = "has no scheme that can be used. Write it with https:// (or http://) in front."
    elif not parts.hostname:
        problem = "names no host. Give it as https://host."
    elif "@" in parts.netloc:
        problem = "holds user info (before the @). Remove it and give the token as access_token."
    elif "?" in value or "#" in value:
        problem = "holds a query or a fragment (from the ? or #). Remove it; a path is kept."
    if problem:
        raise InvalidOption("base_url", problem)
    return str(value).rstrip("/")


def _check_token(token: str | None) -> None:
    if token is None:
        return
    if not token:
        raise InvalidOption("access_token", "is empty. Give the bearer token of the login.")
    if not PRINTABLE_ASCII.match(token):
        raise InvalidOption(
            "access_token",
            "holds a space, a line break or a character that is not printable ASCII. A token has none of these:"
            " it may have been cut, or read with its line end (use the trim filter).",
        )


def check_seconds(option: str, value: float, *, may_be_zero: bool) -> None:
    """Raises InvalidOption for what nobody can wait for; not-a-number is among it."""
    if not 0 <= value <= DAY_SECONDS or (value == 0 and not may_be_zero):
        least = "0 or more" if may_be_zero else "above 0"
        raise InvalidOption(option, f"must be a number of seconds, {least} and at most {DAY_SECONDS} (a day).")


def _check_numbers(values: t.Mapping[str, t.Any]) -> None:
    check_seconds("timeout", values["timeout"], may_be_zero=False)
    check_seconds("max_retry_delay", values["max_retry_delay"], may_be_zero=True)
    if values["max_retries"] < 0:
        raise InvalidOption("max_retries", "must be 0 or more.")


def _check_files(values: t.MutableMapping[str, t.Any]) -> None:
    for option in ("ca_path", "client_cert", "client_key"):
        values[option] = values[option] or None
        if values[option] and not os.access(values[option], os.R_OK):
            raise InvalidOption(option, f"{values[option]} is not there or cannot be read.")
    if values["client_key"] and not values["client_cert"]:
        raise InvalidOption("client_key", "needs client_cert beside it.")
