# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A request that fails says what to look at: the token that is meant, the clock, the machine."""

import contextlib
import datetime
import ipaddress
import resource

import pytest
from certificates import Certified, tls_of
from client import make_api
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from stub_server import StubResponse, json_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._api.http import HttpClient
from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._api.run import Run
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    InvalidOption,
)

TOKEN = "another-token-0123456789"
DEFAULTS = {"timeout": 5.0, "max_retries": 5, "max_retry_delay": 30.0, "validate_certs": True}


def token_place(place, tmp_path):
    """The options of a connection that has its token from a place, and how messages say it."""
    file = tmp_path / "token"
    file.touch(mode=0o600)
    file.write_text(TOKEN)
    return {
        "option": ({"access_token": TOKEN}, {"access_token": TOKEN}, "access_token"),
        "variable": ({"access_token": TOKEN}, {}, "HOSTING_PLATFORM_ACCESS_TOKEN"),
        "file": ({"access_token_path": str(file)}, {}, f"the token in {file}"),
    }[place]


@pytest.mark.parametrize("place", ["option", "variable", "file"])
def test_a_token_that_is_not_accepted_is_said_by_its_place_and_the_host(place, tmp_path):
    options, given, said = token_place(place, tmp_path)
    with stub_server(StubResponse(401)) as server:
        connection = Connection.from_options(
            {**DEFAULTS, "base_url": server.base_url, **options}, token_required=True, given=given
        )
        with pytest.raises(ApiError) as failure:
            Api(HttpClient(connection, Run())).get_user()
    host = server.base_url.removeprefix("http://")
    assert str(failure.value) == (
        f"GET /user failed: status 401. Check {said}: {host} does not accept it."
    )


@pytest.fixture
def future(tmp_path) -> Certified:
    """A certificate that is valid from tomorrow on."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "future")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now + datetime.timedelta(days=1))
    builder = builder.not_valid_after(now + datetime.timedelta(days=2))
    host = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    builder = builder.add_extension(x509.SubjectAlternativeName([host]), critical=False)
    made = Certified(tmp_path / "future.pem", tmp_path / "future.key")
    signed = builder.sign(key, hashes.SHA256())
    made.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    made.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return made


def test_a_certificate_that_is_not_valid_yet_points_at_the_clock(future, own, clock):
    for certified, is_clock in ((future, True), (own, False)):
        trusted = {"ca_path": str(future.certificate)}
        with stub_server(tls=tls_of(certified)) as server, pytest.raises(ApiError) as failure:
            make_api(server.base_url, clock, **trusted).get_user()
        assert ("Check the clock of this machine." in str(failure.value)) is is_clock
        assert "Check ca_path" in str(failure.value)
    assert clock.slept == []


@contextlib.contextmanager
def no_more_files():
    """The process may open no more files, whichever it closes: every number below the limit is that
    of a standard stream.
    """
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_too_many_open_files_are_said_without_a_retry(host, clock):
    with stub_server(json_response({"id": "usr_1"})) as server:
        api = make_api(server.base_url.replace("127.0.0.1", host), clock)
        with no_more_files(), pytest.raises(ApiError) as failure:
            api.get_user()
    assert server.requests == []
    assert clock.slept == []
    assert str(failure.value).endswith(
        "This process has too many open files. Allow more of them (ulimit -n), or lower workers."
    )


def test_a_log_of_keys_that_cannot_be_written_is_said_by_its_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "none" / "keys"))
    with pytest.raises(InvalidOption) as failure:
        make_api("https://127.0.0.1:1")
    assert str(failure.value) == (
        f"SSLKEYLOGFILE: {tmp_path}/none/keys cannot be written: no such file or directory."
        " Name a file that can be written, or unset the variable."
    )
    make_api("http://127.0.0.1:1")
    monkeypatch.setenv("SSLKEYLOGFILE", "")
    make_api("https://127.0.0.1:1")
