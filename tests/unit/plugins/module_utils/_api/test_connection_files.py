# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a connection: what cannot work is refused by its option before the first request,
and asks nobody.
"""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from certificates import Certified, tls_of
from client import CONNECTION, TOKEN, make_api
from stub_server import json_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    InvalidOption,
)

pytestmark = pytest.mark.oldest_libraries

PATHS = ["access_token_path", "ca_path", "client_cert", "client_key", "request_log"]
TLS_FILES = ["ca_path", "client_cert", "client_key"]
BUNDLES = ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"]
PASSPHRASE = "a passphrase"
NO_KEY = "contains no private key that can be used for the certificate in client_cert."


def refusal(**options: Any) -> InvalidOption:
    with pytest.raises(InvalidOption) as failure:
        Connection.from_options({**CONNECTION, **options})
    assert str(failure.value).startswith(f"{failure.value.option}: ")
    return failure.value


def refused_path(option: str, path: str) -> str:
    token = None if option == "access_token_path" else TOKEN
    failure = refusal(access_token=token, **{option: path})
    assert failure.option == option
    return failure.problem


@pytest.fixture(scope="module", params=["", " -traditional"], ids=["pkcs8", "traditional"])
def encrypted(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, own: Certified
) -> Path:
    """The key of the certificate, encrypted."""
    path = tmp_path_factory.mktemp("encrypted") / "encrypted.key"
    command = f"openssl rsa -aes256{request.param} -in {own.key} -out {path}".split()
    subprocess.run([*command, "-passout", f"pass:{PASSPHRASE}"], check=True, capture_output=True)
    return path


@pytest.mark.parametrize("option", PATHS)
@pytest.mark.parametrize(
    "path", ["./file", "file", "a$b/../file", "$NOWHERE/file", "~nobody-of-this-name/token"]
)
def test_a_relative_path_is_refused_by_name(option, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    problem = "is a relative path where the module runs. Write the whole path."
    assert refused_path(option, path) == f"{path} {problem}"


@pytest.mark.parametrize("option", TLS_FILES)
def test_a_key_without_a_certificate_and_a_file_that_is_not_there_are_refused(
    option, own, tmp_path
):
    assert refusal(client_key=str(own.key)).problem == "requires client_cert."
    missing = str(tmp_path / "missing.pem")
    problem = refused_file(option, missing, own)
    assert problem == f"{missing} cannot be read: no such file or directory."


def refused_file(option: str, path: str | Path, own: Certified) -> str:
    """What is wrong with the file of one option, while the others are right."""
    files = {
        "ca_path": own.certificate,
        "client_cert": own.certificate,
        "client_key": own.key,
        option: path,
    }
    failure = refusal(**{name: str(file) for name, file in files.items()})
    assert failure.option == option
    return failure.problem


@pytest.mark.parametrize("option", TLS_FILES)
def test_a_directory_is_no_file(option, own, tmp_path):
    assert (
        refused_file(option, tmp_path, own)
        == f"{tmp_path} is a directory or no regular file. Give the path of a file."
    )


@pytest.mark.parametrize("option", TLS_FILES)
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(option, own, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert (
        refused_file(option, tmp_path / "pipe", own)
        == f"{tmp_path / 'pipe'} is a directory or no regular file. Give the path of a file."
    )


@pytest.mark.parametrize("option", TLS_FILES)
@pytest.mark.parametrize(
    "cut", [lambda _text: "garbage", lambda _text: "", lambda text: text[:400]]
)
def test_a_file_that_openssl_cannot_load_is_refused_by_its_option(option, cut, own, tmp_path):
    right = own.key if option == "client_key" else own.certificate
    wrong = tmp_path / "wrong.pem"
    wrong.write_text(cut(right.read_text()))
    content = "private key" if option == "client_key" else "certificate"
    assert refused_file(option, wrong, own).startswith(
        f"{wrong} contains no {content} that can be used"
    )


def test_the_key_of_another_certificate_is_refused(own, other):
    problem = refused_file("client_key", other.key, own)
    assert problem.startswith(f"{other.key} {NO_KEY} OpenSSL says KEY_VALUES_MISMATCH.")


def test_a_certificate_without_its_key_says_which_option_is_missing(own):
    failure = refusal(client_cert=str(own.certificate))
    assert failure.option == "client_cert"
    assert failure.problem.startswith(f"{own.certificate} {NO_KEY}")
    assert failure.problem.endswith("in client_key.")


def test_a_file_that_is_replaced_is_loaded_again(own, tmp_path):
    both = tmp_path / "both.pem"
    both.write_text(own.certificate.read_text() + own.key.read_text())
    assert Connection.from_options({**CONNECTION, "client_cert": str(both)}).client_cert == str(
        both
    )
    both.write_text("garbage")
    assert "contains no certificate" in refusal(client_cert=str(both)).problem


def with_encrypted_key(
    own: Certified, encrypted: Path, folder: Path, *, is_inside: bool
) -> dict[str, str]:
    if not is_inside:
        return {"client_cert": str(own.certificate), "client_key": str(encrypted)}
    both = folder / "both.pem"
    both.write_text(own.certificate.read_text() + encrypted.read_text())
    return {"client_cert": str(both)}


@pytest.mark.parametrize("is_inside", [False, True], ids=["client_key", "client_cert"])
def test_an_encrypted_key_is_refused_by_its_option(own, encrypted, tmp_path, is_inside):
    options = with_encrypted_key(own, encrypted, tmp_path, is_inside=is_inside)
    failure = refusal(**options)
    assert failure.option == list(options)[-1]
    assert "contains an encrypted key." in failure.problem
    assert PASSPHRASE not in str(failure)


ASKED = """
import sys
from client import CONNECTION
from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
Connection.from_options({**CONNECTION, **dict(argument.split("=") for argument in sys.argv[1:])})
"""


@pytest.mark.parametrize("is_inside", [False, True], ids=["client_key", "client_cert"])
def test_encrypted_key_asks_for_no_passphrase(own, encrypted, tmp_path, is_inside):
    """OpenSSL asks the controlling terminal, whatever standard input is."""
    options = with_encrypted_key(own, encrypted, tmp_path, is_inside=is_inside)
    arguments = [f"{name}={value}" for name, value in options.items()]
    process, terminal = pty.fork()
    if process == 0:
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
        os.execv(sys.executable, [sys.executable, "-c", ASKED, *arguments])  # noqa: S606
    os.write(terminal, b"\n\n\n")  # what would be answered
    shown = read_all(lambda: os.read(terminal, 65536))
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 1
    assert "contains an encrypted key." in shown
    assert "phrase:" not in shown


def read_all(read: Callable[[], bytes]) -> str:
    """What a terminal shows until it is closed, which Linux reports as an error."""
    shown = b""
    try:
        while piece := read():
            shown += piece
    except OSError:
        pass
    return shown.decode()


@pytest.mark.parametrize("variable", BUNDLES)
@pytest.mark.parametrize("is_there", [True, False])
def test_a_bundle_of_the_environment_that_cannot_be_loaded_is_said_without_a_retry(
    variable, is_there, own, tmp_path, monkeypatch, clock
):
    wrong = tmp_path / "wrong.pem"
    if is_there:
        wrong.write_text("garbage")
    monkeypatch.setenv(variable, str(wrong))
    with stub_server(tls=tls_of(own)) as server, pytest.raises(ApiError) as failure:
        make_api(server.base_url, clock).get_user()
    assert clock.slept == []
    assert ("ca_path" if is_there else "CA bundle in the environment") in str(failure.value)


@pytest.mark.parametrize("variable", BUNDLES)
def test_a_bundle_of_the_environment_may_be_a_directory(variable, tmp_path, monkeypatch):
    monkeypatch.setenv(variable, str(tmp_path))
    assert Connection.from_options(CONNECTION).ca_path is None


def test_right_files_are_used(own, other):
    options: dict[str, Any] = {
        "ca_path": str(own.certificate),
        "client_cert": str(other.certificate),
        "client_key": str(other.key),
    }
    with stub_server(json_response({"id": "usr_1"}), tls=tls_of(own, other)) as server:
        assert make_api(server.base_url, **options).get_user() == {"id": "usr_1"}
