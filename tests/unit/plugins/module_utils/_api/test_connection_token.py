# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The token in a file: which of option, variable and file counts, and what is said of a file that
cannot be used.
"""

import resource
from pathlib import Path

import pytest
from client import CONNECTION, TOKEN

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._errors import InvalidOption

WORKING = {**CONNECTION, "access_token": None}
SECRETIVE = "secretive-token-0123456789"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "token"
    path.write_text(TOKEN)
    path.chmod(0o600)
    return path


def connection(given, **environment):
    return Connection.from_options(
        {**WORKING, **environment, **given}, token_required=True, given=given
    )


@pytest.mark.parametrize("around", ["{}", "{}\n", "\n\t {}\r\n \n"])
def test_the_token_is_what_the_file_holds_less_white_space(file, around):
    file.write_text(around.format(SECRETIVE))
    found = connection({"access_token_path": str(file)})
    assert found.access_token == SECRETIVE
    assert found.warnings == []
    assert SECRETIVE not in repr(found)


def test_an_option_goes_before_both_variables(file):
    file.write_text(SECRETIVE)
    by_path = connection({"access_token_path": str(file)}, access_token=TOKEN)
    assert by_path.access_token == SECRETIVE
    by_token = connection({"access_token": TOKEN}, access_token_path="/nowhere")
    assert by_token.access_token == TOKEN
    assert connection({}, access_token_path=str(file)).access_token == SECRETIVE
    empty = connection({"access_token": "", "access_token_path": str(file)})
    assert empty.access_token == SECRETIVE


@pytest.mark.parametrize(
    ("given", "environment", "words"),
    [
        (
            {},
            {},
            ["access_token: is not set", "HOSTING_PLATFORM_ACCESS_TOKEN", "access_token_path"],
        ),
        ({"access_token": ""}, {"access_token_path": "/nowhere"}, ["access_token: is not set"]),
        ({"access_token": "", "access_token_path": ""}, {}, ["access_token: is not set"]),
    ],
)
def test_none_at_all_is_refused(given, environment, words):
    with pytest.raises(InvalidOption) as failure:
        connection(given, **environment)
    assert [word for word in words if word not in str(failure.value)] == []
    assert TOKEN not in str(failure.value)


def test_a_login_reads_no_file_that_only_the_environment_names(tmp_path, file):
    def token_of_login(path, given):
        options = {**WORKING, "access_token_path": path}
        return Connection.from_options(options, given=given).access_token

    missing = str(tmp_path / "missing")
    assert token_of_login(missing, {}) is token_of_login(str(file), {}) is None
    assert token_of_login(str(file), {"access_token_path": str(file)}) == TOKEN
    with pytest.raises(InvalidOption, match="cannot be read"):
        token_of_login(missing, {"access_token_path": missing})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"$ANSIBLE_VAULT;1.1;AES256\n6162\n", "is encrypted with Ansible Vault, and is not"),
        (f"Bearer {SECRETIVE}".encode(), "without the word Bearer"),
        (f"{SECRETIVE} {SECRETIVE}".encode(), "contains a space"),
        (f"{SECRETIVE}\nmore".encode(), "a line break"),
        (b"\xff\xfe" + SECRETIVE.encode(), "not printable ASCII"),
        (b"\xef\xbb\xbf" + SECRETIVE.encode(), "not printable ASCII"),
        (SECRETIVE.encode() * 3000, "is empty, or longer than 64 KiB"),
    ],
)
def test_a_file_that_holds_no_token_is_named_and_not_quoted(file, content, words):
    file.write_bytes(content)
    with pytest.raises(InvalidOption) as failure:
        connection({"access_token_path": str(file)})
    assert str(failure.value).startswith(f"access_token_path: {file} ")
    assert words in str(failure.value)
    assert SECRETIVE not in str(failure.value)


def test_a_file_without_an_end_is_named():
    limits = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(
        resource.RLIMIT_AS, (used + 2**26, limits[1])
    )  # so that reading it fails, and fills no memory
    try:
        with pytest.raises(
            InvalidOption, match="access_token_path: /dev/zero is empty, or longer than 64 KiB"
        ):
            connection({"access_token_path": "/dev/zero"})
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def test_unreadable_token_file_is_named(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("missing", "dangling", "folder", "missing/token", "x" * 300):
        with pytest.raises(InvalidOption, match="access_token_path: ") as failure:
            connection({"access_token_path": str(tmp_path / name)})
        assert str(tmp_path) in str(failure.value)
