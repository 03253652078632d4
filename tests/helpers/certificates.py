# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates for servers and clients on this machine, made for one test run."""

import ssl
import subprocess
from pathlib import Path
from typing import NamedTuple


class Certified(NamedTuple):
    """Two PEM files."""

    certificate: Path
    key: Path


def self_signed(folder: Path, name: str) -> Certified:
    """A self-signed certificate for 127.0.0.1, which clients may also trust as an authority, and
    its key.
    """
    made = Certified(folder / f"{name}.pem", folder / f"{name}.key")
    request = (
        f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -addext"
        " subjectAltName=IP:127.0.0.1"
    )
    files: list[str | Path] = ["-keyout", made.key, "-out", made.certificate]
    subprocess.run(["openssl", *request.split(), *files], check=True, capture_output=True)
    return made


def tls_of(certified: Certified, client_authority: Certified | None = None) -> ssl.SSLContext:
    """The TLS context of a server with this certificate; with an authority, clients need a
    certificate issued by it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certified.certificate, certified.key)
    if client_authority:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_authority.certificate)
    return context
