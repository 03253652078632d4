# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A failure on the way names what failed: the proxy, the file, the scheme of the address."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from certificates import Certified, tls_of
from client import ManualClock, api_to, failure_of, http_to
from cryptography.hazmat.primitives import serialization
from scripted import answer_json, answer_text, response, response_json, scripted

from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, InvalidOption, Outcome

pytestmark = pytest.mark.oldest_libraries

USER = {"id": "usr_1"}
HIDDEN = "https://hosting.example"
CREDENTIALS = "somebody:proxy-password@"


def failed_creation(base_url: str, tries: int = 1, **options: Any) -> ApiError:
    """The failure of a creation that was certainly not processed, after so many tries."""
    clock = ManualClock()
    with pytest.raises(ApiError) as failure:
        api_to(base_url, clock, max_retries=3, **options).create_project({"name": "web"})
    assert len(clock.slept) == tries - 1
    assert failure.value.outcome is Outcome.UNPROCESSED
    return failure.value


@pytest.mark.parametrize("base_url", [HIDDEN, "http://hosting.example"])
def test_a_proxy_that_is_down_is_named_without_its_credentials(monkeypatch, nobody, base_url):
    monkeypatch.setenv("all_proxy", f"http://{CREDENTIALS}{nobody}")
    message = str(failed_creation(base_url, tries=4))
    assert f"no connection to the proxy {nobody} (Connection refused)" in message
    assert "no_proxy" in message
    assert "proxy-password" not in message
    assert "service is up" not in message


@pytest.mark.parametrize(
    "proxy",
    [
        f"http://{CREDENTIALS}:3128",
        f"http://{CREDENTIALS}",
        f"http://{CREDENTIALS}127.0.0.1:port",
        f"http://{CREDENTIALS}127.0.0.1:99999",
        f"http://{CREDENTIALS}[::1",
        f"nonsense://{CREDENTIALS}127.0.0.1:3128",
        f"http//{CREDENTIALS}127.0.0.1:3128",
        f"socks9://{CREDENTIALS}127.0.0.1:3128",
        f"{CREDENTIALS}a b c",
        f"http://{CREDENTIALS}{'a' * 70}.example",
    ],
)
def test_a_proxy_that_cannot_be_one_is_named_without_its_credentials(monkeypatch, proxy):
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises(ApiError, match="the proxy") as failure:
        api_to(HIDDEN, max_retries=0).create_project({"name": "web"})
    assert failure.value.outcome is Outcome.UNPROCESSED
    assert "proxy-password" not in str(failure.value)


def test_a_proxy_that_refuses_is_named_with_its_words(monkeypatch):
    with scripted(answer_text("not allowed", 403)) as proxy:
        monkeypatch.setenv("https_proxy", proxy.base_url.replace("http://", f"http://{CREDENTIALS}"))
        message = str(failed_creation(HIDDEN, tries=4))
    assert f"the proxy {proxy.base_url[7:]} refused one to hosting.example (403" in message
    assert "proxy-password" not in message


def test_a_proxy_whose_certificate_is_not_trusted_is_named(monkeypatch, own):
    with scripted(answer_json(USER), tls=tls_of(own)) as proxy:
        monkeypatch.setenv("https_proxy", by_name(proxy.base_url))
        assert f"TLS connection to the proxy {by_name(proxy.base_url)[8:]}" in str(failed_creation(HIDDEN))


def test_a_proxy_that_speaks_plain_http_although_its_address_says_otherwise_is_named(monkeypatch):
    with scripted(answer_json(USER)) as proxy:
        monkeypatch.setenv("https_proxy", by_name(proxy.base_url).replace("http:", "https:"))
        message = str(failed_creation(HIDDEN))
    assert f"the proxy {by_name(proxy.base_url)[7:]}" in message
    assert "does not use TLS" in message


def by_name(address: str) -> str:
    """The address with a name for its host: urllib3 1.26.5 cannot use a proxy over TLS that has none."""
    return address.replace("127.0.0.1", "localhost")


def test_https_where_plain_http_is_spoken_says_so():
    with scripted(answer_json(USER)) as server:
        message = str(failed_creation(server.base_url.replace("http:", "https:")))
    assert "does not use TLS" in message
    assert "write http:// in base_url" in message


def test_plain_http_where_tls_is_spoken_says_so():
    """The alert of a server of TLS. Python's closes the connection without one, see below."""
    alert = b"\x15\x03\x01\x00\x02\x02\x46"

    def send_alert(asked):
        asked.stream.sendall(alert)
        asked.stream.shutdown(socket.SHUT_WR)

    with scripted(send_alert) as server:
        message = str(failed_creation(server.base_url))
    assert "uses TLS" in message
    assert "write https:// in base_url" in message


def test_plain_http_to_a_server_that_closes_without_a_word_thinks_of_tls(own):
    with (
        scripted(response_json(USER), tls=tls_of(own)) as server,
        pytest.raises(ApiError, match="write https:// in base_url") as failure,
    ):
        api_to(server.base_url.replace("https:", "http:")).create_project({"name": "web"})
    assert failure.value.outcome is Outcome.BROKEN


@pytest.mark.parametrize(
    "body",
    [
        b"<html><title>400 The plain HTTP request was sent to HTTPS port</title>",
        b"Client sent an HTTP request to an HTTPS server.\n",
        b"Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />",
    ],
    ids=["nginx", "go", "apache"],
)
def test_a_web_server_that_refuses_plain_http_is_understood(body):
    answer = response(body, "400 Bad Request", Content_Type="text/html")
    failure_of(Api.get_user, answer, match="Write https:// in base_url")


def encrypted_key(certified: Certified) -> bytes:
    key = serialization.load_pem_private_key(certified.key.read_bytes(), None)
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8)
    return key.private_bytes(*form, serialization.BestAvailableEncryption(b"password"))


@pytest.mark.parametrize(
    ("option", "content", "words"),
    [
        ("ca_path", lambda _own, _other: b"garbage", "no certificate"),
        ("ca_path", lambda _own, _other: b"", "no certificate"),
        ("client_cert", lambda _own, _other: b"garbage", "no certificate"),
        ("client_cert", lambda own, _other: own.key.read_bytes(), "no certificate"),
        ("client_key", lambda _own, _other: b"", "no private key"),
        ("client_key", lambda own, _other: own.certificate.read_bytes(), "no private key"),
        ("client_key", lambda _own, other: other.key.read_bytes(), "another certificate"),
        ("client_key", lambda own, _other: encrypted_key(own), "encrypted"),
    ],
)
def test_a_file_that_tls_cannot_use_is_named_with_its_option_before_anything_is_sent(
    tmp_path, own, other, option, content, words
):
    file = tmp_path / "unusable.pem"
    file.write_bytes(content(own, other))
    files: dict[str, Any] = {"client_cert": str(own.certificate), "client_key": str(own.key), option: str(file)}
    with pytest.raises(InvalidOption, match=words) as failure:
        http_to(HIDDEN, **files)
    assert failure.value.option == option
    assert str(file) in str(failure.value)


def test_a_certificate_without_its_key_is_named(own):
    with pytest.raises(InvalidOption, match=r"client_cert: .* no private key"):
        http_to(HIDDEN, client_cert=str(own.certificate))


def test_a_bundle_of_the_environment_that_does_not_exist_is_named(monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/bundle.pem")
    assert "/nowhere/bundle.pem" in str(failed_creation(HIDDEN))
