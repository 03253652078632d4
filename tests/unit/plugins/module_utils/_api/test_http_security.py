# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the token goes, where no secret ever shows, and what proxies and TLS do."""

from collections.abc import Callable
from typing import Any

import pytest
from certificates import tls_of
from client import TOKEN, expect_failure, make_api, make_client, make_project
from stub_server import json_response, stub_server, text_response

from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, Effect

pytestmark = pytest.mark.oldest_libraries

USER = {"id": "usr_1", "email": "dev@example.com"}
VERIFICATION = "verification-token-0123456789"


@pytest.mark.parametrize("token", [TOKEN, None])
def test_netrc_never_takes_the_place_of_the_token(tmp_path, monkeypatch, token):
    netrc = tmp_path / "netrc"
    netrc.write_text(
        "machine 127.0.0.1 login somebody password secret\ndefault login any password any\n"
    )
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with stub_server(json_response(USER)) as server:
        make_api(server.base_url, access_token=token).get_user()
    assert server.requests[0].headers.get("Authorization") == (f"Bearer {token}" if token else None)


@pytest.mark.parametrize("location", [None, "http://[", "//", "\xff"])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_refusal_and_not_followed_wherever_it_leads(status, location):
    with stub_server(json_response(USER)) as elsewhere:
        redirect = json_response({}, status, Location=location or f"{elsewhere.base_url}/user")
        failure = expect_failure(make_project, redirect, match="Redirects are not followed")
    assert (failure.effect, failure.status) == (Effect.REJECTED, status)
    assert elsewhere.requests == []


def test_no_proxy_of_the_environment_is_obeyed(monkeypatch):
    with stub_server(json_response(USER)) as server, stub_server(json_response({})) as proxy:
        monkeypatch.setenv("http_proxy", proxy.base_url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert make_api(server.base_url).get_user() == USER
    assert proxy.requests == []


@pytest.mark.parametrize("bundle", [None, "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_ca_path_decides_which_certificate_is_trusted(own, other, monkeypatch, bundle):
    """Also where the environment names another bundle, in both directions."""
    with stub_server(json_response(USER), tls=tls_of(own)) as server:
        if bundle:
            monkeypatch.setenv(bundle, str(other.certificate))
        assert make_api(server.base_url, ca_path=str(own.certificate)).get_user() == USER
        if bundle:
            monkeypatch.setenv(bundle, str(own.certificate))
        with pytest.raises(ApiError, match=r"TLS connection to .* failed"):
            make_api(server.base_url, ca_path=str(other.certificate)).get_user()


@pytest.mark.parametrize("bundle", [None, "REQUESTS_CA_BUNDLE"])
def test_validate_certs_false_trusts_any_certificate(own, other, monkeypatch, bundle, recwarn):
    if bundle:
        monkeypatch.setenv(bundle, str(other.certificate))
    with stub_server(json_response(USER), tls=tls_of(own)) as server:
        for ca_path in (None, str(other.certificate)):
            assert (
                make_api(server.base_url, validate_certs=False, ca_path=ca_path).get_user() == USER
            )
    assert [
        str(warning.message) for warning in recwarn if "certificate" in str(warning.message)
    ] == []


def test_mutual_tls(own, other, tmp_path):
    both = tmp_path / "both.pem"
    both.write_bytes(other.certificate.read_bytes() + other.key.read_bytes())
    with stub_server(json_response(USER), tls=tls_of(own, client_authority=other)) as server:
        trusting: dict[str, Any] = {"ca_path": str(own.certificate)}
        ours: dict[str, Any] = {"client_cert": str(other.certificate), "client_key": str(other.key)}
        assert make_api(server.base_url, **trusting, **ours).get_user() == USER
        assert make_api(server.base_url, **trusting, client_cert=str(both)).get_user() == USER
        with pytest.raises(ApiError):
            make_api(server.base_url, **trusting, max_retries=0).get_user()
    assert len(server.requests) == 2


ECHOES = [
    pytest.param(
        lambda said: json_response({"code": 400, "message": f"bad: {said}"}, 400), id="json"
    ),
    pytest.param(lambda said: text_response(f"no permission for {said}", 403), id="text"),
    pytest.param(
        lambda said: json_response({"message": "x" * 980 + said}, 400),
        id="at-the-limit-of-the-message",
    ),
    pytest.param(lambda said: text_response(said, 302), id="redirect"),
    pytest.param(lambda said: text_response(said, 200, said), id="content-type"),
    pytest.param(lambda said: json_response({"code": 400, "message": [said]}, 400), id="list"),
]


def joining(code: str) -> Callable[[Api], Any]:
    return lambda api: api.join_team("acme", {"inviteCode": code})


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("secret", [TOKEN, VERIFICATION])
def test_no_secret_shows_in_a_failure_though_the_api_repeats_it(echo, secret):
    failure = expect_failure(joining(VERIFICATION), echo(f"Bearer {secret}!"), max_retries=0)
    shown = f"{failure} {failure.failure}"
    assert secret not in shown
    assert secret[:10] not in shown


def test_no_query_shows_in_a_failure_without_an_answer(nobody):
    with pytest.raises(ApiError) as failure:
        make_api(f"http://{nobody}", max_retries=0).verify_login("dev@example.com", VERIFICATION)
    shown = f"{failure.value} {failure.value.failure} {failure.value.__cause__}"
    assert VERIFICATION not in shown
    assert "dev@example.com" not in shown
    assert "?" not in shown


def test_the_token_is_not_part_of_what_is_printed_of_a_connection():
    assert TOKEN not in repr(make_client("https://hosting.example").connection)
