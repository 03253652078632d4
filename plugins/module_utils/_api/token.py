# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The bearer token, given directly or in a file. No message quotes it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from typing import Any

from .._errors import InvalidOption
from .._files import reason_of

TOKEN_VARIABLE = "HOSTING_PLATFORM_ACCESS_TOKEN"  # noqa: S105 (only the variable's name)
PATH_VARIABLE = "HOSTING_PLATFORM_ACCESS_TOKEN_PATH"
PRINTABLE_ASCII = re.compile(r"[\x21-\x7e]+\Z")
BEGINS_WITH_BEARER = re.compile(r"\s*bearer\s", re.IGNORECASE)
PATH_OPTION = "access_token_path"
LARGEST_FILE = 65_536
READABLE_BY_OTHERS = stat.S_IRGRP | stat.S_IROTH


def choose_token(options: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The token, and the path of the file that holds it; at most one of the two.

    ``given``: the options without the values from the environment. Raises InvalidOption if both are set.
    """
    token, path = options.get("access_token"), options.get("access_token_path") or None
    if given.get("access_token") and given.get("access_token_path"):
        raise InvalidOption("access_token", "cannot be set together with access_token_path. Set one of them.")
    if given.get("access_token_path"):
        return None, path
    if given.get("access_token") is not None:
        return token, None
    if token and path:
        raise InvalidOption(
            "access_token", f"{TOKEN_VARIABLE} and {PATH_VARIABLE} are both set in the environment. Unset one of them."
        )
    return token, path


def read_token(path: str) -> tuple[str, list[str]]:
    """The token in a file, and warnings about the file. Raises InvalidOption, which never quotes the content."""
    # A relative one starts beside the playbook, and a collection's playbooks are where that is installed.
    path = os.path.abspath(path)
    try:
        mode, content = _content(path)
    except (OSError, ValueError) as error:
        raise InvalidOption(PATH_OPTION, f"{path} cannot be read: {reason_of(error)}.") from None
    if not stat.S_ISREG(mode):
        raise InvalidOption(PATH_OPTION, f"{path} cannot be read: it is not a regular file.")
    if len(content) > LARGEST_FILE:
        raise InvalidOption(PATH_OPTION, f"{path} is too large for a file that holds a token and nothing else.")
    token = content.decode("utf-8", "replace").strip()
    if not token:
        raise InvalidOption(PATH_OPTION, f"{path} is empty. It must contain a token, and nothing else.")
    check_token(token, PATH_OPTION, f"{path} ")
    warning = f"{PATH_OPTION}: other users can read {path}. Allow only its owner to read it (mode 0600)."
    return token, [warning] if mode & READABLE_BY_OTHERS else []


def _content(path: str) -> tuple[int, bytes]:
    """The mode of a file, and its first bytes if it is a regular one."""
    # Opening a pipe would otherwise block until it has a writer.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        mode = os.fstat(file.fileno()).st_mode
        return mode, file.read(LARGEST_FILE + 1) if stat.S_ISREG(mode) else b""


def check_token(token: str, option: str = "access_token", place: str = "") -> None:
    """Raises InvalidOption for a token that no header can carry. ``place``: where it was read, before the verb."""
    if BEGINS_WITH_BEARER.match(token):
        raise InvalidOption(
            option, f"{place}begins with the word Bearer. Remove it: only the token itself is expected."
        )
    if not PRINTABLE_ASCII.match(token):
        cause = (
            "the file must contain nothing else, not even a byte order mark."
            if place
            else "it may have been truncated, or read with a line break at its end (use the trim filter)."
        )
        raise InvalidOption(
            option,
            f"{place}contains a space, a line break or a character that is not printable ASCII. A token has none of"
            f" these: {cause}",
        )
