# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a connection: their paths, the token's file, and what OpenSSL must load.

Everything is read before the first request, and what is wrong is said by its option. OpenSSL itself
would say less, and only while connecting; for an encrypted key, it would ask at the terminal.
"""

from __future__ import annotations

import functools
import os
import ssl
import stat
from collections.abc import Mapping
from typing import NamedTuple, NoReturn

from .._errors import InvalidOption
from .._file_access import VAULT_HEADER, os_error_text

READABLE_BY_OTHERS = stat.S_IRGRP | stat.S_IROTH
TOKEN_FILE_LIMIT = 64 * 1024


class _File(NamedTuple):
    """A file as it is now: another content would change more than its path."""

    path: str
    inode: int
    size: int
    changed_at: int


def check_files(paths: Mapping[str, str]) -> None:
    """Raises InvalidOption for what cannot be used of the files that these options name.

    A relative path would start from another directory than the user thinks of.
    """
    for option, path in paths.items():
        if not os.path.isabs(path):
            problem = "is a relative path where the module runs. Write the whole path."
            raise InvalidOption(option, f"{path} {problem}")
    certificate = paths.get("client_cert")
    key = paths.get("client_key")
    if key and not certificate:
        raise InvalidOption("client_key", "requires client_cert.")
    if certificate:
        certificate_file = _readable_file("client_cert", certificate)
        key_file = _readable_file("client_key", key) if key else None
        _load_client_certificate(certificate_file, key_file)
    if "ca_path" in paths:
        _load_authorities("ca_path", _readable_file("ca_path", paths["ca_path"]))


def read_token(path: str) -> tuple[str, list[str]]:
    """The token in a file, and warnings about the file. Raises InvalidOption, which never quotes
    the content.
    """
    option = "access_token_path"
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            mode = os.fstat(file.fileno()).st_mode
            # One of the files of /dev may have no end.
            token = file.read(TOKEN_FILE_LIMIT + 1)
    except OSError as error:
        raise InvalidOption(option, f"{path} cannot be read: {os_error_text(error)}.") from None
    is_too_long = len(token) > TOKEN_FILE_LIMIT
    token = token.strip()
    if is_too_long or not token:
        problem = f"{path} is empty, or longer than {TOKEN_FILE_LIMIT // 1024} KiB."
        raise InvalidOption(option, f"{problem} It must contain a token, and nothing else.")
    if token.startswith(VAULT_HEADER):
        problem = f"{path} is encrypted with Ansible Vault, and is not decrypted."
        raise InvalidOption(option, f"{problem} Give access_token the vaulted value instead.")
    if not mode & READABLE_BY_OTHERS:
        return token, []
    return token, [
        f"{option}: other users can read {path}. Allow only its owner to read it (mode 0600)."
    ]


def _readable_file(option: str, path: str) -> _File:
    """Raises InvalidOption for what is no file, or cannot be read."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            problem = f"{path} is a directory or no regular file. Give the path of a file."
            raise InvalidOption(option, problem)
        with open(path, "rb"):
            return _File(path, status.st_ino, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise InvalidOption(option, f"{path} cannot be read: {os_error_text(error)}.") from None


# Loading all authorities of a system takes as long as several requests, and a loop would do it for
# each item.
@functools.lru_cache(maxsize=4)
def _load_authorities(option: str, file: _File) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file.path)
    except ssl.SSLError:
        problem = "contains no certificate that can be used. Certificates must be in PEM format."
        raise InvalidOption(option, f"{file.path} {problem}") from None


class EncryptedKey(Exception):
    """OpenSSL asks for a passphrase."""


def _ask_nobody() -> NoReturn:
    raise EncryptedKey


@functools.lru_cache(maxsize=4)
def _load_client_certificate(certificate: _File, key: _File | None) -> None:
    # Loaded by itself, it tells whether the certificate is wrong or the key.
    _load_authorities("client_cert", certificate)
    option = "client_key" if key else "client_cert"
    path = (key or certificate).path
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate.path, path, _ask_nobody)
    except EncryptedKey:
        problem = (
            "contains an encrypted key. Decrypt it into a file that only you can read: no"
            " passphrase is asked for."
        )
    except ssl.SSLError as error:
        reason = f" OpenSSL says {error.reason}." if error.reason else ""
        problem = (
            "contains no private key that can be used for the certificate in client_cert."
            f"{reason} Name the file that contains it, in PEM format, in client_key."
        )
    else:
        return
    raise InvalidOption(option, f"{path} {problem}")
